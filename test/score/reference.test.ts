import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { scorersReference } from "../../src/score/reference.ts";

test("the reference page of the scorers is what the registry says: run `npm run generate` when this fails", async () => {
  const page = await readFile(new URL("../../docs/reference/scorers.md", import.meta.url), "utf8");
  expect(page).toBe(scorersReference());
});

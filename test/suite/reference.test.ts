import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { suiteJsonSchema, suiteReference } from "../../src/suite/reference.ts";

const reference = (name: string): Promise<string> =>
  readFile(new URL(`../../docs/reference/${name}`, import.meta.url), "utf8");

describe("the reference of the suite file", () => {
  test("is what the schema says: run `npm run generate` when this fails", async () => {
    expect(JSON.parse(await reference("suite.schema.json"))).toEqual(suiteJsonSchema());
    expect(await reference("suite.md")).toBe(suiteReference());
  });

  test("has a sentence for every key", () => {
    const rows = suiteReference()
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    expect(rows.length).toBeGreaterThan(40);
    for (const row of rows) expect(row).toMatch(/\. \|$/);
  });
});

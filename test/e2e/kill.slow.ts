import { expect, test } from "vitest";
import { surviveKills } from "./kills.ts";

test("survives 300 random kill -9, early and late in a run: nothing lost, nothing finished sent again", async () => {
  expect(await surviveKills(300, 60)).toBeGreaterThan(150);
});

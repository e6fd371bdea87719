import { expect, test } from "vitest";
import { surviveKills } from "./kills.ts";

test("survives 300 random kill -9, early and late in a run: nothing lost, nothing finished sent again, and what may be paid twice is known", async () => {
  expect(await surviveKills(300, 60)).toBeGreaterThan(150);
});

import { expect, test } from "vitest";
import { followed, howMany, newcomer } from "./followed-guide.ts";
import { blocksOf } from "./guide-blocks.ts";

test("the guide to labels shows a judge that calls the worse bot better, and the regression that 60 labels make of it", async () => {
  const { shown } = await followed(howMany, newcomer());
  expect(shown).toBeGreaterThan(6);
  const verdicts = blocksOf(howMany, "").map(({ text }) => /^[A-Z]+/.exec(text)?.[0]);
  expect(verdicts.filter((word) => word !== undefined && word.length > 1)).toEqual(["BETTER", "REGRESSION"]);
});

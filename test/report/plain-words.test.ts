import { expect, test } from "vitest";
import { distanceWords, noiseWords } from "../../src/report/say/beside.ts";
import { otherLevelsWords } from "../../src/report/say/nights.ts";

test("a distance of answers says what it measures, and of whom the other is", () => {
  expect(`${distanceWords(0.934)}${noiseWords(0, "prod")}`).toBe(
    "Worded differently: 0.93 of 1; two runs of prod differ by 0.00",
  );
});

test("marks of other metrics name them, each once, and count them where they are many", () => {
  expect(otherLevelsWords(["similar", "similar"])).toBe("the level of similar changed");
  expect(otherLevelsWords(["similar", "in-language", null])).toBe(
    "the level of similar, in-language and errors, time or cost changed",
  );
  expect(otherLevelsWords(["a", "b", "c", "d"])).toBe("the level of 4 other figures changed");
});

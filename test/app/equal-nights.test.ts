import { expect, test } from "vitest";
import { randomStream } from "../../src/lib/random.ts";
import { nightsOf, tellYear, worseOf, yearOf } from "../bench/simulation/equal-nights.ts";
import { often } from "../often.ts";
import { suite, temporaryDatabase } from "../store/batch.ts";

const same = { won: 0, lost: 0 };
const lost = { won: 0, lost: 6 };
const nightOf = nightsOf(100);

test("a loss that goes on is told when it is new and when it is over", () => {
  const tell = (year: readonly { won: number; lost: number }[]): number =>
    tellYear(temporaryDatabase(), { suite, nightOf }, year);
  expect(nightOf(lost).word).toBe("worse");
  expect(worseOf([same, lost, lost, same], nightOf)).toBe(2);
  expect(tell([same, lost, lost, lost, same, same])).toBe(2);
  expect(tell([same, same])).toBe(0);
});

test("equal bots send at most four notices of WORSE a year in the mean", () => {
  const years = often(60, 600);
  const random = randomStream("equal nights");
  const sheet = { cases: 100, differ: 0.1, against: "anew" as const };
  const worse = Array.from({ length: years }, () => worseOf(yearOf(sheet, random), nightOf));
  const mean = worse.reduce((sum, count) => sum + count, 0) / years;
  // 3.0 are counted; a year varies by 1.7, and three standard errors of so many years are let through.
  expect(mean).toBeLessThanOrEqual(4 + (3 * 1.7) / Math.sqrt(years));
  expect(mean).toBeGreaterThan(1);
});

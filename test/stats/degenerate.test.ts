import { describe, expect, test } from "vitest";
import { betaCdf, tCdf } from "./oracles/cumulative.ts";
import { meanDifferences } from "./oracles/mean-differences.ts";
import { nightlyFalseAlarm, perNightAlpha } from "../../src/stats/planning/nights.ts";
import { noncentralTSurvival } from "../../src/stats/distributions/noncentral-t.ts";
import { normalCdf } from "../../src/stats/distributions/normal.ts";
import { wilsonInterval } from "../../src/stats/paired/proportion.ts";
import { passAtK, passHatK } from "../../src/stats/planning/repeats.ts";
import { tSurvival } from "../../src/stats/distributions/student-t.ts";

describe("what nothing is known of has a defined answer", () => {
  test("without degrees of freedom a t lies on either side", () => {
    expect([tCdf(0, 0), tCdf(2, 0), tCdf(-2, 0), tSurvival(2, 0)]).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect(noncentralTSurvival(-1, 0, -0.7)).toBe(normalCdf(-0.7));
    expect(noncentralTSurvival(1, 0, 0.7)).toBe(normalCdf(0.7));
    // The limit for ever fewer degrees of freedom.
    expect(tCdf(2, 1e-6)).toBeCloseTo(0.5, 4);
  });

  test("a beta distribution without a parameter lies at its ends", () => {
    expect([betaCdf(0.5, 0, 0), betaCdf(0.5, 0, 2), betaCdf(0.5, 2, 0)]).toEqual([0.5, 1, 0]);
  });

  test("alpha over no nights is not spent", () => {
    expect([perNightAlpha(0.05, 0), perNightAlpha(0, 0), nightlyFalseAlarm(0.05, 0)]).toEqual([0.05, 0, 0]);
  });

  test("a rate beyond its ends by a rounding is one at its end, and one of nothing is none", () => {
    expect(wilsonInterval(10.000000000000002, 10, 0.95)).toEqual(wilsonInterval(10, 10, 0.95));
    expect(wilsonInterval(-1e-17, 10, 0.95)).toEqual(wilsonInterval(0, 10, 0.95));
    expect([
      wilsonInterval(0, 0, 0.95),
      wilsonInterval(0, Number.NaN, 0.95),
      wilsonInterval(Number.NaN, 3, 0.95),
    ]).toEqual([null, null, null]);
  });

  test("runs that are no numbers pass with no chance that could be told", () => {
    expect([passAtK(1, Number.NaN, 1), passHatK(Number.NaN, 1, 1), passAtK(3, 1, Number.NaN)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(meanDifferences([], [])).toHaveLength(0);
    expect(meanDifferences([1], [])).toHaveLength(0);
  });
});

import { comparePairs } from "./compare-pairs.ts";
import { describe, expect, test } from "vitest";
import { fewestToPass } from "../../src/stats/planning/gate-power.ts";
import { fewestGained, fewestLost } from "../../src/stats/planning/reach.ts";

const levels = { margin: 0.05, alpha: 0.05, passAlpha: 0.05 };

/** p of a pass by the rule of the comparison, with none of so many cases worse. */
function equal(cases: number, alpha: number, isSingle = true): number {
  const counts = isSingle ? { bothPass: cases, onlyA: 0, onlyB: 0, bothFail: 0 } : null;
  const data = { differences: new Float64Array(cases), clusters: null, counts, range: 1, isRate: true as const };
  return comparePairs(data, { margin: 0.05, confidence: 1 - alpha }).pPass ?? 1;
}

describe("what so many cases can show", () => {
  test("is what the gate then says: the fewest that newly fail, or newly pass, none the other way", () => {
    expect([12, 40, 58].map((cases) => fewestLost({ cases, isSingle: true }, levels))).toEqual([4, 6, 7]);
    expect(fewestGained({ cases: 40, isSingle: true }, { ...levels, shownAlpha: 0.05 })).toBe(5);
    expect(fewestLost({ cases: 4, isSingle: true }, levels)).toBeNull();
    // Several runs are averaged, and another test judges them.
    expect(fewestLost({ cases: 58, isSingle: false }, levels)).toBe(8);
    expect(fewestLost({ cases: 40, isSingle: true }, { ...levels, alpha: 0.01 })).toBe(8);
  });

  test.each([
    [0.05, 59],
    [0.03, 69],
    [0.01, 103],
  ])("at a level of %d a pass with none worse takes %i cases, by every rule of equal cases", (alpha, fewest) => {
    expect(fewestToPass(0.05, alpha)).toBe(fewest);
    for (const isSingle of [true, false]) {
      expect(equal(fewest, alpha, isSingle)).toBeLessThanOrEqual(alpha);
      expect(equal(fewest - 1, alpha, isSingle)).toBeGreaterThan(alpha);
    }
  });
});

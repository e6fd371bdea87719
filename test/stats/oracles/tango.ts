import { normalCdf, normalQuantile, normalSurvival, twoSidedZ } from "../../../src/stats/distributions/normal.ts";
import type { Interval } from "../../../src/stats/interval.ts";
import { countedCases, scoreBound, scoreStatistic } from "../../../src/stats/paired/exact-score.ts";
import type { PairedCounts } from "../../../src/stats/paired/mcnemar.ts";

/** T. Tango's score test of pA - pB = delta, by the normal distribution alone. */
export function tangoTest(counts: PairedCounts, delta: number): { z: number; pGreater: number; pLess: number } {
  const z = scoreStatistic(counts, delta);
  return { z, pGreater: normalSurvival(z), pLess: normalCdf(z) };
}

/** His interval of pA - pB: the differences that the score test does not reject. Null without cases. */
export function tangoInterval(counts: PairedCounts, level: number): Interval | null {
  const z = twoSidedZ(level);
  return countedCases(counts) === 0 ? null : { low: scoreBound(counts, z), high: scoreBound(counts, -z) };
}

/** One-sided bounds of pA - pB by the same test, each at this confidence. */
export function tangoBounds(counts: PairedCounts, confidence: number): { lower: number; upper: number } {
  const z = normalQuantile(confidence);
  return { lower: scoreBound(counts, z), upper: scoreBound(counts, -z) };
}

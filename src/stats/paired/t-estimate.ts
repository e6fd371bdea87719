import type { NothingInferred } from "../clusters.ts";
import type { Bounds, Interval } from "../interval.ts";
import { chance } from "./mcnemar.ts";
import { tQuantile, tSurvival } from "../distributions/student-t.ts";
import { finite } from "../sum.ts";

/** A mean with a standard error and degrees of freedom, from which Student's t infers. */
export interface TEstimate {
  /** Null without cases. */
  mean: number | null;
  /** Null where there is too little to estimate it from; 0 when all values are alike. */
  se: number | null;
  df: number;
  /** Why something is missing; null when all is well. */
  reason: NothingInferred | null;
}

/** A test of the mean against a value. All null where it cannot be estimated. */
export interface TTest {
  twoSided: number | null;
  /** p value for H0: the mean is at most the value. */
  pGreater: number | null;
  /** p value for H0: the mean is at least the value. */
  pLess: number | null;
}

/** Tests the mean against a value. Values that are all alike leave no doubt: p is 1, or as small as a number can be. */
export function tTest({ mean, se, df }: TEstimate, value: number): TTest {
  if (mean === null || se === null) return { twoSided: null, pGreater: null, pLess: null };
  if (se === 0) return withoutVariation(mean - value);
  const t = finite((mean - value) / se);
  return {
    twoSided: chance(2 * tSurvival(Math.abs(t), df)),
    pGreater: chance(tSurvival(t, df)),
    pLess: chance(tSurvival(-t, df)),
  };
}

/** Two-sided interval of the mean; a point when there is no variation. */
export function tInterval({ mean, se, df }: TEstimate, level: number): Interval | null {
  if (mean === null || se === null) return null;
  const half = se === 0 ? 0 : tQuantile((1 + level) / 2, df) * se;
  return { low: finite(mean - half), high: finite(mean + half) };
}

/** One-sided bounds of the mean, each at this confidence. */
export function tBounds({ mean, se, df }: TEstimate, confidence: number): Bounds {
  if (mean === null || se === null) return { lower: null, upper: null };
  const half = se === 0 ? 0 : tQuantile(confidence, df) * se;
  return { lower: finite(mean - half), upper: finite(mean + half) };
}

function withoutVariation(difference: number): TTest {
  return {
    twoSided: certainty(difference === 0),
    pGreater: certainty(difference <= 0),
    pLess: certainty(difference >= 0),
  };
}

function certainty(supposed: boolean): number {
  return supposed ? 1 : Number.MIN_VALUE;
}

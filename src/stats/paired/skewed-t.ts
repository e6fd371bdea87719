import type { ClusterEstimate } from "./cluster-t.ts";
import { chance } from "./mcnemar.ts";
import type { Method } from "./method.ts";
import { tQuantile, tSurvival } from "../distributions/student-t.ts";
import { tTest } from "./t-estimate.ts";
import { finite } from "../sum.ts";

/**
 * Student's t corrected for the skewness of what is averaged (P. Hall 1992): with w = t / sqrt(C) and skewness g the
 * statistic is sqrt(C) (w + g w^2 / 3 + g^2 w^3 / 27 + g / (6 C)), which rises with w. Where rare large drops carry a
 * difference, t is far too ready to say that there is none; this is not. Null without variation.
 */
export function skewedMethod(estimate: ClusterEstimate, shortfall: Shortfall): Method | null {
  const { mean, se, clusters, df } = estimate;
  const g = skewnessOf(estimate, shortfall);
  if (mean === null || se === null || se === 0 || g === null) return null;
  const root = Math.sqrt(clusters);
  const shift = g / (6 * clusters);
  // Without skewness the cube divides nothing by nothing.
  const isEven = Math.abs(g) < 1e-6;
  const corrected = (supposed: number): number => {
    const w = (tTest(estimate, supposed).t ?? 0) / root;
    return finite(root * ((isEven ? w : ((1 + (g * w) / 3) ** 3 - 1) / g) + shift));
  };
  // Hall's statistic turned round: the w at which it is as large as this quantile.
  const turned = (quantile: number): number => {
    const y = quantile / root - shift;
    return isEven ? y : (3 / g) * (Math.cbrt(1 + g * y) - 1);
  };
  const at = (confidence: number): number => finite(mean - root * turned(tQuantile(confidence, df)) * se);
  return {
    against: (supposed) => {
      const t = corrected(supposed);
      return { pGreater: chance(tSurvival(t, df)), pLess: chance(tSurvival(-t, df)) };
    },
    lower: at,
    upper: (confidence) => at(1 - confidence),
  };
}

/** Size of the true skewness beside that of the values. */
export interface Shortfall {
  /** Corrected for the number of values, as usual. */
  corrected: boolean;
  times: number;
}

/** A score with bounds has no tail that is longer than its scale. */
export const asSeen: Shortfall = { corrected: false, times: 1 };
/**
 * Few values of a long tail rarely hold its end, so that their skewness falls short of the true one: for scores without
 * bounds it is taken to be so many times as large, and a little more below 20 values. Both were measured: see the log-normal
 * differences in docs/reference/statistics.md.
 */
export const longTail: Shortfall = { corrected: true, times: 1.75 };
export const fewValues: Shortfall = { corrected: true, times: 2 };

function skewnessOf({ skewness, clusters }: ClusterEstimate, { corrected, times }: Shortfall): number | null {
  if (skewness === null || !corrected || clusters < 3) return skewness;
  return (times * skewness * Math.sqrt(clusters * (clusters - 1))) / (clusters - 2);
}

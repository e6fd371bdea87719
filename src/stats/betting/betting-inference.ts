import { type Clustered, clusterTotals } from "../clusters.ts";
import { clusterEstimate } from "../paired/cluster-t.ts";
import type { Inference } from "../paired/inference.ts";
import { type EnteredClusters, bettingMethod } from "./betting-method.ts";

/** Differences of cases that were looked at while they came in. */
export interface BettingData {
  differences: Float64Array;
  /** Number of each case's cluster, from 0 without gaps, in the order in which the clusters entered. */
  clusters: Int32Array;
  /** The most cases that a cluster of the plan has. */
  most: number;
  /** The most that a case can differ by. */
  range: number;
}

/**
 * Infers from cases at which somebody looked again and again: every p value and every interval holds at any time, also
 * where the run was stopped because of what was seen.
 */
export function bettingInference({ differences, clusters, most, range }: BettingData): Inference {
  const clustered = clusterTotals(differences, clusters);
  const { mean, clusters: count, effectiveClusters, df } = clusterEstimate(clustered);
  const method = bettingMethod(enteredOf(clustered, most, range));
  const { pGreater, pLess } = method.against(0);
  return {
    n: clustered.n,
    clusters: count,
    effectiveClusters,
    estimate: mean,
    se: null,
    df,
    skewness: null,
    test: "betting",
    intervalBy: "betting",
    p: Math.min(1, 2 * Math.min(pGreater ?? 1, pLess ?? 1)),
    interval(level) {
      const side = (1 + level) / 2;
      const [low, high] = [method.lower(side, 0), method.upper(side, 0)];
      // Cases that contradict those before them, as happens once in a while, leave no interval.
      return low === null || high === null || low > high ? null : { low, high };
    },
    rule: { first: method, stricter: null },
    why: "it was looked at after each case, so that the run could stop when it was decided",
    reason: clustered.n === 0 ? "there is no case to compare" : null,
    median: null,
    clustered,
  };
}

function enteredOf({ sums, sizes, scale }: Clustered, most: number, range: number): EnteredClusters {
  return { sums: scale === 1 ? sums : sums.map((sum) => sum * scale), sizes, most, range };
}

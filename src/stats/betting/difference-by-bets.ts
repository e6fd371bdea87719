import { type Clustered, clusterTotals } from "../clusters.ts";
import { type PairedDifference, judgedBy, type Method } from "../difference.ts";
import { clusterEstimate } from "../paired/cluster-t.ts";
import { openBets, pOfBest } from "./bets.ts";

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
 * Infers from cases that were looked at again and again: every p value and every interval holds at any time, also
 * where the run was stopped because of what was seen.
 */
export function differenceByBets({ differences, clusters, most, range }: BettingData): PairedDifference {
  const clustered = clusterTotals(differences, clusters);
  const { mean, clusters: count, effectiveClusters, df } = clusterEstimate(clustered);
  return {
    n: clustered.n,
    clusters: count,
    effectiveClusters,
    estimate: mean,
    se: null,
    df,
    skewness: null,
    test: "betting",
    ...judgedBy(bettingMethod(enteredOf(clustered, most, range))),
    ofPass: [],
    oneMore: null,
    reason: clustered.n === 0 ? { kind: "no-row" } : null,
    counts: null,
    clustered,
    sorted: null,
  };
}

function enteredOf({ sums, sizes, scale }: Clustered, most: number, range: number): EnteredClusters {
  return { sums: scale === 1 ? sums : sums.map((sum) => sum * scale), sizes, most, range };
}

/** Clusters in the order in which they entered. */
interface EnteredClusters extends Pick<Clustered, "sums" | "sizes">, Pick<BettingData, "most" | "range"> {}

/** Halvings of the scale between its two ends: a bound is right to the last digits that are ever shown. */
const halvings = 48;

/**
 * The test by betting for any supposed difference. A p value is that of the most that a player ever had, and so holds at
 * any time; a bound is where the players stop to win, so that bounds and p values never contradict each other.
 */
export function bettingMethod(entered: EnteredClusters): Method {
  const { range } = entered;
  const bestAt = (supposed: number) => bestOf(entered, supposed / range);
  return {
    p(supposed) {
      const { pass, regression } = bestAt(supposed);
      return { greater: pOfBest(pass), less: pOfBest(regression) };
    },
    lower(confidence) {
      const needed = -Math.log(1 - confidence);
      return range * lastRejected((share) => bestOf(entered, share).pass >= needed);
    },
    upper(confidence) {
      const needed = -Math.log(1 - confidence);
      return -range * lastRejected((share) => bestOf(entered, -share).regression >= needed);
    },
  };
}

function bestOf({ sums, sizes, most, range }: EnteredClusters, supposed: number) {
  const bets = openBets({ margin: Math.min(1, Math.max(-1, -supposed)), most });
  for (let cluster = 0; cluster < sums.length; cluster++) {
    bets.add((sums[cluster] ?? 0) / range, sizes[cluster] ?? 0);
  }
  return bets.best();
}

/** The largest of what is rejected from -1 on: capital only grows with the distance. */
function lastRejected(isRejected: (share: number) => boolean): number {
  let [low, high] = [-1, 1];
  for (let half = 0; half < halvings; half++) {
    const middle = (low + high) / 2;
    if (isRejected(middle)) low = middle;
    else high = middle;
  }
  return low;
}

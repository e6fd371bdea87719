import type { Method, OneSided } from "../paired/method.ts";
import { openBets, pOfBest } from "./bets.ts";

/** Clusters in the order in which they entered. */
export interface EnteredClusters {
  /** Sum of the differences of each, and the number of its cases. */
  sums: Float64Array;
  sizes: Float64Array;
  /** The most cases that a cluster of the plan has. */
  most: number;
  /** The most that a case can differ by, 1 for a pass rate. */
  range: number;
}

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
    against(supposed): OneSided {
      const { pass, regression } = bestAt(supposed);
      return { pGreater: pOfBest(pass), pLess: pOfBest(regression) };
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

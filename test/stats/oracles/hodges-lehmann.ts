import type { Interval } from "../../../src/stats/interval.ts";
import { twoSidedZ } from "../../../src/stats/distributions/normal.ts";
import { wilcoxonSignedRank } from "./wilcoxon.ts";

/** Number of differences up to which the interval is exact. */
const exactDifferences = 300;

export interface HodgesLehmann {
  /** Median of the means of all pairs of differences; null of nothing, and of what is not finite. */
  estimate: number | null;
  /** Null of nothing, or where so few differences allow no such level. */
  interval: Interval | null;
  /** p value of the signed-rank test, exact if it can be. */
  p: number | null;
}

/**
 * J. Hodges and E. Lehmann's estimate (1963) of a typical difference, with the interval that inverts the signed-rank
 * test: between two of the sorted means of pairs (Walsh averages). They are found by counting, not by making them all.
 */
export function hodgesLehmann(differences: Float64Array, level = 0.95): HodgesLehmann {
  const n = differences.length;
  const { exact, normalCorrected } = wilcoxonSignedRank(differences);
  if (n === 0 || normalCorrected === null) return { estimate: null, interval: null, p: null };
  const sorted = differences.toSorted();
  const pairs = (n * (n + 1)) / 2;
  const low = walsh(sorted, Math.floor((pairs + 1) / 2));
  const high = walsh(sorted, Math.floor(pairs / 2) + 1);
  const rank = lowRank(n, level);
  return {
    estimate: low / 2 + high / 2,
    interval: rank === null ? null : { low: walsh(sorted, rank), high: walsh(sorted, pairs + 1 - rank) },
    p: exact ?? normalCorrected,
  };
}

/** Rank of the sorted Walsh average that is the lower end: the quantile of the signed-rank statistic without ties. */
function lowRank(n: number, level: number): number | null {
  const tail = (1 - level) / 2;
  if (n > exactDifferences) {
    const mean = (n * (n + 1)) / 4;
    return Math.max(1, Math.round(mean - twoSidedZ(level) * Math.sqrt((mean * (2 * n + 1)) / 6)));
  }
  const chances = new Float64Array((n * (n + 1)) / 2 + 1);
  chances[0] = 1;
  for (let rank = 1, reached = 0; rank <= n; rank++) {
    reached += rank;
    for (let at = reached; at >= 0; at--) {
      chances[at] = ((chances[at] ?? 0) + (at >= rank ? (chances[at - rank] ?? 0) : 0)) / 2;
    }
  }
  let below = 0;
  let quantile = 0;
  while (below + (chances[quantile] ?? 1) < tail * (1 - 1e-12)) below += chances[quantile++] ?? 1;
  return quantile === 0 && (chances[0] ?? 1) > tail ? null : Math.max(1, quantile);
}

/** The k-th smallest mean of two differences (k from 1): bisection of the value, and then the nearest mean itself. */
function walsh(sorted: Float64Array, k: number): number {
  let low = sorted[0] ?? 0;
  let high = sorted.at(-1) ?? 0;
  const close = 1e-16 * Math.max(Math.abs(low), Math.abs(high));
  if (countUpTo(sorted, low) >= k) return low;
  while (high - low > close) {
    const middle = low / 2 + high / 2;
    if (middle <= low || middle >= high) break;
    if (countUpTo(sorted, middle) >= k) high = middle;
    else low = middle;
  }
  return Math.abs(high) <= 2 * close ? 0 : high;
}

/** Pairs i <= j whose mean is at most a value: as i grows, fewer j fit. */
function countUpTo(sorted: Float64Array, value: number): number {
  let count = 0;
  let last = sorted.length - 1;
  for (let first = 0; first <= last; first++) {
    while (last >= first && (sorted[first] ?? 0) / 2 + (sorted[last] ?? 0) / 2 > value) last -= 1;
    count += last - first + 1;
  }
  return count;
}

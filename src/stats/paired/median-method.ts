import { binomialCdf } from "../distributions/binomial.ts";
import type { Interval } from "../interval.ts";
import type { Method } from "./method.ts";
import { chance, mcNemar } from "./mcnemar.ts";
import { quantile } from "../quantile.ts";

/** The median of differences with the sign test and the interval that it gives; values sorted ascending. */
export interface MedianEstimate {
  n: number;
  median: number | null;
  sorted: Float64Array;
}

export function medianEstimate(values: Float64Array): MedianEstimate {
  const sorted = values.toSorted();
  return { n: values.length, median: quantile(sorted, 0.5), sorted };
}

/**
 * Sign test of H0: the median is on one side of a supposed value; the chance that so few of n values lie beyond it
 * (W. Dixon and A. Mood 1946). A value equal to it counts against the claim, so that the bounds are order statistics
 * (W. R. Thompson 1936) and hold for any distribution, however skewed.
 */
export function medianMethod({ n, sorted }: MedianEstimate): Method {
  const atMost = (x: number): number => firstPlace(n, (place) => (sorted[place] ?? 0) > x);
  const below = (x: number): number => firstPlace(n, (place) => (sorted[place] ?? 0) >= x);
  const tail = (count: number): number => chance(binomialCdf(count, n, 0.5));
  /** Values that may lie beyond a bound: the most whose chance is small enough; -1 where not even none is. */
  const rare = (confidence: number): number =>
    firstPlace(n, (count) => binomialCdf(count, n, 0.5) > 1 - confidence) - 1;
  return {
    against: (supposed) => ({ pGreater: tail(atMost(supposed)), pLess: tail(n - below(supposed)) }),
    lower: (confidence) => {
      const count = rare(confidence);
      return count < 0 ? null : (sorted[count] ?? null);
    },
    upper: (confidence) => {
      const count = rare(confidence);
      return count < 0 ? null : (sorted[n - 1 - count] ?? null);
    },
  };
}

/** Two-sided p value for H0: the median is 0, by the exact sign test, which is McNemar's. Values of 0 say nothing of the direction. */
export function medianP({ n, sorted }: MedianEstimate): number | null {
  if (n === 0) return null;
  const [losses, wins] = [sorted.filter((value) => value < 0).length, sorted.filter((value) => value > 0).length];
  return mcNemar({ onlyA: wins, onlyB: losses }).exact;
}

export function medianInterval(estimate: MedianEstimate, level: number): Interval | null {
  const { lower, upper } = medianMethod(estimate);
  const [low, high] = [lower((1 + level) / 2, 0), upper((1 + level) / 2, 0)];
  return low === null || high === null ? null : { low, high };
}

/** The first place from 0 for which it holds, and so for all after it; n where there is none. */
function firstPlace(n: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, n];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

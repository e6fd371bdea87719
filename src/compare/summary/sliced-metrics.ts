import type { PairedDifference } from "../../stats/difference.ts";
import type { ComparedMetric } from "../comparison-plan.ts";
import type { CaseGroups } from "../metrics/metric-inference.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";
import type { PairResults } from "../tallies/pair-results.ts";
import type { Slice } from "../tallies/slices.ts";

/** The cases of a pair, and the slices of them. */
export interface SlicedResults extends Pick<PairResults, "slices">, CaseGroups {
  metrics: readonly Pick<MetricNumbers, "differences" | "single" | "sides">[];
}

/** A metric in one of its slices. */
export interface SlicedMetric {
  compared: ComparedMetric;
  numbers: SlicedResults["metrics"][number];
  slice: Slice;
}

/** A slice of fewer cases says nothing. */
export const leastCases = 2;

/** A slice that has a difference. Its interval takes time, and is only asked for where it is told. */
export interface JudgedSlice extends SlicedMetric {
  difference: PairedDifference;
  adjusted: number | null;
}

/** The slices that are looked at, by each metric that is primary or has a gate. */
export function slicedMetrics(metrics: readonly ComparedMetric[], results: SlicedResults): SlicedMetric[] {
  const slices = [...results.slices.alone, ...results.slices.pairs].filter(({ places }) => places.length >= leastCases);
  return metrics.flatMap((compared, place) => {
    const numbers = results.metrics[place];
    if (numbers === undefined || (!compared.metric.primary && compared.gates.length === 0)) return [];
    return slices.map((slice) => ({ compared, numbers, slice }));
  });
}

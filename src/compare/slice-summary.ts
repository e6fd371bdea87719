import { benjaminiHochberg } from "../stats/multiplicity.ts";
import { comparePairs } from "../stats/paired-comparison.ts";
import type { Interval } from "../stats/interval.ts";
import type { ComparedMetric } from "./lineup.ts";
import { pairedNumbers } from "./metric-summary.ts";
import type { PairResults } from "./pair-results.ts";

/** One metric in the cases with one value of a tag: exploring, not a gate. */
export interface SliceSummary {
  tag: string;
  value: string;
  metric: string;
  cases: number;
  /** Mean difference; positive is better. */
  difference: number | null;
  interval: Interval | null;
  worse: number;
  better: number;
  /** Two-sided, of no difference, and adjusted over all slices (Benjamini and Hochberg). */
  p: number | null;
  adjusted: number | null;
}

const mostSlices = 200;

/** Each value of each tag, for the metrics that are primary or have a gate; the least adjusted p first. */
export function sliceSummaries(metrics: readonly ComparedMetric[], results: PairResults, seed: string): SliceSummary[] {
  const found: Omit<SliceSummary, "adjusted">[] = [];
  for (const [place, compared] of metrics.entries()) {
    const numbers = results.metrics[place];
    if (numbers === undefined || (!compared.metric.primary && compared.gate === null)) continue;
    for (const { tag, value, has } of results.slices) {
      const given = { differences: numbers.differences, clusters: results.clusters, has };
      const paired = pairedNumbers(compared, numbers, given);
      if (paired.n === 0) continue;
      const { estimate, interval, p } = comparePairs(paired, { margin: 0, seed: `${seed}/${tag}/${value}` });
      const worse = paired.differences.filter((difference) => difference < 0).length;
      const better = paired.differences.filter((difference) => difference > 0).length;
      const about = { tag, value, metric: compared.metric.name, cases: paired.n };
      found.push({ ...about, difference: estimate, interval, worse, better, p });
    }
  }
  const adjusted = benjaminiHochberg(found.map(({ p }) => p));
  return found
    .map((slice, i) => ({ ...slice, adjusted: adjusted[i] ?? null }))
    .toSorted((a, b) => (a.adjusted ?? 2) - (b.adjusted ?? 2) || (a.p ?? 2) - (b.p ?? 2))
    .slice(0, mostSlices);
}

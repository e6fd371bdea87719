import { beyondNoise } from "../../stats/paired/beyond-noise.ts";
import { clusterCodes } from "../../stats/clusters.ts";
import { benjaminiHochberg } from "../../stats/multiplicity.ts";
import type { Interval } from "../../stats/interval.ts";
import type { ComparedMetric, MeasureOf } from "../comparison-plan.ts";
import type { StopRule } from "../stop-rule.ts";
import { inferredUnder, pairedNumbers } from "./metric-inference.ts";
import type { PairResults } from "../tallies/pair-results.ts";
import { sideFigure } from "./side-figure.ts";

/** One metric in the cases with one value of a tag: exploring, not a gate. */
export interface SliceSummary {
  tag: string;
  value: string;
  metric: string;
  of: MeasureOf;
  cases: number;
  /** Means of the two sides, or medians where these are compared. */
  baseline: number | null;
  now: number | null;
  /** Mean difference; positive is better. For a ratio it is one of logarithms. */
  difference: number | null;
  interval: Interval | null;
  worse: number;
  better: number;
  /** Two-sided, of no difference, and adjusted over all slices (Benjamini and Hochberg). */
  p: number | null;
  adjusted: number | null;
}

/** Cases with one value of a tag, and whether their behaviour changed: exploring, too. */
export interface BehaviourSlice {
  tag: string;
  value: string;
  /** Number of cases in which the baseline's own variation is known. */
  cases: number;
  /**
   * Number of cases in which only the candidate differs from the baseline, and in which only the baseline differs from
   * itself.
   */
  rawOnly: number;
  noiseOnly: number;
  /** One-sided, and adjusted over all slices (Benjamini and Hochberg). */
  p: number;
  adjusted: number;
}

const mostSlices = 200;
/** A slice of fewer cases says nothing. */
const leastCases = 2;

/** Each value of each tag, for the metrics that are primary or have a gate; the least adjusted p first. */
export function sliceSummaries(
  metrics: readonly ComparedMetric[],
  results: PairResults,
  { seed, stop, chosen }: { seed: string; stop: StopRule | null; chosen: string | null },
): SliceSummary[] {
  const found: Omit<SliceSummary, "adjusted">[] = [];
  for (const [place, compared] of metrics.entries()) {
    const numbers = results.metrics[place];
    if (numbers === undefined || (!compared.metric.primary && compared.gates.length === 0)) continue;
    for (const { tag, value, has, cases } of results.slices) {
      if (cases < leastCases) continue;
      const given = { differences: numbers.differences, clusters: results.clusters, sent: results.sent, has };
      const paired = pairedNumbers(compared, numbers, given);
      const options = { margin: 0, seed: `${seed}/${tag}/${value}`, second: false, decides: false };
      const inferred = paired.n === 0 ? null : inferredUnder({ stop, chosen }, { compared, paired, given }, options);
      if (inferred === null) continue;
      const { estimate, interval, p } = inferred.comparison;
      const worse = paired.differences.filter((difference) => difference < 0).length;
      const better = paired.differences.filter((difference) => difference > 0).length;
      const [baseline, now] = (["baseline", "candidate"] as const).map((side) =>
        sideFigure(compared, numbers, { side, has }),
      );
      const sides = { baseline: baseline ?? null, now: now ?? null };
      const about = { tag, value, metric: compared.metric.name, of: compared.of, cases: paired.n, ...sides };
      found.push({ ...about, difference: estimate, interval, worse, better, p });
    }
  }
  const adjusted = benjaminiHochberg(found.map(({ p }) => p));
  return found
    .map((slice, i) => ({ ...slice, adjusted: adjusted[i] ?? null }))
    .toSorted((a, b) => (a.adjusted ?? 2) - (b.adjusted ?? 2) || (a.p ?? 2) - (b.p ?? 2))
    .slice(0, mostSlices);
}

/** Each value of each tag: is the candidate more different from the baseline than the baseline from itself? */
export function behaviourSlices({ slices, behaves, clusters }: PairResults, seed: string): BehaviourSlice[] {
  const found = slices.flatMap(({ tag, value, has, cases }) => {
    if (cases < leastCases) return [];
    const places = Array.from(behaves.keys()).filter((place) => has(place) && !Number.isNaN(behaves[place]));
    if (places.length === 0) return [];
    const values = Float64Array.from(places, (place) => behaves[place] ?? 0);
    const codes = clusters === null ? null : clusterCodes(places.map((place) => clusters[place] ?? 0));
    const rawOnly = values.filter((each) => each > 0).length;
    const noiseOnly = values.filter((each) => each < 0).length;
    const p = beyondNoise(values, codes, `${seed}/${tag}/${value}`);
    return [{ tag, value, cases: places.length, rawOnly, noiseOnly, p }];
  });
  const adjusted = benjaminiHochberg(found.map(({ p }) => p));
  return found
    .map((slice, i) => ({ ...slice, adjusted: adjusted[i] ?? slice.p }))
    .toSorted((a, b) => a.adjusted - b.adjusted || a.p - b.p)
    .slice(0, mostSlices);
}

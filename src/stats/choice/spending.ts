import { clusterEstimate } from "../paired/cluster-t.ts";
import { tInterval } from "../paired/t-estimate.ts";
import { clusterCodes, clusterTotals } from "../clusters.ts";
import type { Interval } from "../interval.ts";

/** Something that is spent on each case, such as money or time, by many configurations; NaN where it is not known. */
export interface SpentByCase {
  values: readonly Float64Array[];
  /** Number of each case's cluster, from 0 without gaps; null: each case is its own. */
  clusters: Int32Array | null;
}

/** One configuration spends so many times as much as another. */
interface SpendingRatio {
  /** That of the usual case: by the mean of the logarithms of the ratios. */
  ratio: number;
  interval: Interval;
  /** Cases that the two have a figure of. */
  cases: number;
}

export interface Spending {
  /** For each configuration the mean of a case, with its 95 % interval by clusters; null: not known of any case. */
  means: ({ mean: number; interval: Interval | null } | null)[];
  /** The spending of one in the cases that another has a figure of too, times that of the other; null: it cannot be told. */
  ratio: (of: number, to: number, level: number) => SpendingRatio | null;
}

/** Compares the spending of many configurations by pairs: the logarithms of their ratios case by case, by clusters. */
export function spendingOf({ values, clusters }: SpentByCase): Spending {
  const logs = values.map((own) => own.map((value) => (value > 0 ? Math.log(value) : Number.NaN)));
  const constants = values.map(constantOf);
  return {
    means: values.map((own) => {
      const known = knownOf(own, clusters);
      if (known.values.length === 0) return null;
      const estimate = clusterEstimate(clusterTotals(known.values, known.clusters));
      const { mean } = estimate;
      const interval = tInterval(estimate, 0.95);
      return mean === null ? null : { mean, interval: interval && { ...interval, low: Math.max(0, interval.low) } };
    }),
    ratio(of, to, level) {
      const [one, other] = [constants[of] ?? null, constants[to] ?? null];
      if (one !== null && other !== null) return constantRatio(one, other, values[of]?.length ?? 0);
      const [from, against] = [logs[of], logs[to]];
      if (from === undefined || against === undefined) return null;
      const known = knownOf(
        from.map((value, place) => value - (against[place] ?? Number.NaN)),
        clusters,
      );
      const estimate = clusterEstimate(clusterTotals(known.values, known.clusters));
      const interval = tInterval(estimate, level);
      if (estimate.mean === null || interval === null) return null;
      return {
        ratio: Math.exp(estimate.mean),
        interval: { low: Math.exp(interval.low), high: Math.exp(interval.high) },
        cases: known.values.length,
      };
    },
  };
}

/** The spending on every case, where that is the same on all of them; else null. */
function constantOf(values: Float64Array): number | null {
  const [first] = values;
  return first === undefined || !values.every((value) => value === first) ? null : first;
}

/** Two that do not vary leave no doubt; what is for free is the same as what is for free too. */
function constantRatio(one: number, other: number, cases: number): SpendingRatio {
  const ratio = one === other ? 1 : one / other;
  return { ratio, interval: { low: ratio, high: ratio }, cases };
}

/** The cases with a figure, and their clusters numbered anew. */
function knownOf(
  values: Float64Array,
  clusters: Int32Array | null,
): { values: Float64Array; clusters: Int32Array | null } {
  if (!values.some(Number.isNaN)) return { values, clusters };
  const places = Array.from(values, (_, place) => place).filter((place) => !Number.isNaN(values[place]));
  return {
    values: Float64Array.from(places, (place) => values[place] ?? 0),
    clusters: clusters === null ? null : clusterCodes(places.map((place) => clusters[place] ?? 0)),
  };
}

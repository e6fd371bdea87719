import type { TEstimate } from "../paired/t-estimate.ts";
import { largest, sum, sumOf } from "../sum.ts";

/** Clusters below which nothing is said of a mean. */
const fewest = 5;

/** Two pseudo clusters of mean size, r m and -r m, in units of the mean: m / n is 1 / C. */
const pseudoError = (range: number | null, clusters: number): number => (Math.SQRT2 * (range ?? 0)) / clusters;

/** A weighted difference of configurations, added up by cluster; sizes are 0 where a cluster has no case. */
export interface ContrastSums {
  sums: Float64Array;
  /** Cases of each cluster. */
  sizes: Float64Array;
}

/** Sums of a contrast over the cases of a part, and over all others, by the same clusters. */
interface PartSums {
  inside: ContrastSums;
  outside: ContrastSums;
  /** The most that a case can bring, 1 for pass or fail; null: there is no end. */
  range: number | null;
}

/** A contrast in a part, in all other cases, and their difference with its standard error. */
export interface PartContrast {
  inside: number;
  outside: number;
  difference: TEstimate;
}

/**
 * The contrast in a part of the cases less that in all others. A cluster may have cases of both: its residuals are taken together.
 * Each residual is made larger by as much as its cluster draws the mean of its side (CR2, Bell and McCaffrey 2002), degrees of
 * freedom are those of the side with fewer effective clusters, and the part gets two pseudo clusters. Null where a side has fewer
 * than five effective clusters, or where a score without ends does not vary.
 */
export function partContrast({ inside, outside, range }: PartSums): PartContrast | null {
  const [own, rest] = [sideOf(inside), sideOf(outside)];
  const effective = Math.min(own.effective, rest.effective);
  if (!(effective >= fewest)) return null;
  const squares = sumOf(inside.sizes.length, (cluster) => (own.residual(cluster) - rest.residual(cluster)) ** 2);
  const se = Math.hypot(Math.sqrt(squares), pseudoError(range, own.clusters));
  if (se <= 1e-13 * Math.max(largest(inside.sums), largest(outside.sums))) return null;
  const difference = { mean: own.mean - rest.mean, se, df: effective - 1, reason: null };
  return { inside: own.mean, outside: rest.mean, difference };
}

function sideOf({ sums, sizes }: PartSums["inside"]) {
  const n = sum(sizes);
  const mean = n === 0 ? 0 : sum(sums) / n;
  const squares = sumOf(sizes.length, (cluster) => (sizes[cluster] ?? 0) ** 2);
  return {
    mean,
    clusters: sizes.reduce((count, size) => (size > 0 ? count + 1 : count), 0),
    effective: squares === 0 ? 0 : (n / squares) * n,
    residual(cluster: number): number {
      const size = sizes[cluster] ?? 0;
      return size === 0 ? 0 : ((sums[cluster] ?? 0) - mean * size) / n / Math.sqrt(1 - size / n);
    },
  };
}

import { randomStream } from "../../../src/lib/random.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { resamplingUnits } from "../../../src/stats/blocks.ts";
import type { Clustered } from "../../../src/stats/clusters.ts";
import type { Interval } from "../../../src/stats/interval.ts";
import { normalCdf, normalQuantile } from "../../../src/stats/distributions/normal.ts";
import { quantile } from "../../../src/stats/quantile.ts";
import { largest, sum, sumOf } from "../../../src/stats/sum.ts";

const defaultResamples = 10_000;

/** The result of a bootstrap, before an interval is made of it. */
export interface Resampled {
  /** Estimate from the data as they are. */
  estimate: number;
  /** Estimates from the resamples, ascending. */
  replicates: Float64Array;
  /** Acceleration from the jackknife; 0 without skew. */
  acceleration: number;
  /** A note for the report; null when there is none. */
  note: string | null;
}

export interface BcaInterval {
  /** Correction for bias, in standard normal units. */
  z0: number;
  /** The quantiles of the replicates that became its ends. */
  alpha: { low: number; high: number };
  interval: Interval;
}

/** Mean differences of seeded resamples of whole clusters; above 20,000 of them of blocks. Null when there is nothing to resample. */
export function resampleMean(
  clustered: Clustered,
  { seed, resamples = defaultResamples }: { seed: string; resamples?: number },
): Resampled | null {
  if (clustered.reason !== null) return null;
  const random = randomStream(seed);
  const { sums, sizes, note } = resamplingUnits(clustered, random);
  const replicates = ratios({ sums, sizes }, random, resamples);
  const { scale } = clustered;
  if (scale !== 1) for (let index = 0; index < resamples; index++) replicates[index] = (replicates[index] ?? 0) * scale;
  const [total, size] = [sum(sums), sum(sizes)];
  return {
    estimate: (total / size) * scale,
    replicates: replicates.toSorted(),
    acceleration: accelerationOf(leaveOneOut({ sums, sizes }, total, size)),
    note,
  };
}

/** The interval between two quantiles of the replicates. */
export function percentileInterval(replicates: Float64Array, level: number): Interval {
  return {
    low: quantile(replicates, (1 - level) / 2) ?? 0,
    high: quantile(replicates, (1 + level) / 2) ?? 0,
  };
}

/**
 * B. Efron's bias-corrected and accelerated interval (1987; Efron and Tibshirani 1993, chapter 14). Where all
 * replicates lie on one side of the estimate there is no bias to correct by, and it is the percentile interval.
 */
export function bcaInterval({ estimate, replicates, acceleration }: Resampled, level: number): BcaInterval {
  const share = shareBelow(replicates, estimate);
  const tail = (1 - level) / 2;
  if (share <= 0 || share >= 1) {
    return { z0: 0, alpha: { low: tail, high: 1 - tail }, interval: percentileInterval(replicates, level) };
  }
  const z0 = normalQuantile(share);
  const corrected = (p: number): number => {
    const z = z0 + normalQuantile(p);
    const divisor = 1 - acceleration * z;
    // Past the pole of the correction only the end of the replicates is left.
    return divisor <= 0 ? Number(z > 0) : normalCdf(z0 + z / divisor);
  };
  const alpha = { low: corrected(tail), high: corrected(1 - tail) };
  return {
    z0,
    alpha,
    interval: { low: quantile(replicates, alpha.low) ?? 0, high: quantile(replicates, alpha.high) ?? 0 },
  };
}

/** a = sum (mean - theta_i)^3 / (6 (sum (mean - theta_i)^2)^1.5), of the estimates with one unit left out each. */
export function accelerationOf(leftOut: Float64Array): number {
  const centre = sum(leftOut) / leftOut.length;
  const most = largest(leftOut.map((value) => value - centre));
  if (!(most > 1e-13 * Math.abs(centre))) return 0;
  const squares = sumOf(leftOut.length, (index) => ((centre - (leftOut[index] ?? 0)) / most) ** 2);
  const cubes = sumOf(leftOut.length, (index) => ((centre - (leftOut[index] ?? 0)) / most) ** 3);
  return cubes / (6 * squares ** 1.5);
}

/** The share of replicates below the estimate, those that equal it but for rounding counted half. */
function shareBelow(sorted: Float64Array, estimate: number): number {
  const slack = 1e-12 * Math.max(Math.abs(sorted[0] ?? 0), Math.abs(sorted.at(-1) ?? 0));
  let below = 0;
  let equal = 0;
  for (const value of sorted) {
    if (value < estimate - slack) below += 1;
    else if (value <= estimate + slack) equal += 1;
  }
  return (below + equal / 2) / sorted.length;
}

interface Parts {
  sums: Float64Array;
  sizes: Float64Array;
}

/** The mean of each resample: the sum of the drawn units over the sum of their sizes. */
function ratios({ sums, sizes }: Parts, random: RandomStream, resamples: number): Float64Array {
  const count = sums.length;
  const drawn = new Uint32Array(count);
  const found = new Float64Array(resamples);
  const alike = sizes.every((size) => size === sizes[0]);
  for (let resample = 0; resample < resamples; resample++) {
    random.fillBelow(drawn, count);
    found[resample] = alike
      ? gathered(sums, drawn) / (count * (sizes[0] ?? 1))
      : gathered(sums, drawn) / gathered(sizes, drawn);
  }
  return found;
}

/** Four sums at once: they do not wait for each other, and the order is fixed. */
function gathered(values: Float64Array, drawn: Uint32Array): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = drawn.length & ~3;
  for (let index = 0; index < whole; index += 4) {
    a += values[drawn[index] ?? 0] ?? 0;
    b += values[drawn[index + 1] ?? 0] ?? 0;
    c += values[drawn[index + 2] ?? 0] ?? 0;
    d += values[drawn[index + 3] ?? 0] ?? 0;
  }
  for (let index = whole; index < drawn.length; index++) a += values[drawn[index] ?? 0] ?? 0;
  return a + b + (c + d);
}

function leaveOneOut({ sums, sizes }: Parts, total: number, size: number): Float64Array {
  if (sums.length < 2) return sums.map(() => total / size);
  return sums.map((value, index) => (total - value) / (size - (sizes[index] ?? 0)));
}

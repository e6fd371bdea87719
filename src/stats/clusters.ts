import { finite, largest, lostIn, scaleOf, sum, sumOf } from "./sum.ts";

/** Why nothing can be inferred of a difference; the last two are reasons of the caller. */
export type NothingInferred =
  | { kind: "no-row" }
  | { kind: "not-finite" }
  | { kind: "few-clusters"; clusters: number; fewest: number }
  | { kind: "few-for-interval"; clusters: number }
  | { kind: "few-for-slope"; points: number; clusters: number }
  | { kind: "no-variation" }
  | { kind: "chosen-rows"; batch: string }
  | { kind: "decided-early" };

/**
 * Differences of n cases, added up by cluster. Everything that is inferred from them needs no more than this: a
 * conversation is one observation, however many turns it has.
 */
export interface Clustered {
  /** Cases. */
  n: number;
  /** Sum of the differences of each cluster, divided by `scale`. */
  sums: Float64Array;
  /** Cases of each cluster. */
  sizes: Float64Array;
  /** Null without cases. */
  mean: number | null;
  /** Standard deviation of the cases, clusters ignored; null with fewer than two. */
  deviation: number | null;
  /** Divisor of the sums, a power of two: 1 for values of usual size. */
  scale: number;
  /** Largest absolute difference. */
  most: number;
  /** The reason why nothing can be inferred; null when something can. */
  reason: NothingInferred | null;
}

/**
 * Adds differences up by cluster. `clusters` holds the number of each case's cluster, from 0 without gaps (see
 * `clusterCodes`); null when every case is its own.
 */
export function clusterTotals(differences: Float64Array, clusters: Int32Array | null): Clustered {
  const n = differences.length;
  const most = largest(differences);
  const nothing = {
    n,
    sums: new Float64Array(0),
    sizes: new Float64Array(0),
    mean: null,
    deviation: null,
    scale: 1,
    most: 0,
  };
  if (n === 0) return { ...nothing, reason: { kind: "no-row" } };
  if (!Number.isFinite(most)) return { ...nothing, reason: { kind: "not-finite" } };
  const scale = scaleOf(most);
  const scaled = scale === 1 ? differences : differences.map((difference) => difference / scale);
  const { sums, sizes } =
    clusters === null ? { sums: scaled, sizes: new Float64Array(n).fill(1) } : added(scaled, clusters);
  const mean = sum(scaled) / n;
  const squares = sumOf(n, (index) => ((scaled[index] ?? 0) - mean) ** 2);
  const deviation = n < 2 ? null : finite(Math.sqrt(squares / (n - 1)) * scale);
  return { n, sums, sizes, mean: finite(mean * scale), deviation, scale, most, reason: null };
}

/** Numbers for the names of clusters, in the order in which they are met. */
export function clusterCodes(names: Iterable<string | number>): Int32Array {
  const codes = new Map<string | number, number>();
  return Int32Array.from(names, (name) => {
    const code = codes.get(name) ?? codes.size;
    codes.set(name, code);
    return code;
  });
}

/** Number of clusters that such numbers are of. */
export const clusterCount = (codes: Int32Array): number => codes.reduce((most, code) => Math.max(most, code + 1), 0);

function added(values: Float64Array, clusters: Int32Array): Pick<Clustered, "sums" | "sizes"> {
  const count = clusterCount(clusters);
  const sums = new Float64Array(count);
  const lost = new Float64Array(count);
  const sizes = new Float64Array(count);
  for (let index = 0; index < values.length; index++) {
    const cluster = clusters[index] ?? 0;
    const value = values[index] ?? 0;
    const total = sums[cluster] ?? 0;
    const next = total + value;
    lost[cluster] = (lost[cluster] ?? 0) + lostIn(total, value, next);
    sums[cluster] = next;
    sizes[cluster] = (sizes[cluster] ?? 0) + 1;
  }
  for (let cluster = 0; cluster < count; cluster++) sums[cluster] = (sums[cluster] ?? 0) + (lost[cluster] ?? 0);
  // A number without a case is no cluster: it must not count as one.
  const filled = (_: number, cluster: number): boolean => (sizes[cluster] ?? 0) > 0;
  return sizes.every(filled) ? { sums, sizes } : { sums: sums.filter(filled), sizes: sizes.filter(filled) };
}

import { type ContrastSums, partContrast, type PartContrast } from "../../stats/choice/contrast.ts";
import { clusterCodes, clusterCount } from "../../stats/clusters.ts";

/** Number of the unit that each case belongs to, from 0 without gaps; null: each case is its own. */
export type Units = { codes: Int32Array; count: number } | null;

export function unitsOf(clusters: Int32Array | null): Units {
  if (clusters === null) return null;
  const codes = clusterCodes(clusters);
  return { codes, count: clusterCount(codes) };
}

/** Adds up the values of some places by unit, without those that are missing. */
export function sumsAt(values: Float64Array, units: Units, places: Int32Array): ContrastSums {
  const count = units?.count ?? values.length;
  const [sums, sizes] = [new Float64Array(count), new Float64Array(count)];
  for (const place of places) {
    const value = values[place] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const unit = units?.codes[place] ?? place;
    sums[unit] = (sums[unit] ?? 0) + value;
    sizes[unit] = (sizes[unit] ?? 0) + 1;
  }
  return { sums, sizes };
}

/** A part of all cases against the others. `range`: the most that a case can bring; null: there is no end. */
export function contrastIn(inside: ContrastSums, all: ContrastSums, range: number | null): PartContrast | null {
  const outside = {
    sums: all.sums.map((sum, unit) => sum - (inside.sums[unit] ?? 0)),
    sizes: all.sizes.map((size, unit) => size - (inside.sizes[unit] ?? 0)),
  };
  return partContrast({ inside, outside, range });
}

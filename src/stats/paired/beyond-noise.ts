import { clusterTotals } from "../clusters.ts";
import { mcNemarOneSided } from "./mcnemar.ts";
import { relabelTally } from "../resampling/relabel.ts";

/**
 * Tests if something changes more often than it changes by itself. A case has `raw` (the candidate differs from the
 * baseline) less `noise` (the baseline differs from itself): 1, 0 or -1, in clusters or null when every case is its
 * own. One-sided p: exact McNemar; if clusters have several cases whole clusters are counted, by flipping their signs.
 * 1 when nothing differs.
 */
export function beyondNoise(rawLessNoise: Float64Array, clusters: Int32Array | null, seed: string): number {
  const { sums } = clusterTotals(rawLessNoise, clusters);
  // A cluster in which nothing differs, or as much as by itself, says nothing: flipping it changes nothing.
  const telling = sums.filter((total) => total !== 0);
  const size = Math.abs(telling[0] ?? 0);
  if (telling.every((total) => Math.abs(total) === size)) {
    const raw = telling.filter((total) => total > 0).length;
    return mcNemarOneSided({ raw, noise: telling.length - raw });
  }
  const flips = relabelTally();
  for (const total of telling) flips.add(Float64Array.of(total, -total), null);
  return flips.test(seed).greater.p ?? 1;
}

import { mcNemarOneSided } from "./mcnemar.ts";
import { relabelTally } from "../resampling/relabel.ts";

/**
 * Tests if something changes more often than it changes by itself. A case has `raw` (the candidate differs from the
 * baseline) less `noise` (the baseline differs from itself): 1, 0 or -1, added up by cluster. One-sided p: exact McNemar; where
 * clusters have several cases, by flipping the signs of whole clusters. 1 when nothing differs.
 */
export function beyondNoise(rawLessNoise: Float64Array, seed: string): number {
  // A cluster in which nothing differs, or as much as by itself, says nothing: flipping it changes nothing.
  const telling = rawLessNoise.filter((total) => total !== 0);
  const size = Math.abs(telling[0] ?? 0);
  if (telling.every((total) => Math.abs(total) === size)) {
    const raw = telling.filter((total) => total > 0).length;
    return mcNemarOneSided({ raw, noise: telling.length - raw });
  }
  const flips = relabelTally();
  for (const total of telling) flips.add(Float64Array.of(total, -total), null);
  return flips.test(seed).greater.p ?? 1;
}

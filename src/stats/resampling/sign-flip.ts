import { randomStream } from "../../lib/random.ts";
import { resamplingUnits } from "../blocks.ts";
import type { Clustered } from "../clusters.ts";
import type { Interval } from "../interval.ts";
import { exactFlips } from "./sign-flip-exact.ts";
import { drawnFlips } from "./sign-flip-drawn.ts";

/** Number of units up to which all 2^C patterns of signs are counted. */
const exactUnits = 20;

/** The sign-flip test of a mean difference, its p values and what inverting it gives. */
export interface SignFlip {
  patterns: number;
  /** All patterns were counted, none drawn. */
  exact: boolean;
  units: number;
  /** Tests H0: the mean is `shift`, and differences lie symmetrically about it. */
  test: (shift: number) => { count: number; twoSided: number; pGreater: number; pLess: number };
  /** One-sided bound; null where even the most extreme pattern is not rare enough. */
  lower: (confidence: number) => number | null;
  upper: (confidence: number) => number | null;
  /** Two-sided interval; null where the units are too few for an end. */
  interval: (level: number) => Interval | null;
  /** A note for the report; null when there is none. */
  note: string | null;
}

/**
 * R. A. Fisher's sign-flip test (1935) over whole clusters: under H0 the difference of a cluster could as well have
 * had the other sign. Exact for up to 20 clusters, else with 9,999 seeded draws and p = (1 + hits) / (1 + draws)
 * (B. Phipson and G. Smyth 2010). Null when there is nothing to flip.
 */
export function signFlip(clustered: Clustered, seed: string): SignFlip | null {
  if (clustered.reason !== null) return null;
  const random = randomStream(seed);
  const { sums, sizes, note } = resamplingUnits(clustered, random);
  const exact = sums.length <= exactUnits;
  const flips = exact ? exactFlips(sums, sizes) : drawnFlips({ sums, sizes }, random);
  const { patterns } = flips;
  const bound = (confidence: number, from: "smallest" | "largest"): number | null => {
    // A shift is rejected at alpha as long as no more than alpha of the patterns are as extreme, the seen one included.
    const k = Math.floor((1 - confidence) * patterns * (1 + 1e-12));
    return k < 1 ? null : flips.subsetMean(k, from) * clustered.scale;
  };
  return {
    patterns,
    exact,
    units: sums.length,
    test: (shift) => {
      const { atLeast, atMost, asFar } = flips.counts(shift / clustered.scale);
      return { count: asFar, twoSided: asFar / patterns, pGreater: atLeast / patterns, pLess: atMost / patterns };
    },
    lower: (confidence) => bound(confidence, "smallest"),
    upper: (confidence) => bound(confidence, "largest"),
    interval: (level) => {
      const low = bound((1 + level) / 2, "smallest");
      const high = bound((1 + level) / 2, "largest");
      return low === null || high === null ? null : { low, high };
    },
    note,
  };
}

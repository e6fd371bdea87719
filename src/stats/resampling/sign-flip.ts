import { randomStream, type RandomStream } from "../../lib/random.ts";
import { resamplingUnits } from "../blocks.ts";
import type { Clustered } from "../clusters.ts";
import type { Interval } from "../interval.ts";
import { exactFlips, slackOf } from "./sign-flip-exact.ts";
import type { Flips } from "./sign-patterns.ts";

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

const draws = 9_999;

/** 9,999 random patterns; the one that was seen counts as one more. */
function drawnFlips({ sums, sizes }: { sums: Float64Array; sizes: Float64Array }, random: RandomStream): Flips {
  const drawnSums = new Float64Array(draws);
  const drawnSizes = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    let total = 0;
    let size = 0;
    let bits = 0;
    for (let unit = 0; unit < sums.length; unit++) {
      bits = (unit & 31) === 0 ? random.bits() : bits >>> 1;
      const flip = bits & 1;
      total += flip * (sums[unit] ?? 0);
      size += flip * (sizes[unit] ?? 0);
    }
    drawnSums[draw] = total;
    drawnSizes[draw] = size;
  }
  // A pattern that flips nothing is the one that was seen: as extreme as itself, whatever the shift.
  const unchanged = drawnSizes.reduce((count, size) => (size === 0 ? count + 1 : count), 0);
  const means = drawnSums
    .map((total, draw) => total / (drawnSizes[draw] ?? 1))
    .filter((value) => !Number.isNaN(value))
    .toSorted();

  return {
    patterns: draws + 1,
    counts(shift) {
      let total = 0;
      let size = 0;
      for (let unit = 0; unit < sums.length; unit++) {
        const value = (sums[unit] ?? 0) - shift * (sizes[unit] ?? 0);
        total += value;
        size += Math.abs(value);
      }
      const slack = slackOf(total, size);
      const far = Math.abs(total);
      const counts = { atLeast: 1, atMost: 1, asFar: 1 };
      for (let draw = 0; draw < draws; draw++) {
        const flipped = (drawnSums[draw] ?? 0) - shift * (drawnSizes[draw] ?? 0);
        if (flipped <= slack) counts.atLeast += 1;
        if (flipped >= -slack) counts.atMost += 1;
        if (Math.abs(total - 2 * flipped) >= far - 2 * slack) counts.asFar += 1;
      }
      return counts;
    },
    subsetMean(k, from) {
      const index = k - 1 - unchanged;
      if (index < 0) return from === "smallest" ? (means[0] ?? 0) : (means.at(-1) ?? 0);
      return (from === "smallest" ? means[index] : means.at(-1 - index)) ?? 0;
    },
  };
}

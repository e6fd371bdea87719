import type { RandomStream } from "../../lib/random.ts";
import { slackOf } from "./sign-flip-exact.ts";
import type { Flips } from "./sign-patterns.ts";

const draws = 9_999;

/** 9,999 random patterns; the one that was seen counts as one more. */
export function drawnFlips({ sums, sizes }: { sums: Float64Array; sizes: Float64Array }, random: RandomStream): Flips {
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

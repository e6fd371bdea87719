import type { Flips } from "./sign-patterns.ts";

/**
 * All 2^C patterns, by halves: the subsets of the first and of the second half of the units are at most 1,024 each,
 * and pairs of them are counted in their sorted order instead of one by one.
 */
export function exactFlips(sums: Float64Array, sizes: Float64Array): Flips {
  const middle = sums.length >> 1;
  const left = { sums: subsets(sums.subarray(0, middle)), sizes: subsets(sizes.subarray(0, middle)) };
  const right = { sums: subsets(sums.subarray(middle)), sizes: subsets(sizes.subarray(middle)) };
  const patterns = 2 ** sums.length;

  /** Sums of (d - shift) over the units that a pattern flips, in two sorted halves. */
  const flipped = (shift: number): Halves => ({
    left: shifted(left, shift),
    right: shifted(right, shift),
  });

  return {
    patterns,
    counts(shift) {
      const halves = flipped(shift);
      let total = 0;
      let size = 0;
      for (let index = 0; index < sums.length; index++) {
        const value = (sums[index] ?? 0) - shift * (sizes[index] ?? 0);
        total += value;
        size += Math.abs(value);
      }
      // Flipping a set F changes the sum from T to T - 2 F: it is at least T when F <= 0, and at most -T when F >= T.
      const slack = slackOf(total, size);
      const atLeast = countAtMost(halves, slack);
      const atMost = patterns - countBelow(halves, -slack);
      const far = Math.abs(total);
      const upper = countAtMost(halves, (total - far) / 2 + slack);
      const lower = patterns - countBelow(halves, (total + far) / 2 - slack);
      return { atLeast, atMost, asFar: Math.min(patterns, upper + lower) };
    },
    subsetMean(k, from) {
      // The mean of a subset is at most x when its sum of (d - x) is at most 0; the empty one, 0 for any x, is left out.
      const fewer = (x: number): boolean => {
        const halves = flipped(x);
        return from === "smallest" ? countAtMost(halves, 0) - 1 < k : patterns - countBelow(halves, 0) - 1 >= k;
      };
      let [low, high] = rangeOfMeans(sums, sizes);
      const close = 1e-16 * Math.max(Math.abs(low), Math.abs(high));
      while (high - low > close) {
        const x = (low + high) / 2;
        if (x <= low || x >= high) break;
        if (fewer(x)) low = x;
        else high = x;
      }
      const found = from === "smallest" ? high : low;
      return Math.abs(found) <= 2 * close ? 0 : found;
    },
  };
}

/** Rounding must not make a tie look like a difference: a part of the sum that was seen, and a smaller one of all that was added. */
export function slackOf(total: number, size: number): number {
  return 0.5e-9 * Math.abs(total) + 1e-13 * size;
}

/** Means of single units enclose the mean of every subset. */
function rangeOfMeans(sums: Float64Array, sizes: Float64Array): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let index = 0; index < sums.length; index++) {
    const mean = (sums[index] ?? 0) / (sizes[index] ?? 1);
    low = Math.min(low, mean);
    high = Math.max(high, mean);
  }
  return [low, high];
}

interface Halves {
  left: Float64Array;
  right: Float64Array;
}

/** Sums of (d - shift) over subsets, sorted. */
function shifted({ sums, sizes }: { sums: Float64Array; sizes: Float64Array }, shift: number): Float64Array {
  const moved = new Float64Array(sums.length);
  for (let index = 0; index < sums.length; index++) moved[index] = (sums[index] ?? 0) - shift * (sizes[index] ?? 0);
  // A sorted copy of it takes longer, and a search asks for a hundred.
  // oxlint-disable-next-line unicorn/no-array-sort
  return moved.sort();
}

/** Sums of all subsets, the empty one first. */
function subsets(values: Float64Array): Float64Array {
  const all = new Float64Array(2 ** values.length);
  for (let index = 0; index < values.length; index++) {
    const half = 2 ** index;
    for (let subset = 0; subset < half; subset++) all[half + subset] = (all[subset] ?? 0) + (values[index] ?? 0);
  }
  return all;
}

function countAtMost({ left, right }: Halves, limit: number): number {
  return countPairs(left, right, (total) => total <= limit);
}

function countBelow({ left, right }: Halves, limit: number): number {
  return countPairs(left, right, (total) => total < limit);
}

/** Pairs of two sorted arrays whose sum is within a limit: as the left one grows, fewer of the right ones fit. */
function countPairs(left: Float64Array, right: Float64Array, within: (total: number) => boolean): number {
  let fitting = right.length;
  let count = 0;
  for (const value of left) {
    while (fitting > 0 && !within(value + (right[fitting - 1] ?? 0))) fitting -= 1;
    count += fitting;
  }
  return count;
}

import { randomStream } from "../../lib/random.ts";
import { clusterCount } from "../clusters.ts";

/** Values, and the number of each one's group, from 0 without gaps. */
export interface Grouped {
  values: Float64Array;
  groups: Int32Array;
}

/** Draws, and hits after which no more are made: so many tell that it is chance. */
const draws = 1_999;
const enoughHits = 400;

/**
 * The chance that groups drawn by lot are as unlike each other as these, by 1,999 seeded permutations of the values: p of H0
 * that the values of a group are no more alike than others. The statistic is the sum of squares between the groups, which is
 * largest where the intraclass correlation is. Null where all values are the same.
 */
export function likenessP({ values, groups }: Grouped, seed: string): number | null {
  const n = values.length;
  const others = values.findIndex((value) => value !== values[0]);
  if (others === -1) return null;
  const sizes = new Float64Array(clusterCount(groups));
  for (const group of groups) sizes[group] = (sizes[group] ?? 0) + 1;
  const moved = values.filter((value) => value !== 0);
  const between = betweenOf(sizes);
  const seen = between(values, groups) * (1 - 1e-12);
  const random = randomStream(seed);
  // Few values that are not 0 are put into other places; many are shuffled.
  const isSparse = 4 * moved.length <= n;
  const shuffled = values.slice();
  const taken = new Uint8Array(isSparse ? n : 0);
  const places = new Int32Array(isSparse ? moved.length : 0);
  const once = (): number => {
    if (!isSparse) {
      for (let at = n - 1; at > 0; at--) {
        const other = Math.floor(random.next() * (at + 1));
        const value = shuffled[at] ?? 0;
        shuffled[at] = shuffled[other] ?? 0;
        shuffled[other] = value;
      }
      return between(shuffled, groups);
    }
    for (let at = 0; at < moved.length; at++) {
      let place = Math.floor(random.next() * n);
      while (taken[place] === 1) place = Math.floor(random.next() * n);
      taken[place] = 1;
      places[at] = place;
    }
    for (const place of places) taken[place] = 0;
    return between(moved, groups, places);
  };
  let [hits, made] = [0, 0];
  while (made < draws && hits < enoughHits) {
    made += 1;
    if (once() >= seen) hits += 1;
  }
  return (1 + hits) / (1 + made);
}

/** Adds the squares of the sums of groups, each over its size. `places`: those of the values, where they are not all. */
function betweenOf(sizes: Float64Array) {
  const sums = new Float64Array(sizes.length);
  return (values: Float64Array, groups: Int32Array, places: Int32Array | null = null): number => {
    sums.fill(0);
    for (let at = 0; at < values.length; at++) {
      const group = groups[places === null ? at : (places[at] ?? 0)] ?? 0;
      sums[group] = (sums[group] ?? 0) + (values[at] ?? 0);
    }
    let total = 0;
    for (let group = 0; group < sums.length; group++) total += (sums[group] ?? 0) ** 2 / (sizes[group] ?? 1);
    return total;
  };
}

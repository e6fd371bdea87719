import type { SliceName } from "../slice-name.ts";
import { growingInts, type GrowingInts } from "./growing.ts";

/** A slice of the cases that are collected. */
export interface Slice extends SliceName {
  /** Places of its cases, in their order. */
  places: Int32Array;
  /** True for the place of one of them. */
  has: (place: number) => boolean;
}

/** The slices of a pair. */
export interface Slices {
  /** Those of one tag. */
  alone: Slice[];
  /** Those of two tags, with the most cases: which are looked at must not depend on what is found in them. */
  pairs: Slice[];
  /** Number of the other pairs that have enough cases. */
  pairsLeft: number;
  tags: TagCodes[];
}

/** A tag with the value of each case. */
export interface TagCodes {
  tag: string;
  values: readonly string[];
  /** Place of each case's value among them, from 1; 0, or beyond the end: none. */
  codes: Int32Array;
}

const mostTags = 20;
const mostValues = 200;

/** Collects the cases of a pair by the values of their tags. */
export class SliceIndex {
  readonly #tags = new Map<string, { known: Map<string, number>; codes: GrowingInts }>();
  #cases = 0;

  add(tags: Readonly<Record<string, string>>): void {
    for (const [tag, value] of Object.entries(tags)) {
      const own = this.#tags.get(tag) ?? { known: new Map<string, number>(), codes: growingInts() };
      if (this.#tags.size < mostTags) this.#tags.set(tag, own);
      if (!this.#tags.has(tag) || value.trim() === "") continue;
      const code = own.known.get(value) ?? own.known.size + 1;
      if (code > mostValues) continue;
      own.known.set(value, code);
      own.codes.add(this.#cases, code);
    }
    this.#cases += 1;
  }

  slices(): Slices {
    const tags = this.tags();
    const alone = tags.map(slicesOf);
    const pairs = tags
      .flatMap((first, at) =>
        tags.slice(at + 1).flatMap((second, next) => {
          const [ofFirst = [], ofSecond = []] = [alone[at], alone[at + 1 + next]];
          return pairsOf([first, ofFirst], [second, ofSecond]);
        }),
      )
      .toSorted((one, other) => other.cases - one.cases);
    return {
      alone: alone.flat(),
      pairs: pairs.slice(0, mostPairs).map(sliceOfPair),
      pairsLeft: Math.max(0, pairs.length - mostPairs),
      tags,
    };
  }

  tags(): TagCodes[] {
    return Array.from(this.#tags, ([tag, { known, codes }]) => ({
      tag,
      values: [...known.keys()],
      codes: codes.view(),
    }));
  }
}

/** A slice for each value of a tag. */
export function slicesOf({ tag, values, codes }: TagCodes): Slice[] {
  const counts = new Int32Array(values.length + 1);
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  const places = Array.from(counts, (count) => new Int32Array(count));
  for (let place = codes.length - 1; place >= 0; place--) {
    const code = codes[place] ?? 0;
    const left = (counts[code] ?? 0) - 1;
    counts[code] = left;
    const own = places[code];
    if (own !== undefined) own[left] = place;
  }
  return values.map((value, at) => ({
    tag,
    value,
    and: null,
    places: places[at + 1] ?? new Int32Array(0),
    has: (place) => codes[place] === at + 1,
  }));
}

/** The most pairs of values that are looked at: each makes it harder for all of them to be called. */
const mostPairs = 100;
/**
 * A pair has so many cases at least, and so many cases have each of its two values without the other: else it says nothing
 * that one of them does not say alone.
 */
const leastOfPair = 10;

interface Pair {
  slices: [Slice, Slice];
  cases: number;
}

type TagSlices = readonly [tag: TagCodes, slices: readonly Slice[]];

function pairsOf([first, ofFirst]: TagSlices, [second, ofSecond]: TagSlices): Pair[] {
  const width = ofSecond.length + 1;
  const together = new Int32Array((ofFirst.length + 1) * width);
  for (const [place, code] of first.codes.entries()) {
    const at = code * width + (second.codes[place] ?? 0);
    together[at] = (together[at] ?? 0) + 1;
  }
  return ofFirst.flatMap((one, at) =>
    ofSecond.flatMap((other, next): Pair[] => {
      const cases = together[(at + 1) * width + next + 1] ?? 0;
      const alone = Math.min(one.places.length, other.places.length) - cases;
      return cases < leastOfPair || alone < leastOfPair ? [] : [{ slices: [one, other], cases }];
    }),
  );
}

function sliceOfPair({ slices: [{ tag, value, places, has }, other] }: Pair): Slice {
  return {
    tag,
    value,
    and: { tag: other.tag, value: other.value },
    places: places.filter(other.has),
    has: (place) => has(place) && other.has(place),
  };
}

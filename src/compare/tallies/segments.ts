import { growingInts, type GrowingInts } from "./growing.ts";

/** The cases of a pair by the values of their tags. */
export interface SegmentIndex {
  add: (tags: Readonly<Record<string, string>>) => void;
  slices: () => Segment[];
  pairs: () => TagPairs;
  codes: () => TagCodes[];
}

/** A tag with the value of each case. */
export interface TagCodes {
  tag: string;
  values: readonly string[];
  /** Place of each case's value among them, from 1; 0, or beyond the end: none. */
  codes: Int32Array;
}

/** Cases that have one value of a tag, and of a second one where a pair is looked at. */
export interface Segment {
  tag: string;
  value: string;
  and: OtherTag | null;
  cases: number;
  /** True when the case at a place is one of them. */
  has: (place: number) => boolean;
}

/** The value of another tag, which cases have beside the first. */
export interface OtherTag {
  /** Name of the tag. */
  tag: string;
  /** Value of the tag. */
  value: string;
}

/** Cases by the values of two tags. */
export interface TagPairs {
  /** Those with the most cases: which are looked at must not depend on what is found in them. */
  slices: Segment[];
  /** Number of the others that have enough cases. */
  left: number;
}

const mostTags = 20;
const mostValues = 200;

interface TagIndex {
  codes: Map<string, number>;
  counts: number[];
  /** Code of each case; 0: none, or one of those that are too many. */
  places: GrowingInts;
}

export function segmentIndex(): SegmentIndex {
  const tags = new Map<string, TagIndex>();
  let cases = 0;
  return {
    add(values) {
      for (const [tag, value] of Object.entries(values)) {
        const index = indexOf(tags, tag);
        if (index === null || value.trim() === "") continue;
        const code = codeOf(index, value);
        if (code === 0) continue;
        index.places.add(cases, code);
        index.counts[code] = (index.counts[code] ?? 0) + 1;
      }
      cases += 1;
    },
    slices: () => Array.from(tags).flatMap(([tag, index]) => segmentsOf(tag, index)),
    pairs: () => tagPairs(Array.from(tags)),
    codes: () =>
      Array.from(tags, ([tag, { codes, places }]) => ({ tag, values: [...codes.keys()], codes: places.view() })),
  };
}

function indexOf(tags: Map<string, TagIndex>, tag: string): TagIndex | null {
  const known = tags.get(tag);
  if (known !== undefined || tags.size >= mostTags) return known ?? null;
  const index: TagIndex = { codes: new Map(), counts: [], places: growingInts() };
  tags.set(tag, index);
  return index;
}

function codeOf({ codes }: TagIndex, value: string): number {
  const known = codes.get(value);
  if (known !== undefined) return known;
  if (codes.size >= mostValues) return 0;
  codes.set(value, codes.size + 1);
  return codes.size;
}

function segmentsOf(tag: string, { codes, counts, places }: TagIndex): Segment[] {
  const view = places.view();
  return Array.from(codes, ([value, code]) => ({
    tag,
    value,
    and: null,
    cases: counts[code] ?? 0,
    has: (place: number) => view[place] === code,
  }));
}

/** The most pairs of values that are looked at: each makes it harder for all of them to be called. */
const mostPairs = 100;
/**
 * A pair has so many cases at least, and so many cases have each of its two values without the other: else it says nothing
 * that one of them does not say alone.
 */
const leastOfPair = 10;

type NamedTag = readonly [tag: string, index: TagIndex];

function tagPairs(tags: readonly NamedTag[]): TagPairs {
  const found = tags
    .flatMap((first, place) => tags.slice(place + 1).flatMap((second) => pairsOf(first, second)))
    .toSorted((one, other) => other.cases - one.cases);
  return { slices: found.slice(0, mostPairs), left: Math.max(0, found.length - mostPairs) };
}

function pairsOf([tag, one]: NamedTag, [otherTag, other]: NamedTag): Segment[] {
  const [ofOne, ofOther] = [one.places.view(), other.places.view()];
  const width = other.codes.size + 1;
  const together = new Int32Array((one.codes.size + 1) * width);
  const length = Math.min(ofOne.length, ofOther.length);
  for (let place = 0; place < length; place++) {
    const at = (ofOne[place] ?? 0) * width + (ofOther[place] ?? 0);
    together[at] = (together[at] ?? 0) + 1;
  }
  return Array.from(one.codes).flatMap(([value, code]) =>
    Array.from(other.codes).flatMap(([otherValue, otherCode]): Segment[] => {
      const cases = together[code * width + otherCode] ?? 0;
      const alone = Math.min(one.counts[code] ?? 0, other.counts[otherCode] ?? 0) - cases;
      if (cases < leastOfPair || alone < leastOfPair) return [];
      const has = (place: number): boolean => ofOne[place] === code && ofOther[place] === otherCode;
      return [{ tag, value, and: { tag: otherTag, value: otherValue }, cases, has }];
    }),
  );
}

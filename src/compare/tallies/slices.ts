import { growingInts, type GrowingInts } from "./growing.ts";

/** The cases of a pair by the values of their tags. */
export interface SliceIndex {
  add: (tags: Readonly<Record<string, string>>) => void;
  slices: () => Slice[];
}

/** Cases that have one value of a tag. */
export interface Slice {
  tag: string;
  value: string;
  cases: number;
  /** True when the case at a place is one of them. */
  has: (place: number) => boolean;
}

const mostTags = 20;
const mostValues = 200;

interface TagIndex {
  codes: Map<string, number>;
  counts: number[];
  /** Code of each case; 0: none, or one of those that are too many. */
  places: GrowingInts;
}

export function sliceIndex(): SliceIndex {
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
    slices: () => Array.from(tags).flatMap(([tag, index]) => slicesOf(tag, index)),
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

function slicesOf(tag: string, { codes, counts, places }: TagIndex): Slice[] {
  const view = places.view();
  return Array.from(codes, ([value, code]) => ({
    tag,
    value,
    cases: counts[code] ?? 0,
    has: (place: number) => view[place] === code,
  }));
}

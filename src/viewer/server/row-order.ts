import { rankOfRow } from "../../report/model/row-figures.ts";
import { isShown, rowFilters, slowestOf, timeOfSlow } from "../../report/model/row-filters.ts";
import type { RowFigures } from "../../report/shape/row-head.ts";

/** Sort orders of the rows; anything else is the order of the dataset. */
export const indexSorts = ["rank", "distance", "score", "slow"] as const;
export type IndexSort = (typeof indexSorts)[number];

interface PairKeys {
  flags: Uint16Array;
  keys: Record<IndexSort, Float32Array>;
}

/** Filters and sort keys of the rows, in a few numbers each, so that lists need not read the rows. */
export class RowOrder {
  readonly #pairs: PairKeys[];
  readonly #room: number;
  #rows = 0;

  constructor(pairs: number, rows: number) {
    this.#room = rows;
    this.#pairs = Array.from({ length: Math.max(1, pairs) }, () => ({
      flags: new Uint16Array(rows),
      keys: {
        rank: new Float32Array(rows),
        distance: new Float32Array(rows),
        score: new Float32Array(rows),
        slow: new Float32Array(rows),
      },
    }));
  }

  add(head: RowFigures): void {
    const place = this.#rows++;
    if (place >= this.#room) throw new Error("more rows than were announced");
    for (const [pair, { flags, keys }] of this.#pairs.entries()) {
      flags[place] = flagsOf(head, pair);
      const change = head.changes[pair];
      keys.rank[place] = rankOfRow(head, pair);
      keys.distance[place] = change?.distance ?? -1;
      keys.score[place] = -Math.min(...head.sides.map(({ scores }) => scores[0] ?? Number.POSITIVE_INFINITY));
      keys.slow[place] = slowestOf(head);
    }
  }

  /** The filters that each row meets, for `isShown`. */
  flags(pair: number): Uint16Array {
    const known = this.#pairs[pair];
    if (known === undefined) return new Uint16Array();
    const times = known.keys.slow.subarray(0, this.#rows);
    const from = timeOfSlow(times);
    // Rows are known to be slow when all are there.
    return known.flags
      .subarray(0, this.#rows)
      .map((flags, place) => ((times[place] ?? -1) >= from ? flags | maskOf("slow") : flags));
  }

  /** The places of all rows (from 0), sorted. */
  order(pair: number, sort: IndexSort): Uint32Array {
    const keys = this.#pairs[pair]?.keys[sort].subarray(0, this.#rows);
    return keys === undefined ? new Uint32Array() : descending(keys);
  }

  /** Number of rows that each filter finds, for each pair. */
  counts(): Record<string, number>[] {
    return this.#pairs.map((_, pair) => {
      const tally = new FlagTally();
      for (const flags of this.flags(pair)) tally.add(flags);
      return tally.counts();
    });
  }
}

/** Counts rows by the filters that they meet. */
export class FlagTally {
  readonly #times = new Uint32Array(1 << rowFilters.length);

  add(flags: number): void {
    this.#times[flags] = (this.#times[flags] ?? 0) + 1;
  }

  counts(): Record<string, number> {
    const found = new Map<string, number>([["all", 0], ...rowFilters.map((filter) => [filter, 0] as const)]);
    for (const [flags, times] of this.#times.entries()) {
      if (times === 0) continue;
      const met = rowFilters.filter((_, bit) => (flags & (1 << bit)) !== 0);
      for (const filter of ["all", ...met]) found.set(filter, (found.get(filter) ?? 0) + times);
    }
    return Object.fromEntries(found);
  }
}

/** The bits that a row must have for a filter; 0 for one that finds all. */
export function maskOf(show: string): number {
  const bit = rowFilters.findIndex((each) => each === show);
  return bit === -1 ? 0 : 1 << bit;
}

/** Places up to this many fit beside a key into the 53 bits of a whole number. */
const mostPlaces = 2 ** 21;

/** The places of the keys, the greatest first, equal ones as they stand. Numbers are sorted many times faster than by a function. */
export function descending(keys: Float32Array): Uint32Array {
  const places = new Uint32Array(keys.length);
  if (keys.length > mostPlaces) {
    for (let place = 0; place < places.length; place++) places[place] = place;
    return places.toSorted((a, b) => (keys[b] ?? 0) - (keys[a] ?? 0) || a - b);
  }
  const floats = new Float32Array(keys.length);
  // No zero is below another.
  for (let place = 0; place < keys.length; place++) floats[place] = (keys[place] ?? 0) + 0;
  const bits = new Uint32Array(floats.buffer);
  const sorted = new Float64Array(keys.length);
  for (let place = 0; place < keys.length; place++) sorted[place] = upsideDown(bits[place] ?? 0) * mostPlaces + place;
  sorted.sort();
  for (let at = 0; at < places.length; at++) {
    const each = sorted[at] ?? 0;
    places[at] = each - Math.floor(each / mostPlaces) * mostPlaces;
  }
  return places;
}

/** The bits of a 32-bit float as a whole number that is the smaller the greater the float is. */
function upsideDown(bits: number): number {
  const ascending = bits >= 0x80000000 ? 0xffffffff - bits : bits + 0x80000000;
  return 0xffffffff - ascending;
}

function flagsOf(head: RowFigures, pair: number): number {
  const given = { pair, slowFrom: Number.POSITIVE_INFINITY };
  return rowFilters.reduce((flags, show, bit) => (isShown(head, show, given) ? flags | (1 << bit) : flags), 0);
}

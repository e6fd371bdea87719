import { isBeyondNoise, type RowHead } from "../../report/row-head.ts";

/** What rows can be narrowed down to; the page names them alike. */
const shows = ["changed", "different", "worse", "better", "errors", "flaky", "members"] as const;

/** What rows can be sorted by. */
const sorts = ["rank", "distance", "score", "slow"] as const;
type Sort = (typeof sorts)[number];

/** What lists need of the rows, in a few numbers of each: which filters it meets, and by what it is sorted. */
export class RowOrder {
  readonly #pairs: { flags: Uint8Array; keys: Record<Sort, Float32Array>; orders: Map<Sort, Uint32Array> }[];
  #rows = 0;
  #room: number;

  constructor(pairs: number, rows: number) {
    this.#room = Math.max(1, rows);
    this.#pairs = Array.from({ length: Math.max(1, pairs) }, () => ({
      flags: new Uint8Array(this.#room),
      keys: {
        rank: new Float32Array(this.#room),
        distance: new Float32Array(this.#room),
        score: new Float32Array(this.#room),
        slow: new Float32Array(this.#room),
      },
      orders: new Map(),
    }));
  }

  get length(): number {
    return this.#rows;
  }

  add(head: RowHead): void {
    const place = this.#rows++;
    if (place >= this.#room) throw new Error("more rows than were announced");
    for (const [pair, { flags, keys }] of this.#pairs.entries()) {
      flags[place] = flagsOf(head, pair);
      const change = head.changes[pair];
      keys.rank[place] = change?.rank ?? (head.failed ? 1 : 0);
      keys.distance[place] = change?.distance ?? -1;
      keys.score[place] = -Math.min(...head.sides.map(({ scores }) => scores[0] ?? Number.POSITIVE_INFINITY));
      keys.slow[place] = Math.max(-1, ...head.sides.map(({ latencyMs }) => latencyMs ?? -1));
    }
  }

  /** Number of rows that each filter finds. */
  counts(pair: number): Record<string, number> {
    const flags = this.#pairs[pair]?.flags.subarray(0, this.#rows) ?? new Uint8Array();
    const count = (bit: number): number => flags.reduce((sum, flag) => sum + ((flag >> bit) & 1), 0);
    return Object.fromEntries([["all", flags.length], ...shows.map((show, bit) => [show, count(bit)])]);
  }

  /** The places (from 0) of the rows that meet a filter and pass the test, in the order asked for. */
  list(query: { pair: number; show: string; sort: string; keep: ((place: number) => boolean) | null }): Uint32Array {
    const { keep } = query;
    const pair = this.#pairs[query.pair] ?? this.#pairs[0];
    if (pair === undefined) return new Uint32Array();
    const bit = shows.findIndex((show) => show === query.show);
    const mask = bit === -1 ? 0 : 1 << bit;
    const order = this.#order(query.pair, query.sort);
    const found = new Uint32Array(this.#rows);
    let count = 0;
    for (let at = 0; at < this.#rows; at++) {
      const place = order === null ? at : (order[at] ?? 0);
      if (((pair.flags[place] ?? 0) & mask) === mask && (keep === null || keep(place))) found[count++] = place;
    }
    return found.subarray(0, count);
  }

  /** Sorted once, then kept; null: as in the dataset. */
  #order(pairPlace: number, wanted: string): Uint32Array | null {
    const sort = sorts.find((each) => each === wanted);
    const pair = this.#pairs[pairPlace] ?? this.#pairs[0];
    if (sort === undefined || pair === undefined) return null;
    const known = pair.orders.get(sort);
    if (known !== undefined) return known;
    const keys = pair.keys[sort];
    const order = Uint32Array.from({ length: this.#rows }, (_, place) => place).toSorted(
      (a, b) => (keys[b] ?? 0) - (keys[a] ?? 0) || a - b,
    );
    pair.orders.set(sort, order);
    return order;
  }
}

function flagsOf(head: RowHead, pair: number): number {
  const change = head.changes[pair];
  const is: Record<(typeof shows)[number], boolean> = {
    changed: change !== undefined && isBeyondNoise(change.kind),
    different: change !== undefined && change.kind !== "same" && change.kind !== "not-compared",
    worse: change?.trend === "worse",
    better: change?.trend === "better",
    errors: head.failed,
    flaky: head.flaky,
    members: (change?.members ?? 0) > 0,
  };
  return shows.reduce((flags, show, bit) => (is[show] ? flags | (1 << bit) : flags), 0);
}

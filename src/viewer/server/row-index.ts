import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReportSummary } from "../../report/shape/model.ts";
import type { Labelled } from "../api.ts";
import { partsOfGroup } from "../../report/model/row-groups.ts";
import type { RowGroup } from "../../report/shape/row-group.ts";
import { type TagValue, valuesByTag } from "../tags.ts";
import type { IndexAbout } from "./row-index-writer.ts";
import { placeName } from "./group-places.ts";
import { FlagTally, maskOf, type IndexSort, indexSorts } from "./row-order.ts";
import { findWords } from "./words-file.ts";

/** Rows by something that changes while the index stands, such as labels. */
export interface AmongRows {
  /** Another one whenever it has changed. */
  stamp: string;
  has: (caseId: number) => boolean;
}

/** The rows that a query finds, and how many each filter finds within its other conditions. */
export interface FoundRows {
  places: Uint32Array;
  counts: Record<string, number>;
}

/** A request for rows: filters, order and words to find. */
export interface RowQuery {
  pair: number;
  show: string;
  sort: string;
  /** Rows have one value of each tag that is named. */
  tags: TagValue[];
  text: string;
  /** Rows that have one thing in common; empty: all. */
  group: RowGroup;
  /** Rows of which somebody labelled an answer, or of which nobody did. */
  labelled: Labelled;
  /** Name of a list that somebody looks at, in which labelled rows stay where they were; left out: as it is now. */
  list?: string;
}

const savedLists = 3;

/** An index that stands: lists and searches read its files, and hold nothing but what was asked for last. */
export class RowIndex {
  readonly summary: ReportSummary;
  readonly counts: Record<string, number>[];
  readonly cases: Uint32Array;
  readonly #folder: string;
  readonly #tags: IndexAbout["tags"];
  readonly #groups: ReadonlyMap<string, [from: number, to: number]>;
  readonly #pairs: number;
  /** The file that searches read, which is written after the others. */
  #words: number | null = null;
  readonly #lists = new Map<string, FoundRows>();
  #hits: { terms: readonly string[]; found: Uint8Array } | null = null;

  constructor(folder: string) {
    this.#folder = folder;
    // We wrote it ourselves.
    const about: IndexAbout = JSON.parse(readFileSync(join(folder, "about.json"), "utf8"));
    this.summary = about.summary;
    this.counts = about.counts;
    this.#tags = about.tags;
    this.#groups = new Map(Object.entries(about.groups));
    this.#pairs = about.pairs;
    this.cases = this.#places("cases");
  }

  /**
   * Places (from 0, in the order of the comparison) of the rows that a query finds; `terms` are folded, and without words
   * there must be none.
   */
  async list(
    query: RowQuery,
    { terms, among, signal }: { terms: readonly string[]; among: AmongRows | null; signal: AbortSignal | null },
  ): Promise<FoundRows> {
    const name = JSON.stringify([query, among?.stamp]);
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const found = await this.#found(terms, signal);
    if (found === null) return { places: new Uint32Array(), counts: {} };
    const list = this.#filtered(query, { words: terms.length === 0 ? null : found, among });
    this.#lists.set(name, list);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > savedLists && oldest !== undefined) this.#lists.delete(oldest);
    return list;
  }

  /**
   * Finds rows by their words. The last result is kept: another filter or order of it needs no other search, and when
   * somebody types on, only those rows are looked at. Null: nobody waits any more.
   */
  async #found(terms: readonly string[], signal: AbortSignal | null): Promise<Uint8Array | null> {
    if (terms.length === 0) return new Uint8Array();
    const last = this.#hits;
    if (last !== null && last.terms.join("\n") === terms.join("\n")) return last.found;
    const goesOn = last?.terms.every((before) => terms.some((term) => term.includes(before))) === true;
    const starts = new Float64Array(this.#read("starts"));
    const among = goesOn ? last.found : null;
    this.#words ??= openSync(join(this.#folder, "words"), "r");
    const found = await findWords({ file: this.#words, starts, among }, terms, signal);
    if (found !== null) this.#hits = { terms, found };
    return found;
  }

  #filtered(
    { pair, show, sort, tags, group }: RowQuery,
    { words, among }: { words: Uint8Array | null; among: AmongRows | null },
  ): FoundRows {
    const known = Math.min(pair, this.#pairs - 1);
    const order = indexSorts.find((each) => each === sort);
    const places = order === undefined ? null : this.#order(known, order);
    const mask = maskOf(show);
    const flags = new Uint16Array(this.#read(`flags-${known}`));
    const tally = new FlagTally();
    const tagged = Array.from(valuesByTag(tags), ([name, values]) => this.#tagged(name, values));
    const grouped = group.length === 0 ? null : this.#grouped(known, group);
    const found = new Uint32Array(this.cases.length);
    let count = 0;
    for (let at = 0; at < found.length; at++) {
      const place = places === null ? at : (places[at] ?? 0);
      if (words !== null && words[place] !== 1) continue;
      if (!tagged.every(({ numbers, wanted }) => wanted.has(numbers[place] ?? 0))) continue;
      if (grouped !== null && grouped[place] !== 1) continue;
      if (among !== null && !among.has(this.cases[place] ?? -1)) continue;
      const met = flags[place] ?? 0;
      tally.add(met);
      if ((met & mask) !== mask) continue;
      found[count++] = place;
    }
    return { places: found.slice(0, count), counts: tally.counts() };
  }

  #order(pair: number, sort: IndexSort): Uint32Array {
    return this.#places(`${sort}-${pair}`);
  }

  /** The number of each row's value, and those that will do; a row without the tag is as one where it is empty. */
  #tagged(name: string, values: readonly string[]): { numbers: Uint32Array; wanted: ReadonlySet<number> } {
    const index = this.#tags.findIndex((tag) => tag.name === name);
    const known = this.#tags[index]?.values ?? [];
    const wanted = new Set(values.map((value) => known.indexOf(value) + 1).filter((number) => number > 0));
    if (values.includes("")) wanted.add(0);
    return { numbers: index === -1 ? new Uint32Array() : this.#places(`tag-${index}`), wanted };
  }

  /** Marks the rows of a group: 1 at the place of each. */
  #grouped(pair: number, group: RowGroup): Uint8Array {
    const places = this.#places("groups");
    const parts = partsOfGroup(group);
    const times = new Uint8Array(this.cases.length);
    for (const part of parts) {
      const [from, to] = this.#groups.get(placeName(part, null)) ?? this.#groups.get(placeName(part, pair)) ?? [0, 0];
      for (const place of places.subarray(from, to)) times[place] = (times[place] ?? 0) + 1;
    }
    return times.map((met) => Number(met === parts.length));
  }

  #places(name: string): Uint32Array {
    return new Uint32Array(this.#read(name));
  }

  #read(name: string): ArrayBuffer {
    const bytes = readFileSync(join(this.#folder, name));
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  }

  close(): void {
    if (this.#words !== null) closeSync(this.#words);
  }
}

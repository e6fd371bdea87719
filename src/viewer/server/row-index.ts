import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import type { ReportSummary } from "../../report/shape/model.ts";
import type { RowFigures } from "../../report/shape/row-head.ts";
import type { Labelled } from "../api.ts";
import { type TagValue, valuesByTag } from "../tags.ts";
import { FlagTally, maskOf, RowOrder, type IndexSort, indexSorts } from "./row-order.ts";
import { type RowWords, wordsOfRows } from "./row-words.ts";
import { findWords } from "./words-file.ts";

/** Version of the files of an index; an index of another version is made again. */
export const indexFormat = 4;

/** The head of an index: everything but the rows. */
interface IndexAbout {
  summary: ReportSummary;
  /** Number of rows that each filter finds, for each pair. */
  counts: Record<string, number>[];
  /** The values of each tag, by their numbers. */
  tags: { name: string; values: string[] }[];
  pairs: number;
}

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
  /** Rows of which somebody labelled an answer, or of which nobody did. */
  labelled: Labelled;
}

/**
 * Writes what lists of a comparison need beside the database: the cases in their order, what they are filtered and
 * sorted by, and the texts that a search reads. A folder of plain files, which stands complete or not at all.
 */
export class RowIndexWriter {
  readonly #folder: string;
  readonly #part: string;
  readonly #order: RowOrder;
  readonly #words: RowWords;
  readonly #cases: Uint32Array;
  readonly #tags = new Map<string, { places: Uint32Array; numbers: Map<string, number> }>();
  readonly #pairs: number;
  #rows = 0;

  constructor(folder: string, { pairs, rows }: { pairs: number; rows: number }) {
    this.#folder = folder;
    this.#part = `${folder}.part-${process.pid}-${threadId}`;
    rmSync(this.#part, { recursive: true, force: true });
    mkdirSync(this.#part, { recursive: true, mode: 0o700 });
    this.#pairs = Math.max(1, pairs);
    this.#order = new RowOrder(pairs, rows);
    this.#cases = new Uint32Array(rows);
    this.#words = wordsOfRows(join(this.#part, "words"), rows);
  }

  add({ caseId, figures, text }: { caseId: number; figures: RowFigures; text: string }): void {
    this.#order.add(figures);
    const place = this.#rows++;
    this.#cases[place] = caseId;
    this.#words.add(text);
    for (const [name, value] of Object.entries(figures.tags)) this.#addTag(place, name, value);
  }

  /** Resolves when there is room for more rows. */
  room(): Promise<void> {
    return this.#words.room();
  }

  /** 0: without the tag; else the number of the value and 1. */
  #addTag(place: number, name: string, value: string): void {
    let tag = this.#tags.get(name);
    if (tag === undefined) {
      if (this.#tags.size >= mostTags) return;
      tag = { places: new Uint32Array(this.#cases.length), numbers: new Map() };
      this.#tags.set(name, tag);
    }
    const number = tag.numbers.get(value) ?? tag.numbers.size + 1;
    if (number > mostValues) return;
    tag.numbers.set(value, number);
    tag.places[place] = number;
  }

  /** Puts the index in its place. */
  async end(summary: ReportSummary): Promise<void> {
    const starts = await this.#words.end();
    const write = (name: string, data: Uint8Array | Uint16Array | Uint32Array | Float64Array): void =>
      writeFileSync(join(this.#part, name), data, { mode: 0o600 });
    write("starts", starts);
    write("cases", this.#cases.subarray(0, this.#rows));
    for (let pair = 0; pair < this.#pairs; pair++) {
      write(`flags-${pair}`, this.#order.flags(pair));
      for (const sort of indexSorts) write(`${sort}-${pair}`, this.#order.order(pair, sort));
    }
    for (const [index, { places }] of Array.from(this.#tags.values()).entries()) {
      write(`tag-${index}`, places.subarray(0, this.#rows));
    }
    const tags = Array.from(this.#tags, ([name, { numbers }]) => ({ name, values: Array.from(numbers.keys()) }));
    const about: IndexAbout = { summary, counts: this.#order.counts(), tags, pairs: this.#pairs };
    writeFileSync(join(this.#part, "about.json"), JSON.stringify(about), { mode: 0o600 });
    // Files that lay there before were not complete.
    if (!existsSync(join(this.#folder, "about.json"))) rmSync(this.#folder, { recursive: true, force: true });
    try {
      renameSync(this.#part, this.#folder);
    } catch (error) {
      // Another viewer was quicker: its files say the same.
      if (!existsSync(join(this.#folder, "about.json"))) throw error;
      this.discard();
    }
  }

  /** Leaves nothing behind. */
  discard(): void {
    this.#words.stop();
    rmSync(this.#part, { recursive: true, force: true });
  }
}

const mostTags = 20;
/** Greatest number of values of a tag: as many as anybody may want to choose from. */
const mostValues = 100_000;
const keptLists = 3;

/** An index that stands: lists and searches read its files, and hold nothing but what was asked for last. */
export class RowIndex {
  readonly summary: ReportSummary;
  readonly counts: Record<string, number>[];
  readonly cases: Uint32Array;
  readonly #folder: string;
  readonly #tags: IndexAbout["tags"];
  readonly #pairs: number;
  readonly #words: number;
  readonly #lists = new Map<string, FoundRows>();
  #hits: { terms: readonly string[]; found: Uint8Array } | null = null;

  constructor(folder: string) {
    this.#folder = folder;
    // We wrote it ourselves.
    const about: IndexAbout = JSON.parse(readFileSync(join(folder, "about.json"), "utf8"));
    this.summary = about.summary;
    this.counts = about.counts;
    this.#tags = about.tags;
    this.#pairs = about.pairs;
    this.cases = this.#places("cases");
    this.#words = openSync(join(folder, "words"), "r");
  }

  /** Places (from 0, in the order of the comparison) of the rows that a query finds; `terms` are folded. */
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
    if (this.#lists.size > keptLists && oldest !== undefined) this.#lists.delete(oldest);
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
    const found = await findWords({ file: this.#words, starts, among }, terms, signal);
    if (found !== null) this.#hits = { terms, found };
    return found;
  }

  #filtered(
    { pair, show, sort, tags }: RowQuery,
    { words, among }: { words: Uint8Array | null; among: AmongRows | null },
  ): FoundRows {
    const known = Math.min(pair, this.#pairs - 1);
    const order = indexSorts.find((each) => each === sort);
    const places = order === undefined ? null : this.#order(known, order);
    const mask = maskOf(show);
    const flags = new Uint16Array(this.#read(`flags-${known}`));
    const tally = new FlagTally();
    const tagged = Array.from(valuesByTag(tags), ([name, values]) => this.#tagged(name, values));
    const found = new Uint32Array(this.cases.length);
    let count = 0;
    for (let at = 0; at < found.length; at++) {
      const place = places === null ? at : (places[at] ?? 0);
      if (words !== null && words[place] !== 1) continue;
      if (!tagged.every(({ numbers, wanted }) => wanted.has(numbers[place] ?? 0))) continue;
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

  #places(name: string): Uint32Array {
    return new Uint32Array(this.#read(name));
  }

  #read(name: string): ArrayBuffer {
    const bytes = readFileSync(join(this.#folder, name));
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  }

  close(): void {
    closeSync(this.#words);
  }
}

/** True where an index stands complete. */
export function hasIndex(folder: string): boolean {
  return existsSync(join(folder, "about.json"));
}

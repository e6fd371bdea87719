import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReportSummary } from "../../report/shape/model.ts";
import { conversationOf, partsOfGroup } from "../../report/model/row-groups.ts";
import type { RowGroup } from "../../report/shape/row-group.ts";
import { byValue, type RowsOfValue } from "../../report/query/value-groups.ts";
import { changeOrder } from "../../report/model/row-loss.ts";
import { minus } from "../../report/model/run-figures.ts";
import { columnMark, marksOf } from "../../report/query/marked-text.ts";
import type { Query } from "../../report/query/query-text.ts";
import {
  holdsNumber,
  holdsText,
  outcomeWords,
  queryFrame,
  type QueryFrame,
  type RowCondition,
  type RowFigure,
  type TextTest,
} from "../../report/query/row-conditions.ts";
import { filtersApart, searched } from "../../report/query/row-query.ts";
import type { LabelChoice } from "../../report/query/row-terms.ts";
import { AppError } from "../../errors.ts";
import type { IndexAbout } from "./row-index-writer.ts";
import { placeName } from "./group-places.ts";
import { descending, FlagTally, maskOf, type IndexSort, indexSorts } from "./row-order.ts";
import { distanceFile, numberFile, outcomeFile } from "./column-files.ts";
import { findWords, type SoughtPart } from "./words-file.ts";

/** A query that was read, and what it needs beside the files. */
export interface AskedRows {
  query: Query<RowCondition>;
  /** Rows by what people said of them now; `stamp` is another whenever that has changed. */
  said: { stamp: string; has: (caseId: number, choice: LabelChoice) => boolean };
  /** The cases of a conversation: an index does not have the groups of so many. */
  turnsOf: (conversation: string) => ReadonlySet<number>;
  /** Sort keys by place, the greatest first, of an order that the files do not have; null: they have it. */
  keys: Float32Array | null;
  signal: AbortSignal | null;
}

/** The rows that a query finds, and how many each filter finds within its other conditions. */
export interface FoundRows {
  places: Uint32Array;
  counts: Record<string, number>;
  groups: RowsOfValue[];
}

/** A request for rows. */
export interface RowQuery {
  pair: number;
  /** In the query language of rows (`rowTerms`). */
  text: string;
  sort: string;
  /** The tag whose values they are in groups by; null: they are in none. */
  by: string | null;
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
  readonly #columns: IndexAbout["columns"];
  /** Values of the columns that were asked about. */
  readonly #columnValues = new Map<number, readonly string[]>();
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
    this.#columns = about.columns;
    this.#groups = new Map(Object.entries(about.groups));
    this.#pairs = about.pairs;
    this.cases = this.#places("cases");
  }

  /** Names that queries may use. */
  get frame(): QueryFrame {
    return queryFrame(this.summary);
  }

  /** Places (from 0, in the order of the comparison) of the rows that a query finds. Without words it must not search for any. */
  async list(asked: RowQuery, given: AskedRows): Promise<FoundRows> {
    const name = JSON.stringify([asked, given.said.stamp]);
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const { filters, rest } = filtersApart(given.query);
    const found = isEverything(rest) ? undefined : await this.#marked(rest, asked.pair, given);
    if (found === null) return { places: new Uint32Array(), counts: {}, groups: [] };
    const list = this.#grouped(asked, this.#filtered(asked, { met: found ?? null, filters, keys: given.keys }));
    this.#lists.set(name, list);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > savedLists && oldest !== undefined) this.#lists.delete(oldest);
    return list;
  }

  /** Marks the rows that a query finds: 1 at the place of each. Null: nobody waits any more. */
  async #marked(query: Query<RowCondition>, pair: number, given: AskedRows): Promise<Uint8Array | null> {
    switch (query.kind) {
      case "all":
      case "any": {
        let marks: Uint8Array | null = null;
        for (const part of query.parts) {
          const own = await this.#marked(part, pair, given);
          if (own === null) return null;
          marks = marks === null ? own : query.kind === "all" ? both(marks, own) : either(marks, own);
        }
        return marks ?? new Uint8Array(this.cases.length).fill(1);
      }
      case "not": {
        const marks = await this.#marked(query.part, pair, given);
        return marks === null ? null : others(marks);
      }
      case "words":
        return this.#found(query.words.map(searched), given.signal);
      case "condition":
        return this.#met(query.condition, pair, given);
    }
  }

  async #met(condition: RowCondition, pair: number, given: AskedRows): Promise<Uint8Array | null> {
    const { cases } = this;
    switch (condition.ask) {
      case "filter": {
        const [mask, flags] = [maskOf(condition.filter), this.#flags(pair)];
        return marksBy(cases.length, (place) => ((flags[place] ?? 0) & mask) === mask);
      }
      case "group": {
        const marks = condition.groups.map((group) => this.#ofGroup(group, pair, given)).reduce(either);
        return condition.isNot ? others(marks) : marks;
      }
      case "labelled": {
        const { choices, isNot } = condition;
        return marksBy(
          cases.length,
          (place) => choices.some((choice) => given.said.has(cases[place] ?? -1, choice)) !== isNot,
        );
      }
      case "figure": {
        const number = this.#numberOf(condition.figure, pair);
        return marksBy(cases.length, (place) => holdsNumber(condition.test, number(place)));
      }
      case "outcome":
        return this.#byValue(outcomeFile(condition.side), outcomeWords, condition.test);
      case "tag": {
        const index = this.#tags.findIndex(({ name }) => name === condition.name);
        return this.#byValue(`tag-${index}`, this.#tags[index]?.values ?? [], condition.test);
      }
      case "column":
        return this.#inColumn(condition.name, condition.test, given.signal);
      case "text": {
        const marks = marksOf(condition.text, condition.side, this.summary.targets.length);
        return this.#inParts(marks, condition.test, given.signal);
      }
    }
  }

  /** A column with so many values that they are not told apart is searched by its texts. */
  async #inColumn(name: string, test: TextTest, signal: AbortSignal | null): Promise<Uint8Array | null> {
    const place = this.#columns.findIndex((column) => column.name === name);
    const hasValues = this.#columns[place]?.hasValues === true;
    if (hasValues) return this.#byValue(`column-${place}`, this.#valuesOf(place), test);
    if (/^[<>]/u.test(test.operator)) {
      throw new AppError("USAGE", `The column ${name} has too many texts to be asked for more or less.`, {
        hint: `Ask what it contains: ${name}:text`,
      });
    }
    return this.#inParts([columnMark(place) ?? ""], test, signal);
  }

  #valuesOf(place: number): readonly string[] {
    const known = this.#columnValues.get(place);
    if (known !== undefined) return known;
    // We wrote it ourselves.
    const values: string[] = JSON.parse(readFileSync(join(this.#folder, `values-${place}`), "utf8"));
    this.#columnValues.set(place, values);
    return values;
  }

  /** Each value is tested once, however many rows have it; 0 is the number of none. */
  #byValue(file: string, values: readonly string[], test: TextTest): Uint8Array {
    const holds = Uint8Array.from(["", ...values], (value) => Number(holdsText(test, value)));
    const numbers = this.#has(file) ? this.#places(file) : new Uint32Array();
    return marksBy(this.cases.length, (place) => holds[numbers[place] ?? 0] === 1);
  }

  /** Rows of which a part with one of the marks is as wanted, or with `!=` and `!~` none is. */
  async #inParts(marks: readonly string[], test: TextTest, signal: AbortSignal | null): Promise<Uint8Array | null> {
    const isNot = test.operator === "!=" || test.operator === "!~";
    const isWhole = test.operator === "=" || test.operator === "!=";
    let found = new Uint8Array(this.cases.length);
    for (const text of test.values) {
      const sought = text.replaceAll(control, " ");
      const own =
        sought === "" && !isWhole
          ? found.map(() => 1)
          : await this.#search([{ text: sought, marks, isWhole }], null, signal);
      if (own === null) return null;
      found = either(found, own);
    }
    return isNot ? others(found) : found;
  }

  #numberOf(figure: RowFigure, pair: number): (place: number) => number | null {
    if (figure.of === "distance") return this.#numbers(distanceFile(pair));
    if (figure.of !== "change") return this.#numbers(numberFile(figure));
    const { baseline, candidate } = this.summary.pairs[pair] ?? { baseline: "", candidate: "" };
    const [before, now] = [baseline, candidate].map((target) => {
      const side = this.summary.targets.findIndex(({ name }) => name === target);
      const of = figure.figure;
      return this.#numbers(
        numberFile(typeof of === "string" ? { of, side } : { of: "score", side, metric: of.metric }),
      );
    });
    return (place) => minus(now?.(place) ?? null, before?.(place) ?? null);
  }

  /** A number of each row; a file that is not there has none of any. */
  #numbers(file: string): (place: number) => number | null {
    if (!this.#has(file)) return () => null;
    const numbers = new Float64Array(this.#read(file));
    return (place) => {
      const number = numbers[place] ?? Number.NaN;
      return Number.isNaN(number) ? null : number;
    };
  }

  #has(file: string): boolean {
    return existsSync(join(this.#folder, file));
  }

  #flags(pair: number): Uint16Array {
    return new Uint16Array(this.#read(`flags-${Math.min(pair, this.#pairs - 1)}`));
  }

  /**
   * Finds rows by their words. The last result is kept: another filter or order of it needs no other search, and when
   * somebody types on, only those rows are looked at. Null: nobody waits any more.
   */
  async #found(terms: readonly string[], signal: AbortSignal | null): Promise<Uint8Array | null> {
    const last = this.#hits;
    if (last !== null && last.terms.join("\n") === terms.join("\n")) return last.found;
    const goesOn = last?.terms.every((before) => terms.some((term) => term.includes(before))) === true;
    const found = await this.#search(terms, goesOn ? last.found : null, signal);
    if (found !== null) this.#hits = { terms, found };
    return found;
  }

  #search(
    terms: readonly (string | SoughtPart)[],
    among: Uint8Array | null,
    signal: AbortSignal | null,
  ): Promise<Uint8Array | null> {
    const starts = new Float64Array(this.#read("starts"));
    this.#words ??= openSync(join(this.#folder, "words"), "r");
    return findWords({ file: this.#words, starts, among }, terms, signal);
  }

  #filtered(
    { pair, sort }: RowQuery,
    { met, filters, keys }: { met: Uint8Array | null; filters: readonly string[]; keys: Float32Array | null },
  ): Pick<FoundRows, "places" | "counts"> {
    const known = Math.min(pair, this.#pairs - 1);
    const order = indexSorts.find((each) => each === sort);
    const ofFiles = order === undefined ? this.#byChange(known, sort) : this.#order(known, order);
    const places = keys === null ? ofFiles : descending(keys);
    const mask = filters.reduce((all, filter) => all | maskOf(filter), 0);
    const flags = this.#flags(known);
    const tally = new FlagTally();
    const found = new Uint32Array(this.cases.length);
    let count = 0;
    for (let at = 0; at < found.length; at++) {
      const place = places === null ? at : (places[at] ?? 0);
      if (met !== null && met[place] !== 1) continue;
      const own = flags[place] ?? 0;
      tally.add(own);
      if ((own & mask) !== mask) continue;
      found[count++] = place;
    }
    return { places: found.slice(0, count), counts: tally.counts() };
  }

  /** Places by the change of a metric (see `changeOrder`); null: by no metric. */
  #byChange(pair: number, sort: string): Uint32Array | null {
    const order = changeOrder(sort, this.summary.metrics);
    const compared = this.summary.pairs[pair];
    if (order === null || compared === undefined) return null;
    const { metric, key } = order;
    const [before, now] = [compared.baseline, compared.candidate].map((target) => {
      const side = this.summary.targets.findIndex(({ name }) => name === target);
      return this.#numbers(numberFile({ of: "score", side, metric }));
    });
    return descending(
      Float32Array.from(this.cases, (_, place) =>
        key({ baseline: before?.(place) ?? null, candidate: now?.(place) ?? null }),
      ),
    );
  }

  #order(pair: number, sort: IndexSort): Uint32Array {
    return this.#places(`${sort}-${pair}`);
  }

  /** Puts the rows of a list in groups by their value of a tag; one that no row has makes none. */
  #grouped({ by }: RowQuery, { places, counts }: Pick<FoundRows, "places" | "counts">): FoundRows {
    const index = this.#tags.findIndex(({ name }) => name === by);
    if (index === -1) return { places, counts, groups: [] };
    const [numbers, values] = [this.#places(`tag-${index}`), this.#tags[index]?.values ?? []];
    const { rows, groups } = byValue(places, (place) => values[(numbers[place] ?? 0) - 1] ?? "");
    return { places: Uint32Array.from(rows), counts, groups };
  }

  /** Marks the rows of a group: 1 at the place of each. */
  #ofGroup(group: RowGroup, pair: number, { turnsOf }: AskedRows): Uint8Array<ArrayBuffer> {
    const conversation = conversationOf(group);
    if (conversation !== null) {
      const turns = turnsOf(conversation);
      return Uint8Array.from(this.cases, (caseId) => Number(turns.has(caseId)));
    }
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

// oxlint-disable-next-line eslint/no-control-regex
const control = /[\0-\u0008\u000e-\u001f]/g;

/** True for a query without conditions. */
function isEverything(query: Query<RowCondition>): boolean {
  return query.kind === "all" && query.parts.length === 0;
}

/** True where a query searches texts of the rows. */
export function searchesWords(query: Query<RowCondition>): boolean {
  switch (query.kind) {
    case "all":
    case "any":
      return query.parts.some(searchesWords);
    case "not":
      return searchesWords(query.part);
    case "words":
      return true;
    case "condition":
      return query.condition.ask === "text" || query.condition.ask === "column";
  }
}

/** The words for labels that a query asks about. */
export function labelsAsked(query: Query<RowCondition>): LabelChoice[] {
  switch (query.kind) {
    case "all":
    case "any":
      return query.parts.flatMap(labelsAsked);
    case "not":
      return labelsAsked(query.part);
    case "words":
      return [];
    case "condition":
      return query.condition.ask === "labelled" ? [...query.condition.choices] : [];
  }
}

function marksBy(rows: number, isMarked: (place: number) => boolean): Uint8Array {
  const marks = new Uint8Array(rows);
  for (let place = 0; place < rows; place++) marks[place] = Number(isMarked(place));
  return marks;
}

const both = (one: Uint8Array, other: Uint8Array): Uint8Array => one.map((mark, place) => mark & (other[place] ?? 0));
const either = (one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(one, (mark, place) => mark | (other[place] ?? 0));
const others = (marks: Uint8Array): Uint8Array => marks.map((mark) => 1 - mark);

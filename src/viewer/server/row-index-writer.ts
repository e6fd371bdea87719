import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import type { ReportSummary } from "../../report/shape/model.ts";
import type { RowFigures } from "../../report/shape/row-head.ts";
import { GroupPlaces, type RowGroups } from "./group-places.ts";
import { RowOrder, indexSorts } from "./row-order.ts";

/** Version of the files of an index; an index of another version is made again. */
export const indexFormat = 8;

/** The head of an index: everything but the rows. */
export interface IndexAbout {
  summary: ReportSummary;
  /** Number of rows that each filter finds, for each pair. */
  counts: Record<string, number>[];
  /** The values of each tag, by their numbers. */
  tags: { name: string; values: string[] }[];
  /** Where the rows of each group begin and end among those of all. */
  groups: Record<string, [from: number, to: number]>;
  pairs: number;
}

/** A row as an index takes it. */
interface IndexedRow {
  caseId: number;
  figures: RowFigures;
  groups: RowGroups;
}

const mostTags = 20;
/** Greatest number of values of a tag: as many as anybody may want to choose from. */
const mostValues = 100_000;

/**
 * Writes what lists of a comparison need beside the database: the cases in their order, what they are filtered and
 * sorted by. A folder of plain files, which stands complete or not at all.
 */
export class RowIndexWriter {
  readonly #folder: string;
  readonly #part: string;
  readonly #order: RowOrder;
  readonly #cases: Uint32Array;
  readonly #tags = new Map<string, { places: Uint32Array; numbers: Map<string, number> }>();
  readonly #groups = new GroupPlaces();
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
  }

  add({ caseId, figures, groups }: IndexedRow): void {
    this.#order.add(figures);
    const place = this.#rows++;
    this.#cases[place] = caseId;
    this.#groups.add(place, groups);
    for (const [name, value] of Object.entries(figures.tags)) this.#addTag(place, name, value);
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
  end(summary: ReportSummary): void {
    const write = (name: string, data: Uint16Array | Uint32Array): void =>
      writeFileSync(join(this.#part, name), data, { mode: 0o600 });
    write("cases", this.#cases.subarray(0, this.#rows));
    for (let pair = 0; pair < this.#pairs; pair++) {
      write(`flags-${pair}`, this.#order.flags(pair));
      for (const sort of indexSorts) write(`${sort}-${pair}`, this.#order.order(pair, sort));
    }
    for (const [index, { places }] of Array.from(this.#tags.values()).entries()) {
      write(`tag-${index}`, places.subarray(0, this.#rows));
    }
    const tags = Array.from(this.#tags, ([name, { numbers }]) => ({ name, values: Array.from(numbers.keys()) }));
    const { groups, places: grouped } = this.#groups.end();
    write("groups", grouped);
    const about: IndexAbout = { summary, counts: this.#order.counts(), tags, groups, pairs: this.#pairs };
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
    rmSync(this.#part, { recursive: true, force: true });
  }
}

/** True where an index stands complete. */
export function hasIndex(folder: string): boolean {
  return existsSync(join(folder, "about.json"));
}

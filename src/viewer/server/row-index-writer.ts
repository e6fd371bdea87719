import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import type { ReportRow, ReportSummary } from "../../report/shape/model.ts";
import type { RowFigures } from "../../report/shape/row-head.ts";
import { NumberFiles, ValueColumn } from "./column-files.ts";
import { GroupPlaces, type RowGroups } from "./group-places.ts";
import { RowOrder, indexSorts } from "./row-order.ts";

/** Version of the files of an index; an index of another version is made again. */
export const indexFormat = 11;

/** The head of an index: everything but the rows. */
export interface IndexAbout {
  summary: ReportSummary;
  /** Number of rows that each filter finds, for each pair. */
  counts: Record<string, number>[];
  /** The values of each tag, by their numbers. */
  tags: { name: string; values: string[] }[];
  /** Columns of the sheet; `hasValues`: their values are in a file, by their numbers. */
  columns: { name: string; hasValues: boolean }[];
  /** Where the rows of each group begin and end among those of all. */
  groups: Record<string, [from: number, to: number]>;
  pairs: number;
}

/** A row as an index takes it. */
interface IndexedRow {
  caseId: number;
  row: ReportRow;
  figures: RowFigures;
  groups: RowGroups;
}

const mostTags = 20;
/** Greatest number of values of a tag: as many as anybody may want to choose from. */
const mostValues = 100_000;
/** Characters of the values of all columns; those of a column beyond it are only searched. */
const mostOfColumns = 24_000_000;

/**
 * Writes what lists of a comparison need beside the database: the cases in their order, what they are filtered and
 * sorted by. A folder of plain files, which stands complete or not at all.
 */
export class RowIndexWriter {
  readonly #folder: string;
  readonly #part: string;
  readonly #order: RowOrder;
  readonly #cases: Uint32Array;
  readonly #tags = new Map<string, ValueColumn>();
  readonly #columns: ValueColumn[];
  readonly #numbers: NumberFiles;
  readonly #groups = new GroupPlaces();
  readonly #pairs: number;
  #rows = 0;
  #isOpen = true;

  /** `columns`: names of the columns of the sheet that queries may name. */
  constructor(folder: string, { pairs, rows, columns }: { pairs: number; rows: number; columns: readonly string[] }) {
    this.#folder = folder;
    this.#part = `${folder}.part-${process.pid}-${threadId}`;
    rmSync(this.#part, { recursive: true, force: true });
    mkdirSync(this.#part, { recursive: true, mode: 0o700 });
    this.#pairs = Math.max(1, pairs);
    this.#order = new RowOrder(pairs, rows);
    this.#cases = new Uint32Array(rows);
    this.#numbers = new NumberFiles(this.#part);
    const room = { left: mostOfColumns };
    this.#columns = columns.map(
      (name, place) =>
        new ValueColumn(this.#path(`column-${place}`), name, { room, mostValues: Infinity, isTag: false }),
    );
  }

  #path(name: string): string {
    return join(this.#part, name);
  }

  add({ caseId, row, figures, groups }: IndexedRow): void {
    this.#order.add(figures);
    const place = this.#rows++;
    this.#cases[place] = caseId;
    this.#groups.add(place, groups);
    for (const [name, value] of Object.entries(figures.tags)) this.#tag(name)?.add(place, value);
    for (const column of this.#columns) {
      const cell = row.columns[column.name];
      if (cell !== undefined) column.add(place, cell);
    }
    this.#numbers.add(place, row, figures);
  }

  #tag(name: string): ValueColumn | undefined {
    const known = this.#tags.get(name);
    if (known !== undefined || this.#tags.size >= mostTags) return known;
    const given = { room: { left: Infinity }, mostValues, isTag: true };
    const tag = new ValueColumn(this.#path(`tag-${this.#tags.size}`), name, given);
    this.#tags.set(name, tag);
    return tag;
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
    const tags = Array.from(this.#tags.values(), (tag) => ({ name: tag.name, values: tag.end(this.#rows) ?? [] }));
    const columns = this.#columns.map((column, place) => {
      const values = column.end(this.#rows);
      if (values !== null) writeFileSync(this.#path(`values-${place}`), JSON.stringify(values), { mode: 0o600 });
      return { name: column.name, hasValues: values !== null };
    });
    this.#numbers.end(this.#rows);
    this.#isOpen = false;
    const { groups, places: grouped } = this.#groups.end();
    write("groups", grouped);
    const about: IndexAbout = { summary, counts: this.#order.counts(), tags, columns, groups, pairs: this.#pairs };
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
    if (this.#isOpen) for (const file of [...this.#tags.values(), ...this.#columns, this.#numbers]) file.close();
    this.#isOpen = false;
    rmSync(this.#part, { recursive: true, force: true });
  }
}

/** True where an index stands complete. */
export function hasIndex(folder: string): boolean {
  return existsSync(join(folder, "about.json"));
}

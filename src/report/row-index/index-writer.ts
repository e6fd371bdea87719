import { mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type Database from "better-sqlite3";
import { notPlanned } from "../../compare/cases/side-outcome.ts";
import { tempSuffix } from "../../lib/leftovers.ts";
import { isComparedIn, scoreAsCounted } from "../model/counted-score.ts";
import { rankOfRow, type SearchedRow } from "../model/row-figures.ts";
import { rowGroupsIn } from "../model/row-groups.ts";
import { isShown, lowestScore, rowFilters, slowestOf, timeOfSlow } from "../model/row-filters.ts";
import { runFigure, sideFigures } from "../model/run-figures.ts";
import type { ReportRow, ReportSummary } from "../shape/model.ts";
import type { ReportFrame } from "../shape/reporter.ts";
import type { RowGroup } from "../shape/row-group.ts";
import { folded } from "../../text/search-fold.ts";
import {
  comparedMask,
  filterCounts,
  createCache,
  figureSql,
  figureTables,
  flagsSql,
  hasIndex,
  hasTexts,
  idsOfRow,
  type IndexAbout,
  indexedName,
  maskOf,
  pairsOf,
  rowsFile,
  textsFile,
} from "./index-files.ts";

/** Begins a file in a folder for what is half made, which the next viewer removes where a killed process left it. */
function beginPart(
  folder: string,
  fileIn: (folder: string) => string,
  schema: string,
): { part: string; db: Database.Database } {
  const part = join(dirname(folder), `.${basename(folder)}-${tempSuffix()}`);
  mkdirSync(part, { recursive: true, mode: 0o700 });
  try {
    const db = createCache(fileIn(part));
    db.exec(`${schema}; BEGIN`);
    return { part, db };
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Writes what lists of a comparison need beside the database: the cases in their order, what they are filtered and
 * sorted by. The index stands complete or not at all.
 */
export class RowIndexWriter {
  readonly #folder: string;
  readonly #part: string;
  readonly #frame: ReportFrame;
  readonly #groupsOf: (row: ReportRow) => RowGroup[][];
  readonly #columns: readonly string[];
  readonly #db: Database.Database;
  /** The statement of each table, and the number of its values. */
  readonly #inserts: { insert: Database.Statement; values: number }[];
  readonly #tags = new Map<string, number>();
  /** Numbers of the groups: of those of the answers, then of each pair. */
  readonly #groups: Map<RowGroup, number>[] = [];
  readonly #names: Record<string, number> = {};
  readonly #times: number[] = [];

  /** `columns`: names of the columns of the sheet that queries may name. */
  constructor(folder: string, frame: ReportFrame, columns: readonly string[]) {
    this.#folder = folder;
    this.#frame = frame;
    this.#groupsOf = rowGroupsIn(frame);
    this.#columns = columns;
    const [first, ...others] = figureTables(frame);
    const fixed = ["case_id", "row", "turn", "conversation", "tags", "in_groups", "slow", "score"];
    const tables = [{ name: "row", columns: [...fixed, ...(first?.columns ?? [])] }, ...others];
    const made = tables.map(
      ({ name, columns: own }) => `CREATE TABLE ${name} (place INTEGER PRIMARY KEY, ${own.join(", ")})`,
    );
    const { part, db } = beginPart(
      folder,
      rowsFile,
      [...made, "CREATE TABLE about (json TEXT); CREATE TABLE summary (json TEXT)"].join("; "),
    );
    this.#part = part;
    this.#db = db;
    this.#inserts = tables.map(({ name, columns: { length } }) => ({
      insert: this.#db.prepare(`INSERT INTO ${name} VALUES (?${", ?".repeat(length)})`),
      values: length,
    }));
  }

  add(caseId: number, row: ReportRow): void {
    const place = this.#times.length;
    const slow = slowestOf(row);
    this.#times.push(slow);
    const values: unknown[] = [caseId, row.row, row.turn, row.cluster ?? row.key];
    values.push(this.#valuesOf(row.tags), this.#numbersOf(this.#groupsOf(row)), slow, lowestScore(row));
    for (let pair = 0; pair < pairsOf(this.#frame); pair++)
      values.push(flagsOf(row, pair), rankOfRow(row, pair), row.changes[pair]?.distance ?? null);
    this.#addSides(row, values);
    let from = 0;
    for (const { insert, values: length } of this.#inserts) {
      insert.run(place, values.slice(from, from + length));
      from += length;
    }
  }

  #addSides(row: ReportRow, values: unknown[]): void {
    for (const side of this.#frame.targets.keys()) {
      const own = row.sides[side];
      const first = own?.runs[0];
      for (const figure of sideFigures) values.push(runFigure(first, figure));
      values.push(first?.outcome ?? notPlanned, scoreAsCounted(row, side));
      for (const metric of this.#frame.metrics.keys()) values.push(own?.scores[metric]?.value ?? null);
    }
  }

  /** The tags of a row as a list, which has the value of each at its number. */
  #valuesOf(tags: ReportRow["tags"]): string {
    const values: (string | null)[] = Array.from(this.#tags, () => null);
    for (const [name, value] of Object.entries(tags)) {
      const number = this.#tags.get(name) ?? this.#tags.size;
      this.#tags.set(name, number);
      values[number] = value;
    }
    return JSON.stringify(values);
  }

  #numbersOf(groups: readonly RowGroup[][]): string {
    let numbers = "|";
    for (const [part, own] of groups.entries()) {
      const known = (this.#groups[part] ??= new Map<RowGroup, number>());
      for (const group of own) numbers += `${known.get(group) ?? this.#named(known, group, part)}|`;
    }
    return numbers;
  }

  #named(known: Map<RowGroup, number>, group: RowGroup, part: number): number {
    const number = this.#groups.reduce((sum, { size }) => sum + size, 0);
    known.set(group, number);
    this.#names[indexedName(group, part === 0 ? null : part - 1)] = number;
    return number;
  }

  /** Puts the index in its place; `summary`: of its comparison, where it is kept with it. */
  end(summary: ReportSummary | null): void {
    const from = timeOfSlow(Float32Array.from(this.#times));
    const slowFrom = Number.isFinite(from) ? from : null;
    const figures = figureSql(this.#frame);
    const counts = Array.from({ length: pairsOf(this.#frame) }, (_, pair) => {
      const flags = flagsSql(figures, pair, slowFrom);
      const times = this.#db.prepare<[], [number, number]>(`SELECT ${flags}, count(*) FROM row GROUP BY 1`);
      return filterCounts(times.raw().all());
    });
    const [tags, groups] = [Array.from(this.#tags.keys()), this.#names];
    const about: IndexAbout = { frame: this.#frame, counts, slowFrom, tags, groups, columns: this.#columns };
    this.#db.prepare("INSERT INTO about VALUES (?)").run(JSON.stringify(about));
    this.#db.prepare("INSERT INTO summary VALUES (?)").run(JSON.stringify(summary));
    this.#db.exec("COMMIT");
    this.#db.close();
    // Files that lay there before were not complete.
    if (!hasIndex(this.#folder)) rmSync(this.#folder, { recursive: true, force: true });
    try {
      renameSync(this.#part, this.#folder);
    } catch (error) {
      // Another viewer was quicker: its files say the same.
      if (!hasIndex(this.#folder)) throw error;
      this.discard();
    }
  }

  /** Leaves nothing behind. */
  discard(): void {
    this.#db.close();
    rmSync(this.#part, { recursive: true, force: true });
  }
}

function flagsOf(row: ReportRow, pair: number): number {
  const given = { pair, slowFrom: Number.POSITIVE_INFINITY };
  const compared = isComparedIn(row, pair) ? comparedMask : 0;
  return rowFilters.reduce((flags, filter) => (isShown(row, filter, given) ? flags | maskOf(filter) : flags), compared);
}

/** Writes the texts of the rows of an index that stands, in the order of its rows. They stand complete or not at all. */
export class TextIndexWriter {
  readonly #folder: string;
  readonly #part: string;
  readonly #columns: ReadonlySet<string>;
  readonly #db: Database.Database;
  readonly #insert: Database.Statement;
  #rows = 0;

  constructor(folder: string, columns: readonly string[]) {
    this.#folder = folder;
    this.#columns = new Set(columns);
    const schema = "CREATE TABLE text (id INTEGER PRIMARY KEY, parts TEXT, folded TEXT, raw TEXT)";
    const { part, db } = beginPart(folder, textsFile, schema);
    this.#part = part;
    this.#db = db;
    this.#insert = this.#db.prepare("INSERT INTO text VALUES (?, ?, ?, ?)");
  }

  add(row: SearchedRow): void {
    let id = this.#rows++ * idsOfRow;
    const { parts, others } = textsOf(row, this.#columns);
    for (const [text, own] of parts) {
      const form = folded(text);
      this.#insert.run(id++, own, form, form !== text && own.includes("|column_") ? text : null);
    }
    this.#insert.run(id, "", folded(others.join("\n")), null);
  }

  end(): void {
    this.#db.exec("COMMIT");
    this.#db.close();
    // Those of another viewer that was quicker say the same.
    if (!hasTexts(this.#folder)) renameSync(textsFile(this.#part), textsFile(this.#folder));
    this.discard();
  }

  /** Leaves nothing behind. */
  discard(): void {
    this.#db.close();
    rmSync(this.#part, { recursive: true, force: true });
  }
}

/**
 * Each text that a condition can ask about once, with the parts of the row that have it (`|question|answer_0|`), and the others,
 * which are searched alone.
 */
function textsOf(
  row: SearchedRow,
  columns: ReadonlySet<string>,
): { parts: ReadonlyMap<string, string>; others: string[] } {
  const parts = new Map<string, string>();
  const others = Object.values(row.tags);
  const add = (part: string, text: string | null | undefined): void => {
    const known = parts.get(text ?? "") ?? "|";
    if (!known.includes(`|${part}|`)) parts.set(text ?? "", `${known}${part}|`);
  };
  add("key", row.key);
  add("expected", row.expected);
  add("conversation", row.cluster);
  for (const { text } of row.input) add("question", text);
  for (const [side, { runs }] of row.sides.entries()) {
    for (const { answer, error, runId } of runs) {
      add(`answer_${side}`, answer);
      add(`error_${side}`, error);
      if (runId !== null) others.push(runId);
    }
  }
  let number = 0;
  for (const name of columns) add(`column_${number++}`, row.columns[name]);
  for (const [name, cell] of Object.entries(row.columns)) if (!columns.has(name)) others.push(cell);
  return { parts, others: others.filter((text) => !parts.has(text)) };
}

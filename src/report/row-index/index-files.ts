import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { rowFilters, type RowFilter } from "../model/row-filters.ts";
import { sideFigures } from "../model/run-figures.ts";
import { groupName } from "../model/row-groups.ts";
import type { ReportFrame } from "../shape/reporter.ts";
import type { RowGroup } from "../shape/row-group.ts";

/** Version of the files of an index; an index of another version is made again. */
export const indexFormat = 14;

/** The rows as lists need them. */
export const rowsFile = (folder: string): string => join(folder, "rows.sqlite");

/** The texts that searches read, which are written after the rows. */
export const textsFile = (folder: string): string => join(folder, "texts.sqlite");

/** True where an index stands complete. */
export const hasIndex = (folder: string): boolean => existsSync(rowsFile(folder));

/** True where the texts of an index stand complete. */
export const hasTexts = (folder: string): boolean => existsSync(textsFile(folder));

/** A group by the name that an index has for it; `pair`: of what it is compared with, null where that does not matter. */
export function indexedName(group: RowGroup, pair: number | null): string {
  return pair === null ? groupName(group) : `${pair} ${groupName(group)}`;
}

/** The head of an index: everything but the rows, and the summary that it may be kept with. */
export interface IndexAbout {
  frame: ReportFrame;
  /** Number of rows that each filter finds, for each pair. */
  counts: Record<string, number>[];
  /** Time from which an answer is slow; null: no time is known. */
  slowFrom: number | null;
  /** Names of tags, in the order of the values of a row. */
  tags: string[];
  /** Columns of the sheet that queries may name. */
  columns: readonly string[];
  /** Numbers of the groups by their names. */
  groups: Record<string, number>;
}

/** A database that its owner alone can read, and that is made again when its making is cut off. */
export function createCache(path: string): Database.Database {
  closeSync(openSync(path, "wx", 0o600));
  const db = new Database(path);
  // A search reads fewer pages where they are large.
  for (const setting of ["journal_mode = off", "synchronous = off", "page_size = 16384", "cache_size = -4000"])
    db.pragma(setting);
  return db;
}

/** Rows that are compared with nothing are kept as those of one pair. */
export const pairsOf = ({ pairs }: ReportFrame): number => Math.max(1, pairs.length);

/** The figures of a row, a column each. */
function figureColumns(frame: ReportFrame): string[] {
  return [
    ...Array.from({ length: pairsOf(frame) }, (_, pair) => [
      `flags_${pair}`,
      `rank_${pair}`,
      `distance_${pair}`,
    ]).flat(),
    ...frame.targets.flatMap((_, side) => [
      ...[...sideFigures, "outcome", "counted"].map((figure) => `${figure}_${side}`),
      ...frame.metrics.map((__, metric) => `score_${side}_${metric}`),
    ]),
  ];
}

/** SQLite has 2,000 columns in a table at most, and a comparison of many targets more figures. */
const mostColumns = 1000;

/** The tables of the figures: `row` has the first of them. */
export function figureTables(frame: ReportFrame): { name: string; columns: string[] }[] {
  const all = figureColumns(frame);
  return Array.from({ length: Math.max(1, Math.ceil(all.length / mostColumns)) }, (_, table) => ({
    name: table === 0 ? "row" : `figures_${table}`,
    columns: all.slice(table * mostColumns, (table + 1) * mostColumns),
  }));
}

/** Finds the SQL of a figure of a row by the name of its column. */
export function figureSql(frame: ReportFrame): (column: string) => string {
  const [, ...others] = figureTables(frame);
  const tables = new Map(others.flatMap(({ name, columns }) => columns.map((column) => [column, name] as const)));
  return (column) => {
    const table = tables.get(column);
    return table === undefined ? column : `(SELECT ${column} FROM ${table} WHERE ${table}.place = row.place)`;
  };
}

/** The bit of a filter among the flags of a row. */
export const maskOf = (filter: RowFilter): number => 1 << rowFilters.indexOf(filter);

/** The bit among the flags of a row that the pair compares. */
export const comparedMask = 1 << rowFilters.length;

/** The filters that a row meets by one of the pairs: rows are known to be slow when all are there. */
export function flagsSql(figures: (column: string) => string, pair: number, slowFrom: number | null): string {
  const slow = slowFrom === null ? "0" : `(slow >= ${slowFrom}) * ${maskOf("slow")}`;
  return `(${figures(`flags_${pair}`)} | ${slow})`;
}

/** Number of rows that each filter finds, by the number of rows with the same flags. */
export function filterCounts(times: Iterable<readonly [flags: number, rows: number]>): Record<string, number> {
  const found = new Map<string, number>([["all", 0], ...rowFilters.map((filter) => [filter, 0] as const)]);
  for (const [flags, rows] of times) {
    const met = rowFilters.filter((filter) => (flags & maskOf(filter)) !== 0);
    for (const filter of ["all", ...met]) found.set(filter, (found.get(filter) ?? 0) + rows);
  }
  return Object.fromEntries(found);
}

/** Texts of one row have ids from its place times this on. */
export const idsOfRow = 2 ** 22;

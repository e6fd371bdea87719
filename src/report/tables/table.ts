import { didYouMean } from "../../lib/suggest.ts";
import type { CaseComparison } from "../../compare/cases/case-comparison.ts";
import type { CaseResult } from "../../store/results/case-result.ts";
import type { ColumnType } from "../../lib/column-type.ts";
import type { Query } from "../query/query-text.ts";
import type { QueryFrame, RowCondition } from "../query/row-conditions.ts";
import type { Cell } from "./spreadsheet.ts";

/** A column of a table that is written. */
export interface TypedColumn {
  name: string;
  type: ColumnType;
  /** The column of the sheet that it is. */
  sheet?: string;
  /** Every value that it can have beside none. */
  values?: readonly string[];
  /** Values that a spreadsheet shows in a colour. */
  tones?: Readonly<Record<string, "good" | "bad">>;
}

/** The rows behind the lines of a table, for what a query asks of a row and not of a cell. */
export interface RowsBehind {
  frame: QueryFrame;
  /** Finds the rows of a query by one of the pairs: true while the line that was made last is of one of them. */
  find: (query: Query<RowCondition>, pair: number) => Promise<() => boolean>;
}

/** A table whose rows are made while it is written. */
export interface Table {
  /** Its name as a sheet of a workbook. */
  name?: string;
  columns: readonly TypedColumn[];
  rows: Iterable<readonly Cell[]>;
  /** The rows of the comparison that its lines are of. */
  behind?: RowsBehind;
}

/** A table as it is made, case by case. `Uncompared`: null where it takes cases that were not compared too. */
export interface TableOfCases<Uncompared extends null = never> {
  /** Its name as a sheet of a workbook. */
  name: string;
  columns: TypedColumn[];
  linesOf: (result: CaseResult, compared: CaseComparison | Uncompared) => Cell[][];
}

/** A piece of a file, in the order in which they are written. */
export type FilePiece = string | Uint8Array;

/** Makes a file of rows; what it holds of them is bounded. */
export interface TableEncoder {
  add: (row: readonly Cell[]) => void;
  /** True when there is enough to be written. */
  readonly isFull: boolean;
  /** The text or the bytes that can be written by now; may be empty. */
  take: () => FilePiece;
  /** The rest and the end of the file. */
  end: () => FilePiece;
}

/** The columns with a name of its own for each: a later one gets ` (2)` behind it. */
export function distinctColumns(columns: readonly TypedColumn[]): TypedColumn[] {
  const used = new Set<string>();
  return columns.map(({ name, ...column }) => {
    let own = name;
    for (let count = 2; used.has(own); count++) own = `${name} (${count})`;
    used.add(own);
    return { name: own, ...column };
  });
}

/**
 * Places of the columns that a name means: the one that has it; else with `*` for any letters all that are like it; else
 * those of every side, so that `verdict` is `test.verdict` where candidates have columns of their own. Empty: none.
 */
export function namedColumns(name: string, header: readonly string[]): number[] {
  const exact = header.indexOf(name);
  if (exact !== -1) return [exact];
  const pattern = name.includes("*") ? starred(name) : null;
  return header.flatMap((each, place) => ((pattern?.test(each) ?? each.endsWith(`.${name}`)) ? [place] : []));
}

function starred(name: string): RegExp {
  const parts = name.split("*").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "su");
}

const mostListed = 60;

/** Suggests columns for a name that none has. */
export function columnHint(name: string, header: readonly string[]): string {
  const more = header.length > mostListed ? `, ... (${header.length} in all)` : "";
  return didYouMean(name, header) ?? `Columns: ${header.slice(0, mostListed).join(", ")}${more}`;
}

import type { ComparisonFrame } from "../tables/comparison-table.ts";
import type { RunsFrame } from "../tables/runs-table.ts";
import type { SpreadsheetOptions } from "../tables/spreadsheet.ts";
import type { TableEncoder, TableOfCases, TypedColumn } from "../tables/table.ts";

interface TableFormatRow {
  /** The ends of file names that ask for it. */
  extensions: readonly [string, ...string[]];
  /** Its use, in a few words. */
  about: string;
  /** True where values keep their types. */
  isTyped: boolean;
  /** True where a value may hold others. */
  isNested?: boolean;
  /** It is no text: a terminal can show nothing of it. */
  isBinary?: boolean;
  make: () => Promise<(columns: readonly TypedColumn[], options: SpreadsheetOptions) => TableEncoder>;
}

/**
 * Every form that a table is written in, for `export` and for reports. It is loaded for `--help`, so that a form names
 * its encoder by an import that is not made before a table is.
 */
export const tableFormats = {
  csv: {
    extensions: [".csv"],
    about: "for spreadsheets",
    isTyped: false,
    make: async () => (await import("../tables/csv.ts")).csvEncoder,
  },
  jsonl: {
    extensions: [".jsonl", ".ndjson"],
    about: "a JSON object a line",
    isTyped: true,
    isNested: true,
    make: async () => (await import("../tables/json-rows.ts")).jsonLines,
  },
  xlsx: {
    extensions: [".xlsx"],
    about: "a workbook of Excel",
    isTyped: true,
    isBinary: true,
    make: async () => (await import("../tables/workbook/workbook.ts")).xlsxEncoder,
  },
} as const satisfies Record<string, TableFormatRow>;

/** The name of a form. */
export type TableFormat = keyof typeof tableFormats;

/** The names of all, for `--format` of `export`. */
export const tableFormatNames = ["csv", "jsonl", "xlsx"] as const satisfies readonly TableFormat[];

/** A form by its name. */
export function tableFormatNamed(name: TableFormat): TableFormatRow {
  return tableFormats[name];
}

/** The form that the end of a file name asks for; null: none does. */
export function tableFormatOf(extension: string): TableFormat | null {
  const isOf = (name: TableFormat): boolean => tableFormats[name].extensions.some((each) => each === extension);
  return tableFormatNames.find(isOf) ?? null;
}

/** Facts that the tables of a batch have before their first line. */
export type TableFrame = ComparisonFrame & RunsFrame;

interface CaseTableRow {
  /** Its lines, in a few words. */
  about: string;
  make: () => Promise<(frame: TableFrame) => TableOfCases>;
}

/**
 * Every table that is made case by case: those of reports, of `export` and of the page. It is loaded for `--help`, so that a table
 * is named by an import that is not made before it is.
 */
export const caseTables = {
  runs: { about: "a line for each job", make: async () => (await import("../tables/runs-table.ts")).runsTable },
  comparison: {
    about: "a line for each case",
    make: async () => (await import("../tables/comparison-table.ts")).comparisonTable,
  },
} as const satisfies Record<string, CaseTableRow>;

/** The name of a table. */
export type CaseTableName = keyof typeof caseTables;

/** The names of all, for `--form` of `export`. */
export const caseTableNames = ["runs", "comparison"] as const satisfies readonly CaseTableName[];

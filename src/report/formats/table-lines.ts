import type { CaseComparison } from "../../compare/cases/case-comparison.ts";
import type { ComparisonTable } from "../tables/comparison-table.ts";
import type { ReportSummary } from "../shape/model.ts";
import type { CaseResult } from "../../store/results/case-result.ts";
import type { RunsTable } from "../tables/runs-table.ts";
import type { Cell } from "../tables/spreadsheet.ts";
import type { FilePiece, TypedColumn } from "../tables/table.ts";

/** Facts that a table has before its first line. */
export interface TableFrame {
  comparisonPlan: ComparisonTable["comparisonPlan"];
  /** See `ComparisonTable`. */
  asked: readonly string[];
  runs: RunsTable;
  /** See `RunsTable`. */
  withTags: boolean;
}

/** A table as it is made, case by case. */
export interface TableLines {
  columns: TypedColumn[];
  linesOf: (result: CaseResult, compared: CaseComparison) => Cell[][];
}

/** Several tables in one file, as they are made, case by case. The memory for rows is bounded. */
export interface WorkbookWriter {
  /** A piece that is kept in a file until `head` is written; may be empty. */
  add: (result: CaseResult, compared: CaseComparison) => FilePiece;
  /** A piece that goes into the file at once; may be empty. */
  ahead: () => FilePiece;
  /** The rest of what goes before all that is kept. */
  head: (summary: ReportSummary) => FilePiece;
  end: (summary: ReportSummary) => FilePiece;
}

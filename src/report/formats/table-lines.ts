import type { CaseComparison } from "../../compare/cases/case-comparison.ts";
import type { ComparisonTable } from "../tables/comparison-table.ts";
import type { CaseResult } from "../../store/results/case-result.ts";
import type { RunsTable } from "../tables/runs-table.ts";
import type { Cell } from "../tables/spreadsheet.ts";
import type { TypedColumn } from "../tables/table.ts";

/** Facts that a table has before its first line. */
export interface TableFrame {
  comparisonPlan: ComparisonTable["comparisonPlan"];
  runs: RunsTable;
  /** See `RunsTable`. */
  withTags: boolean;
}

/** A table as it is made, case by case. */
export interface TableLines {
  columns: TypedColumn[];
  linesOf: (result: CaseResult, compared: CaseComparison) => Cell[][];
}

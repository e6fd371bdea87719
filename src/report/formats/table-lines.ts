import type { CaseComparison } from "../../compare/cases/case-comparison.ts";
import type { ComparisonTable } from "../tables/comparison-csv.ts";
import type { RunsResult, RunsTable } from "../tables/runs-csv.ts";
import type { Cell } from "../tables/spreadsheet.ts";

/** Facts that a table has before its first line. */
export interface TableFrame {
  comparisonPlan: ComparisonTable["comparisonPlan"];
  runs: RunsTable;
}

/** A table as it is made, case by case. */
export interface TableLines {
  header: Cell[];
  linesOf: (result: RunsResult, compared: CaseComparison) => Cell[][];
}

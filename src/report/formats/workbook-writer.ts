import type { CaseComparison } from "../../compare/cases/case-comparison.ts";
import type { FilePiece } from "../tables/table.ts";
import type { ReportSummary } from "../shape/model.ts";
import type { CaseResult } from "../../store/results/case-result.ts";

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

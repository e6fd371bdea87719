import { comparisonRows } from "../tables/comparison-table.ts";
import type { TableFrame, TableLines } from "./table-lines.ts";

/** `comparison.csv` and its like: a line for each case. */
export function comparisonLines({ comparisonPlan, asked, runs, withTags }: TableFrame): TableLines {
  const { columns, rowOf } = comparisonRows({ comparisonPlan, columns: runs.columns, asked, withTags });
  return { columns, linesOf: (_, compared) => [rowOf(compared)] };
}

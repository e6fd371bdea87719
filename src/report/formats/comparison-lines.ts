import { comparisonRows } from "../tables/comparison-csv.ts";
import type { TableFrame, TableLines } from "./table-lines.ts";

/** `comparison.csv`: a line for each case. */
export function comparisonLines({ comparisonPlan, runs: { columns } }: TableFrame): TableLines {
  const { header, rowOf } = comparisonRows({ comparisonPlan, columns });
  return { header, linesOf: (_, compared) => [rowOf(compared)] };
}

import { runsRows } from "../tables/runs-csv.ts";
import type { TableFrame, TableLines } from "./table-lines.ts";

/** `runs.csv`: a line for each job. */
export function runsLines({ runs }: TableFrame): TableLines {
  const { header, rowsOf } = runsRows(runs);
  return { header, linesOf: (result, { sides }) => rowsOf(result, sides) };
}

import { runsRows } from "../tables/runs-table.ts";
import type { TableFrame, TableLines } from "./table-lines.ts";

/** `runs.csv` and its like: a line for each job. */
export function runsLines({ runs, withTags }: TableFrame): TableLines {
  const { columns, rowsOf } = runsRows({ ...runs, withTags });
  return { columns, linesOf: (result, { sides }) => rowsOf(result, sides) };
}

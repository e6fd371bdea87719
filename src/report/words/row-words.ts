import type { ReportRow } from "../shape/row.ts";

/** The place of a row as its reader knows it: `row 12`, of several files `b.csv row 12`; empty where it is of none. */
export function rowWords({ row, file }: Pick<ReportRow, "row" | "file">): string {
  if (row === null) return "";
  return file === null ? `row ${row}` : `${file} row ${row}`;
}

import type { ReportRow } from "../shape/row.ts";

/** The place of a row as its reader knows it: `row 12`, of several files `b.csv row 12`; empty where it is of none. */
export function rowWords({ row, file }: Pick<ReportRow, "row" | "file">): string {
  if (row === null) return "";
  return file === null ? `row ${row}` : `${file} row ${row}`;
}

/** A key that was made of the input, because the sheet has none: it tells a reader nothing. */
export function isMadeKey(key: string): boolean {
  return /^[0-9a-f]{16}(#\d+)?$/.test(key);
}

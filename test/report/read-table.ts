import { csvEncoder } from "../../src/report/tables/csv.ts";
import { encodedTable } from "../../src/report/tables/encoded-table.ts";
import type { SpreadsheetOptions } from "../../src/report/tables/spreadsheet.ts";
import type { Table } from "../../src/report/tables/table.ts";
import type { WantedPart } from "../../src/report/tables/table-view.ts";

/** A table as CSV, piece by piece. */
export function* csvOf(
  table: Table,
  { wanted, ...options }: Partial<SpreadsheetOptions> & { wanted?: WantedPart } = {},
): Generator<string> {
  const encoderOf = (columns: Table["columns"]) => csvEncoder(columns, { excel: false, raw: false, ...options });
  for (const piece of encodedTable(table, encoderOf, wanted)) yield String(piece);
}

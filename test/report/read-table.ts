import { csvEncoder } from "../../src/report/tables/csv.ts";
import { type TableSelection, tablePieces } from "../../src/report/tables/selection.ts";
import type { SpreadsheetOptions } from "../../src/report/tables/spreadsheet.ts";
import type { RowsBehind, Table } from "../../src/report/tables/table.ts";
import type { RowCondition } from "../../src/report/query/row-conditions.ts";
import type { Query } from "../../src/report/query/query-text.ts";

/** A table as CSV, piece by piece. */
export function* csvOf(
  table: Table,
  { selection, ...options }: Partial<SpreadsheetOptions> & { selection?: TableSelection } = {},
): Generator<string> {
  const encoderOf = (columns: Table["columns"]) => csvEncoder(columns, { excel: false, raw: false, ...options });
  for (const piece of tablePieces(table, encoderOf, selection)) yield String(piece);
}

/** Rows behind a table that meet whatever is asked of them; `asked` is told what that was. */
export function rowsBehind(asked: (query: Query<RowCondition>) => void = () => {}): RowsBehind {
  return {
    frame: {
      targets: ["prod", "test"],
      pairs: [{ baseline: "prod", candidate: "test" }],
      metrics: [{ name: "correct" }],
      tags: ["lang"],
      columns: ["My column"],
    },
    find: async (query) => {
      asked(query);
      return () => true;
    },
  };
}

import { csvEncoder } from "../../src/report/tables/csv.ts";
import { encodedTable } from "../../src/report/tables/encoded-table.ts";
import type { SpreadsheetOptions } from "../../src/report/tables/spreadsheet.ts";
import type { RowsBehind, Table } from "../../src/report/tables/table.ts";
import type { RowCondition } from "../../src/report/query/row-conditions.ts";
import type { Query } from "../../src/report/query/query-text.ts";
import type { WantedPart } from "../../src/report/tables/table-view.ts";

/** A table as CSV, piece by piece. */
export function* csvOf(
  table: Table,
  { wanted, ...options }: Partial<SpreadsheetOptions> & { wanted?: WantedPart } = {},
): Generator<string> {
  const encoderOf = (columns: Table["columns"]) => csvEncoder(columns, { excel: false, raw: false, ...options });
  for (const piece of encodedTable(table, encoderOf, wanted)) yield String(piece);
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

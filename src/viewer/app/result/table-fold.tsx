import type { DocTable } from "../../../report/shape/doc.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { number } from "../../../report/say/quantity.ts";
import type { SetAddress } from "../data/address.ts";
import { DocTableView } from "../parts/doc.tsx";

const most = 12;

/** A table of the report behind its name and the number of its lines; nothing where it has none. */
export function TableFold(props: { table: DocTable; summary: ReportSummary; setAddress: SetAddress }) {
  const { table, ...place } = props;
  if (table.rows.length === 0) return null;
  return (
    <details>
      <summary>
        {table.name} ({number(table.rows.length)})
      </summary>
      <DocTableView table={table} most={most} where=" in report.json" {...place} />
    </details>
  );
}

import { fieldTable } from "../../../report/doc/difference-tables.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { number } from "../../../report/say/quantity.ts";
import type { SetAddress } from "../data/address.ts";
import { DocTableView } from "../parts/doc.tsx";

const most = 8;

/** Output fields that differ from the baseline, and the number of cases in which they do. */
export function OutputFields(props: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = props;
  const table = fieldTable(summary, summary.candidates[candidate] ?? "");
  if (table.rows.length === 0) return null;
  return (
    <details>
      <summary>
        {table.name} ({number(table.rows.length)})
      </summary>
      <DocTableView
        table={table}
        most={most}
        where=": see the rows whose output fields differ"
        {...{ summary, setAddress }}
      />
    </details>
  );
}

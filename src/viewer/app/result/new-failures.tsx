import { failureTables } from "../../../report/doc/failure-tables.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { number } from "../../../report/words/quantity.ts";
import type { SetAddress } from "../data/address.ts";
import { DocTableView } from "../parts/doc.tsx";

const most = 8;

/** Newly failing rows by what the candidate says in them, and what their prompts have in common. */
export function NewFailuresView(props: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = props;
  const name = summary.candidates[candidate] ?? "";
  const failures = summary.newFailures?.find((each) => each.candidate === name);
  if (failures === undefined) return null;
  const tables = failureTables(summary, name);
  const { whyNoCommon, common } = failures;
  if (tables.length === 0 && whyNoCommon === null) return null;
  return (
    <details class="new-failures" open={failures.said.length > 0}>
      <summary>Newly failing rows in groups ({number(failures.rows)})</summary>
      {tables.map((table) => (
        <div key={table.name}>
          <h3>{table.name}</h3>
          <DocTableView table={table} most={most} where=": see the newly failing rows" {...{ summary, setAddress }} />
        </div>
      ))}
      {common.length === 0 && (
        <p class="quiet">
          {whyNoCommon === null
            ? "Nothing is far more frequent in newly failing prompts than in those that still pass."
            : `It is not told what the prompts have in common: ${whyNoCommon}.`}
        </p>
      )}
    </details>
  );
}

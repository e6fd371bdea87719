import { choiceTable } from "../../../report/doc/choice-table.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import type { SetAddress } from "../data/address.ts";
import { FrontPicture } from "../charts/front.tsx";
import { DocTableView } from "../parts/doc.tsx";

/** The configurations that are chosen among: score against cost or time, and a table of all of it. */
export function ChoiceView({ summary, setAddress }: { summary: ReportSummary; setAddress: SetAddress }) {
  const { choice, metrics } = summary;
  const table = choiceTable(summary);
  const about = metrics.find(({ name }) => name === choice?.metric);
  if (table === null || choice === undefined || about === undefined) return null;
  return (
    <section class="choice-of-many" aria-label="Configurations that are chosen among">
      {choice.fronts.length > 0 && <FrontPicture {...{ summary, choice, about }} />}
      <details>
        <summary>All figures</summary>
        <DocTableView table={table} {...{ summary, setAddress }} />
      </details>
    </section>
  );
}

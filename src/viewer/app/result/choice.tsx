import { choiceTable } from "../../../report/doc/choice-table.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import type { SetAddress } from "../data/address.ts";
import { number } from "../../../report/say/quantity.ts";
import { FrontPicture } from "../charts/front.tsx";
import { PlacesPicture } from "../charts/places.tsx";
import { DocTableView } from "../parts/doc.tsx";

/** The places of more than these are folded away. */
const mostOpen = 12;

/** The configurations that are chosen among: score against cost or time, the places that each may have, and a table of all of it. */
export function ChoiceView({ summary, setAddress }: { summary: ReportSummary; setAddress: SetAddress }) {
  const { choice, metrics } = summary;
  const table = choiceTable(summary);
  const about = metrics.find(({ name }) => name === choice?.metric);
  if (table === null || choice === undefined || about === undefined) return null;
  const hasPictures = choice.fronts.length > 0 || choice.ranks.length > 1;
  return (
    <section class="choice-of-many" aria-label="Configurations that are chosen among">
      {hasPictures && (
        <div class="choice-pictures">
          <FrontPicture {...{ summary, choice, about }} />
          {choice.ranks.length <= mostOpen ? (
            <PlacesPicture {...{ summary, choice, about }} />
          ) : (
            <details>
              <summary>Places of all {number(choice.ranks.length)}</summary>
              <PlacesPicture {...{ summary, choice, about }} />
            </details>
          )}
        </div>
      )}
      <details>
        <summary>All figures</summary>
        <DocTableView table={table} {...{ summary, setAddress }} />
      </details>
    </section>
  );
}

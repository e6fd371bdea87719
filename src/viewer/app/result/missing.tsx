import type { ReportSummary } from "../../../report/shape/model.ts";
import { reasonHeading, reasonsOf } from "../../../report/words/reason-words.ts";
import type { SetAddress } from "../data/address.ts";
import { ReasonList } from "../rows/reason-list.tsx";
import { RowsLink } from "../rows/rows-link.tsx";

/** Number of reasons that are read at a glance: more where they are why nothing is decided. */
const most = { decided: 3, invalid: 6 };

/**
 * The reasons why answers are missing: those of the candidate, and of both sides where the comparison is invalid. Errors
 * that differ only in numbers are one line, which leads to its rows.
 */
export function Missing(given: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = given;
  const { verdict, targets, candidates } = summary;
  const isInvalid = verdict.state === "invalid";
  const reasons = reasonsOf(targets.filter(({ name }) => isInvalid || name === candidates[candidate])).filter(
    ({ missing }) => isInvalid || missing === "answer",
  );
  if (!reasons.some(({ missing }) => missing === "answer")) return null;
  const shown = isInvalid ? most.invalid : most.decided;
  return (
    <section class="missing" aria-labelledby="missing">
      <h2 id="missing">{reasonHeading(reasons)}</h2>
      <ReasonList reasons={reasons} most={shown} several setAddress={setAddress} />
      {reasons.length > shown && (
        <RowsLink to={{ show: "errors", sort: "rank" }} setAddress={setAddress}>
          All rows with errors
        </RowsLink>
      )}
    </section>
  );
}

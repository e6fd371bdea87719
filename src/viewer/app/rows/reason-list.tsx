import { rowGroup } from "../../../report/model/row-groups.ts";
import type { RowGroup } from "../../../report/shape/row-group.ts";
import { type Reason, suchAs } from "../../../report/words/reason-words.ts";
import { counted } from "../../../report/words/quantity.ts";
import type { SetAddress } from "../data/address.ts";
import { RowsLink } from "./rows-link.tsx";

/** The rows that a reason is about. */
const groupOf = (reason: Reason): RowGroup =>
  reason.missing === "grade"
    ? rowGroup.ungraded(reason.target, reason.metric)
    : rowGroup.error(reason.target, reason.outcome, reason.message);

/** Reasons why answers or grades are missing, each a way to its rows. */
export function ReasonList(props: {
  reasons: readonly Reason[];
  most: number;
  /** True to name the target of each. */
  several: boolean;
  setAddress: SetAddress;
}) {
  const { reasons, most, several, setAddress } = props;
  return (
    <ul class="first-errors">
      {reasons.slice(0, most).map((reason) => (
        <li key={`${reason.target} ${reason.text}`} dir="auto">
          <span class="times">
            {counted(reason.jobs, "run")}:{" "}
            {several && (
              <>
                <bdi>{reason.target}</bdi>,{" "}
              </>
            )}
          </span>
          <span>
            <RowsLink to={{ group: groupOf(reason), sort: "rank" }} setAddress={setAddress}>
              {reason.text}
            </RowsLink>
            {several && suchAs(reason, String)}
          </span>
        </li>
      ))}
    </ul>
  );
}

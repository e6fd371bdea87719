import type { PastBatch, ReportSummary } from "../../report/shape/model.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { historyOf } from "./history.ts";

/** Number of batches in a chart. */
const mostBatches = 60;

/** The batches of a suite up to this one as a report shows them, and the alarms that a person has to know of with it. */
export function pastOf(
  db: Connection,
  { suiteName, id }: Pick<Batch, "suiteName" | "id">,
): Pick<ReportSummary, "past" | "alarms"> {
  const { nights, alarms } = historyOf(db, suiteName, { upTo: id });
  const compared = nights.filter(({ targets }) => targets.length > 0);
  return {
    past: compared
      .slice(-mostBatches)
      .map(({ batch, at, label, verdict, otherCases, changes, noticed, scores }): PastBatch => {
        return { batch, at, label, verdict, otherCases, changes, noticed, scores };
      }),
    alarms: alarms.filter(({ state }) => state === "new" || state === "still" || state === "over"),
  };
}

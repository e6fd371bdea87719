import type { SecondLook } from "../../compare/two-looks.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { firstLookRuns, hasSecondLook, secondLookJobs } from "../../store/plan/second-look.ts";
import { counted, number } from "../../report/words/quantity.ts";

/** The second look of a batch, and why it does not count where it was cut short; null: there was none. */
export function secondLookOf(db: Connection, { id, state, reason }: Batch): SecondLook | null {
  if (!hasSecondLook(db, id)) return null;
  const { jobs, left } = secondLookJobs(db, id);
  const cause = reason ?? (state === "stopped" ? "it was stopped" : "it is not finished");
  const unfinished = left === 0 ? null : `${number(left)} of ${counted(jobs, "further run")} were not made: ${cause}`;
  return { planned: firstLookRuns(db, id), unfinished };
}

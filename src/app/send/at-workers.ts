import { AppError } from "../../errors.ts";
import { counted } from "../../report/say/quantity.ts";
import { atWorkers } from "../../store/at-workers.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import type { InDoubtPolicy } from "../../store/journal/in-doubt.ts";
import { giveUpWorkers } from "../../store/journal/lost-workers.ts";

/** Throws BATCH_AT_WORKERS where workers may be sending a batch: from here, everything would be sent a second time. */
export function refuseAtWorkers(db: Connection, { id, name }: Batch): void {
  if (atWorkers(db, id)?.rests !== false) return;
  throw new AppError(
    "BATCH_AT_WORKERS",
    `${name} is at the workers, who may be sending it: nothing of it is sent from here.`,
    {
      hint: `Resume it there: tandem resume ${name} --workers URL; Ctrl-C then stops it there and brings what is done, and tandem resume ${name} continues here. If their PostgreSQL is gone for good: tandem resume ${name} --workers-lost`,
    },
  );
}

/**
 * Gives up what workers whose database is gone for good may have done of a batch; returns words on what that means. Throws
 * USAGE where nothing is lost.
 */
export function giveUpLost(db: Connection, { id, name }: Batch, policy: InDoubtPolicy): string {
  if (atWorkers(db, id)?.rests !== false) {
    throw new AppError("USAGE", `${name} is not at workers, and nothing of it is lost.`, {
      hint: `Resume it without --workers-lost: tandem resume ${name}`,
    });
  }
  const { jobs, inDoubt } = giveUpWorkers(db, id, policy);
  if (inDoubt === 0) return `${name}: nothing is lost with its workers: all that was to be sent has its answer here.`;
  const doubt =
    inDoubt === 1
      ? "1 job has no answer here, and may have been sent"
      : `${counted(inDoubt, "job")} have no answer here, and any of them may have been sent`;
  return `${name}: of ${counted(jobs, "job")}, ${doubt} and paid. ${doneWith[policy]}`;
}

const doneWith: Record<InDoubtPolicy, string> = {
  hold: "They are held, and nothing of them is sent (--on-in-doubt resend sends them again, --on-in-doubt fail ends them).",
  resend: "They are sent again: the service may answer, and charge for, some of them twice.",
  fail: "They end as failed.",
};

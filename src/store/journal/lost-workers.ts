import { ofBatch } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { inTransaction, selectRows, selectValue } from "../sqlite.ts";
import { noteRests } from "../at-workers.ts";
import { type Doubt, doubtWriter } from "./doubt.ts";
import type { InDoubtPolicy } from "./in-doubt.ts";

/** Jobs of a batch, for one whose workers' database is lost. */
export interface LostAtWorkers {
  jobs: number;
  /** Jobs of which any may have been sent: no answer of theirs is here, and they wait for none. */
  inDoubt: number;
}

/**
 * Gives up what the workers of a batch may know of it: each job that has no answer here may have been sent, so that it is in
 * doubt from now on. `resend` leaves those jobs to be sent, `hold` and `fail` do with them what they say. A turn that waits
 * for one of them would be sent with another conversation, and waits on. Only for the holder of the batch's lock.
 */
export function giveUpWorkers(db: Connection, batchId: number, policy: InDoubtPolicy): LostAtWorkers {
  return inTransaction(db, () => {
    const write = doubtWriter(db, "database");
    const doubts = selectRows<Doubt>(
      db,
      `SELECT job.id AS jobId, 1 + coalesce((SELECT max(number) FROM attempt WHERE attempt.job_id = job.id), 0) AS number,
         @now AS queuedAt
       FROM job LEFT JOIN job AS earlier ON earlier.id = job.waits_for
       WHERE ${ofBatch()} AND job.outcome IS NULL AND (job.waits_for IS NULL OR earlier.outcome = 'ok')`,
      { batch: batchId, now: Date.now() },
    );
    for (const doubt of doubts) {
      write.mark(doubt);
      if (policy !== "resend") write.end(doubt.jobId, policy === "hold" ? "held" : "in-doubt");
    }
    noteRests(db, batchId, true);
    return {
      jobs: selectValue<number>(db, `SELECT count(*) FROM job WHERE ${ofBatch()}`, { batch: batchId }) ?? 0,
      inDoubt: doubts.length,
    };
  });
}

import { ofPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { failedSql, followingSql } from "../outcome-lists.ts";
import { execute, inTransaction, selectValue } from "../sqlite.ts";

const failed = `SELECT id FROM job WHERE ${ofPlan()} AND kind = 'case' AND outcome IN (${failedSql})`;

/** Number of the jobs of a batch that ended without an answer. */
export function failedJobs(db: Connection, batchId: number): number {
  return selectValue<number>(db, `SELECT count(*) FROM (${failed})`, { batch: batchId }) ?? 0;
}

/**
 * Makes the jobs that ended without an answer pending again, with all their tries, and the later turns of their conversations. Attempts
 * of before stay. Only for the holder of the batch's lock. Returns how many had failed.
 */
export function reopenFailed(db: Connection, batchId: number, at: number): number {
  return inTransaction(db, () => {
    const count = failedJobs(db, batchId);
    if (count === 0) return 0;
    execute(
      db,
      `WITH RECURSIVE again (id) AS (
         ${failed}
         UNION SELECT job.id FROM again JOIN job ON job.waits_for = again.id WHERE job.outcome IN (${followingSql}))
       UPDATE job SET outcome = NULL, error = NULL, attempt = NULL,
         corrected_after = (SELECT max(number) FROM attempt WHERE attempt.job_id = job.id)
       WHERE id IN (SELECT id FROM again)`,
      { batch: batchId },
    );
    execute(db, "UPDATE scoring SET complete = 0 WHERE batch_id = ?", [batchId]);
    const text =
      count === 1 ? "1 run without an answer was asked again" : `${count} runs without an answer were asked again`;
    execute(db, "INSERT INTO change (batch_id, at, text) VALUES (?, ?, ?)", [batchId, at, text]);
    return count;
  });
}

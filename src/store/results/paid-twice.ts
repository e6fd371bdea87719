import { inPlan, ofJudges } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

/** Requests of these rows were let through by nobody: they cannot have cost anything. */
const unpaid = "'throttled', 'not-sent'";

/**
 * Target id to its requests that were sent although an earlier one for the same job may have been charged: those of
 * cases and of questions to judges, those in doubt, and those that are in flight. The attempts are the only source of
 * this number. A target without any is left out.
 */
export function possiblyPaidTwice(db: Connection, batchId: number): Map<number, number> {
  const rows = sqlite(db)
    .prepare<{ batch: number }, { targetId: number; count: number }>(
      `SELECT job.target_id AS targetId, count(*) AS count
       FROM (
         SELECT job_id, number FROM attempt
         WHERE ${inPlan("job_id")} AND number > 1 AND outcome NOT IN (${unpaid})
         UNION -- the questions to judges lie behind the plan, those of a second look apart
         SELECT attempt.job_id, attempt.number FROM job AS question CROSS JOIN attempt ON attempt.job_id = question.id
         WHERE ${ofJudges("question")} AND attempt.number > 1 AND attempt.outcome NOT IN (${unpaid})
         UNION ALL
         SELECT job_id, number FROM sending WHERE number > 1
       ) AS again
       JOIN job ON job.id = again.job_id
       WHERE job.batch_id = @batch AND EXISTS (
         SELECT 1 FROM attempt AS earlier
         WHERE earlier.job_id = again.job_id AND earlier.number < again.number AND earlier.possibly_paid = 1)
       GROUP BY 1`,
    )
    .all({ batch: batchId });
  return new Map(rows.map(({ targetId, count }) => [targetId, count]));
}

import type { Connection } from "./connection.ts";
import { execute, selectRows, selectValue } from "./sqlite.ts";

/*
 * Conditions of SQL for the jobs of the batch `@batch`. No index has the batch, which would cost every job that is planned: a
 * condition on `batch_id` alone reads the jobs of all batches of the file. The ids of a plan, and of a second look, lie between
 * two that the batch knows; questions to judges come later, and have indexes of their own.
 */

/** The column holds an id between those of the first and the last job of the plan; in between there may be jobs of other batches. */
export const inPlan = (jobId: string): string =>
  `${jobId} BETWEEN (SELECT first_job FROM batch WHERE batch.id = @batch) AND (SELECT last_job FROM batch WHERE batch.id = @batch)`;

/** The job is one of the plan or of a second look. `job` is the name of its table in the statement. */
export const ofPlan = (job = "job"): string => `${inPlan(`${job}.id`)} AND +${job}.batch_id = @batch`;

/** The job is a question to a judge. */
export const ofJudges = (job = "job"): string => `${job}.batch_id = @batch AND ${job}.kind = 'judge'`;

/** The job is a question that tries a judge. */
export const ofProbes = (job = "job"): string => `${job}.batch_id = @batch AND ${job}.kind = 'probe'`;

/** The job is one of the batch, whatever it is for. */
export const ofBatch = (job = "job"): string => `(${ofPlan(job)} OR ${ofJudges(job)} OR ${ofProbes(job)})`;

/** The job that was planned last in this file, of whatever batch; 0: there is none. */
export function lastPlanned(db: Connection): number {
  return selectValue<number>(db, "SELECT coalesce(max(id), 0) FROM job") ?? 0;
}

/** Notes the jobs that this transaction has written, after the one that was the last, as the plan of a batch. */
export function notePlan(db: Connection, batchId: number, lastBefore: number): void {
  execute(
    db,
    "UPDATE batch SET first_job = (SELECT min(id) FROM job WHERE id > @before), last_job = (SELECT max(id) FROM job WHERE id > @before) WHERE id = @batch",
    { batch: batchId, before: lastBefore },
  );
}

/** Target id to the number of its jobs that meet a condition on `@batch`; a target without any is left out. */
export function jobsByTarget(db: Connection, batch: number, where: string): Map<number, number> {
  const rows = selectRows<{ id: number; count: number }>(
    db,
    `SELECT target_id AS id, count(*) AS count FROM job WHERE ${where} GROUP BY target_id`,
    { batch },
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

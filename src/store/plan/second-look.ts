import type { Job } from "../../plan/job.ts";
import { ofPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { execute, inTransaction, selectRow, sqlite } from "../sqlite.ts";
import { jobWriter } from "./plan.ts";

/** True for a batch whose cases were asked once more, or are to be. */
export function hasSecondLook(db: Connection, batchId: number): boolean {
  return selectRow(db, "SELECT 1 FROM second_look WHERE batch_id = ?", [batchId]) !== undefined;
}

/** Target id to its runs of each case that are the first look. */
export function firstLookRuns(db: Connection, batchId: number): Map<number, number> {
  const rows = sqlite(db)
    .prepare<[number], [number, number]>("SELECT id, repeats FROM target WHERE batch_id = ? AND role = 'case'")
    .raw()
    .all(batchId);
  return new Map(rows);
}

/** Counts the jobs of a second look: all, and those that are not finished. */
export function secondLookJobs(db: Connection, batchId: number): { jobs: number; left: number } {
  return (
    selectRow<{ jobs: number; left: number }>(
      db,
      `SELECT count(*) AS jobs, count(*) FILTER (WHERE outcome IS NULL) AS left
       FROM job CROSS JOIN target ON target.id = job.target_id
       WHERE ${ofPlan()} AND job.kind = 'case' AND job.repeat > target.repeats`,
      { batch: batchId },
    ) ?? { jobs: 0, left: 0 }
  );
}

/**
 * Adds the jobs of a second look behind those of the plan, all or none of them: a batch that is killed later knows that
 * they are to be sent. Its grading is not complete any more. Only for the holder of the batch's lock. Returns their number.
 */
export function addSecondLook(
  db: Connection,
  batchId: number,
  { jobs, at }: { jobs: Iterable<Job>; at: number },
): number {
  const sql = sqlite(db);
  const planned = sql
    .prepare<[number], number>("SELECT coalesce(last_job - first_job + 1, 0) FROM batch WHERE id = ?")
    .pluck();
  const note = sql.prepare("INSERT INTO second_look (batch_id, at, planned, jobs) VALUES (?, ?, ?, ?)");
  return inTransaction(db, () => {
    const before = planned.get(batchId) ?? 0;
    const writer = jobWriter(db, batchId);
    for (const job of jobs) writer.add(job);
    const { count, last } = writer;
    if (last === null) return 0;
    execute(db, "UPDATE batch SET last_job = ?, state = 'planned', finished_at = NULL WHERE id = ?", [last, batchId]);
    // Grades that take time are taken over from a scoring that had not everything to grade.
    execute(db, "UPDATE scoring SET complete = 0 WHERE batch_id = ?", [batchId]);
    note.run(batchId, at, before, count);
    return count;
  });
}

/** Notes for a batch that was put together of others that some of its jobs are a second look. */
export function noteSecondLook(db: Connection, batchId: number, at: number): void {
  const { jobs } = secondLookJobs(db, batchId);
  execute(
    db,
    `INSERT INTO second_look (batch_id, at, planned, jobs)
     SELECT @batch, @at, count(*) - @jobs, @jobs FROM job WHERE ${ofPlan()} AND kind = 'case'`,
    { batch: batchId, at, jobs },
  );
}

import { ofPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { execute, selectValue } from "../sqlite.ts";

const ofCases = `${ofPlan()} AND kind = 'case'`;

/** Leaves out every job of a batch that is not finished, but for those of a second look: it was decided without them. Returns how many. */
export function spareJobs(db: Connection, batchId: number): number {
  return execute(
    db,
    `UPDATE job SET outcome = 'spared' WHERE ${ofCases} AND outcome IS NULL
     AND repeat <= (SELECT repeats FROM target WHERE target.id = job.target_id)`,
    { batch: batchId },
  ).changes;
}

/**
 * Leaves out the jobs of some targets that are not asked any more and were not finished; those that were sent and have no answer stay
 * as they are. Returns how many.
 */
export function spareTargets(db: Connection, batchId: number, targetIds: readonly number[]): number {
  if (targetIds.length === 0) return 0;
  return execute(
    db,
    `UPDATE job SET outcome = 'spared' WHERE ${ofCases} AND outcome IS NULL
     AND target_id IN (SELECT value FROM json_each(@targets))
     AND NOT EXISTS (SELECT 1 FROM sending WHERE sending.job_id = job.id)`,
    { batch: batchId, targets: JSON.stringify(targetIds) },
  ).changes;
}

/** Makes the jobs that were left out pending again. Returns how many. */
export function unspareJobs(db: Connection, batchId: number): number {
  return execute(db, `UPDATE job SET outcome = NULL WHERE ${ofCases} AND outcome = 'spared'`, { batch: batchId })
    .changes;
}

/** Number of the jobs of a batch that were left out. */
export function sparedJobs(db: Connection, batchId: number): number {
  return (
    selectValue<number>(db, `SELECT count(*) FROM job WHERE ${ofCases} AND outcome = 'spared'`, { batch: batchId }) ?? 0
  );
}

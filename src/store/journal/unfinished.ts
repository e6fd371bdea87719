import { ofPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { selectValues, sqlite } from "../sqlite.ts";

/** Target id to the number of its jobs that are not finished; a target without any is left out. */
export function unfinishedJobs(db: Connection, batchId: number): Map<number, number> {
  const targets = selectValues<number>(db, "SELECT id FROM target WHERE batch_id = ?", [batchId]);
  if (targets.length === 0) return new Map();
  // One pass with a counter for each target: to group would sort all jobs first.
  const counters = targets.map((id) => `count(*) FILTER (WHERE target_id = ${id})`).join(", ");
  const counts = sqlite(db)
    .prepare<{ batch: number }, number[]>(
      `SELECT ${counters} FROM job WHERE ${ofPlan()} AND outcome IS NULL AND kind = 'case'`,
    )
    .raw()
    .get({ batch: batchId });
  const unfinished = new Map(targets.map((id, index) => [id, counts?.[index] ?? 0]));
  for (const [id, count] of unfinished) if (count === 0) unfinished.delete(id);
  return unfinished;
}

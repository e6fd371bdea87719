import { ofPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

/** The cases of a batch that have jobs to be sent still, one by one; runs that the service has taken are not sent again. */
export function unsentInputs(db: Connection, batchId: number): IterableIterator<{ key: string; input: string }> {
  return sqlite(db)
    .prepare<{ batch: number }, { key: string; input: string }>(
      `SELECT key, input FROM "case" WHERE batch_id = @batch AND id IN (
         SELECT case_id FROM job WHERE ${ofPlan()} AND outcome IS NULL AND kind = 'case'
           AND NOT EXISTS (SELECT 1 FROM sending WHERE sending.job_id = job.id AND sending.run_id IS NOT NULL))`,
    )
    .iterate({ batch: batchId });
}

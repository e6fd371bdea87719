import { ofPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

/** Job of the first answer of a target, in the order of sending. */
export interface FirstAnswer {
  targetId: number;
  jobId: number;
  caseId: number;
}

/** The first job with an answer of each target of a batch that has one; judges are apart. */
export function firstAnswers(db: Connection, batchId: number): FirstAnswer[] {
  const first = sqlite(db).prepare<{ batch: number; target: number }, FirstAnswer>(
    `SELECT target_id AS targetId, id AS jobId, case_id AS caseId FROM job
     WHERE ${ofPlan()} AND target_id = @target AND outcome = 'ok' ORDER BY id LIMIT 1`,
  );
  const targets = sqlite(db)
    .prepare<[number], number>("SELECT id FROM target WHERE batch_id = ? AND role = 'case' ORDER BY id")
    .pluck()
    .all(batchId);
  return targets.flatMap((target) => first.get({ batch: batchId, target }) ?? []);
}

/** The first cases of a batch in the order of sending that are planned for some target, at most `limit`. */
export function firstCases(db: Connection, batchId: number, limit: number): number[] {
  return sqlite(db)
    .prepare<{ batch: number; limit: number }, number>(
      `SELECT case_id FROM job WHERE ${ofPlan()} GROUP BY case_id ORDER BY min(id) LIMIT @limit`,
    )
    .pluck()
    .all({ batch: batchId, limit });
}

import { ofPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { selectValues, sqlite } from "../sqlite.ts";

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
  const targets = selectValues<number>(db, "SELECT id FROM target WHERE batch_id = ? AND role = 'case' ORDER BY id", [
    batchId,
  ]);
  return targets.flatMap((target) => first.get({ batch: batchId, target }) ?? []);
}

/** Tells of a case whether an answer is expected in it, and of a batch whether one is in any of its cases. */
export function expectations(db: Connection): {
  ofCase: (caseId: number) => boolean;
  inBatch: (id: number) => boolean;
} {
  const sql = sqlite(db);
  const ofCase = sql.prepare<[number], number>('SELECT expected IS NOT NULL FROM "case" WHERE id = ?').pluck();
  const inBatch = sql
    .prepare<[number], number>('SELECT EXISTS (SELECT 1 FROM "case" WHERE batch_id = ? AND expected IS NOT NULL)')
    .pluck();
  return { ofCase: (caseId) => ofCase.get(caseId) === 1, inBatch: (id) => inBatch.get(id) === 1 };
}

/**
 * The first cases of a batch in the order of sending that are planned for some target, at most `limit`: those in which an
 * answer is expected before the others.
 */
export function firstCases(db: Connection, batchId: number, limit: number): number[] {
  return selectValues<number>(
    db,
    `SELECT case_id FROM job JOIN "case" ON "case".id = job.case_id
     WHERE ${ofPlan()} GROUP BY case_id ORDER BY expected IS NULL, min(job.id) LIMIT @limit`,
    { batch: batchId, limit },
  );
}

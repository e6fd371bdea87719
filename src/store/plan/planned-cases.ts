import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

/**
 * The cases of a batch in the order in which all targets have been asked once, as far as anything was sent: each call gives
 * the next ones, at most so many. Only what is new is read.
 */
export function plannedCases(db: Connection, batchId: number): (limit: number) => number[] {
  const sql = sqlite(db);
  const plan = sql.prepare<[number], { first: number | null; last: number | null }>(
    "SELECT first_job AS first, last_job AS last FROM batch WHERE id = ?",
  );
  const attempted = sql
    .prepare<[number, number], number | null>("SELECT max(job_id) FROM attempt WHERE job_id BETWEEN ? AND ?")
    .pluck();
  const jobs = sql.prepare<[number, number, number, number], { id: number; caseId: number }>(
    // A case counts where the last of its targets runs it for the first time: before that it cannot be compared.
    `SELECT id, case_id AS caseId FROM job WHERE id > ? AND id <= ? AND +batch_id = ? AND kind = 'case' AND repeat = 1
       AND id = (SELECT max(id) FROM job AS every WHERE every.case_id = job.case_id AND every.kind = 'case' AND every.repeat = 1)
     ORDER BY id LIMIT ?`,
  );
  let after: number | null = null;
  return (limit) => {
    const { first, last } = plan.get(batchId) ?? { first: null, last: null };
    if (first === null || last === null) return [];
    after ??= first - 1;
    const found = jobs.all(after, attempted.get(first, last) ?? after, batchId, limit);
    after = found.at(-1)?.id ?? after;
    return found.map(({ caseId }) => caseId);
  };
}

/**
 * Number of targets that answer each of some cases, and of those that have done so once: further runs of theirs are not
 * looked at.
 */
export function caseProgress(
  db: Connection,
): (caseIds: readonly number[]) => { caseId: number; jobs: number; finished: number }[] {
  const count = sqlite(db).prepare<[string], { caseId: number; jobs: number; finished: number }>(
    `SELECT case_id AS caseId, count(*) AS jobs, count(outcome) AS finished FROM job
     WHERE case_id IN (SELECT value FROM json_each(?)) AND repeat = 1 AND kind = 'case' GROUP BY case_id ORDER BY min(id)`,
  );
  return (caseIds) => count.all(JSON.stringify(caseIds));
}

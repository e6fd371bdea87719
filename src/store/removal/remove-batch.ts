import type { Connection } from "../connection.ts";
import { type Sqlite, sqlite } from "../sqlite.ts";

/** Rows of jobs or cases that go in one commit: another process waits for its turn no longer than that takes. */
const step = 5_000;

interface Extent {
  firstCase: number | null;
  lastCase: number | null;
  firstJob: number | null;
  lastJob: number | null;
}

/**
 * Removes a batch with all that belongs to it, in small commits: it is hidden with the first, and one that was broken
 * off is finished by `finishRemovals`. Replies of judges that other batches have taken over stay, with the little that
 * they refer to. Only for a batch that nobody runs and nothing needs.
 */
export function removeBatch(db: Connection, batchId: number): void {
  sqlite(db)
    .prepare(
      `UPDATE batch SET origin = 'removed', name = 'removed ' || id || ' ' || name, suite_name = '', state = 'finished',
         against = NULL WHERE id = ?`,
    )
    .run(batchId);
  finishRemoval(sqlite(db), batchId);
}

/** Finishes the removals that were broken off, and those of which something was still needed. */
export function finishRemovals(db: Connection): void {
  const ids = sqlite(db).prepare<[], number>("SELECT id FROM batch WHERE origin = 'removed'").pluck().all();
  for (const id of ids) finishRemoval(sqlite(db), id);
}

function finishRemoval(sql: Sqlite, batchId: number): void {
  // Each of these would look for rows that refer to it, some without an index; they are deleted here in their order.
  sql.pragma("foreign_keys = OFF");
  try {
    removeScorings(sql, batchId);
    removeJobs(sql, batchId);
    removeCases(sql, batchId);
    sql.transaction(() => removeRest(sql, batchId)).immediate();
  } finally {
    sql.pragma("foreign_keys = ON");
  }
}

function extentOf(sql: Sqlite, batchId: number): Extent {
  const row = sql
    .prepare<[number], Extent>(
      `SELECT first_case AS firstCase, last_case AS lastCase, first_job AS firstJob, last_job AS lastJob FROM batch WHERE id = ?`,
    )
    .get(batchId);
  return row ?? { firstCase: null, lastCase: null, firstJob: null, lastJob: null };
}

/** Calls this for each step between two ids, each in a commit of its own. */
function inSteps(
  sql: Sqlite,
  [first, last]: [number | null, number | null],
  work: (from: number, to: number) => void,
): void {
  if (first === null || last === null) return;
  for (let from = first; from <= last; from += step)
    sql.transaction(() => work(from, Math.min(last, from + step - 1))).immediate();
}

function removeScorings(sql: Sqlite, batchId: number): void {
  const { firstCase, lastCase } = extentOf(sql, batchId);
  const ids = sql.prepare<[number], number>("SELECT id FROM scoring WHERE batch_id = ?").pluck().all(batchId);
  const deletes = ["score", "asked", "graded_by"].map((table) =>
    sql.prepare<[number, number, number]>(`DELETE FROM ${table} WHERE scoring_id = ? AND case_id BETWEEN ? AND ?`),
  );
  for (const id of ids) {
    inSteps(sql, [firstCase, lastCase], (from, to) => deletes.forEach((each) => each.run(id, from, to)));
    sql.prepare("DELETE FROM scoring WHERE id = ?").run(id);
  }
}

/** The planned jobs, then the questions to judges that no scoring of another batch has taken over. */
function removeJobs(sql: Sqlite, batchId: number): void {
  const { firstJob, lastJob } = extentOf(sql, batchId);
  const own = "SELECT id FROM job WHERE id BETWEEN @from AND @to AND batch_id = @batch AND kind <> 'judge'";
  // A batch whose reading was broken off does not know its jobs.
  const known = firstJob === null ? spanOf(sql, batchId, "true") : { from: firstJob, to: lastJob };
  inSteps(sql, [known.from, known.to], (from, to) => deleteJobs(sql, own, { from, to, batch: batchId }));
  const judged = spanOf(sql, batchId, "kind = 'judge'");
  const questions = `SELECT id FROM job WHERE id BETWEEN @from AND @to AND batch_id = @batch AND kind = 'judge'
    AND NOT EXISTS (SELECT 1 FROM asked WHERE asked.judge_job = job.id)`;
  inSteps(sql, [judged.from, judged.to], (from, to) => deleteJobs(sql, questions, { from, to, batch: batchId }));
}

function spanOf(sql: Sqlite, batchId: number, where: string): { from: number | null; to: number | null } {
  const row = sql
    .prepare<[number], { from: number | null; to: number | null }>(
      `SELECT min(id) AS "from", max(id) AS "to" FROM job WHERE batch_id = ? AND ${where}`,
    )
    .get(batchId);
  return row ?? { from: null, to: null };
}

function deleteJobs(sql: Sqlite, which: string, range: { from: number; to: number; batch: number }): void {
  const run = (statement: string): void => void sql.prepare<typeof range>(statement).run(range);
  run(`DELETE FROM run_record WHERE record IN (SELECT record FROM attempt WHERE job_id IN (${which}))`);
  for (const table of ["attempt", "sending", "label"]) run(`DELETE FROM ${table} WHERE job_id IN (${which})`);
  for (const job of ["baseline_job", "candidate_job"]) run(`DELETE FROM pairwise_label WHERE ${job} IN (${which})`);
  run(`DELETE FROM job WHERE id IN (${which})`);
}

const kept = "FROM job WHERE job.batch_id = @batch AND job.kind = 'judge'";

function removeCases(sql: Sqlite, batchId: number): void {
  const { firstCase, lastCase } = extentOf(sql, batchId);
  const statement = sql.prepare<{ from: number; to: number; batch: number }>(
    `DELETE FROM "case" WHERE id BETWEEN @from AND @to AND batch_id = @batch AND id NOT IN (SELECT case_id ${kept})`,
  );
  inSteps(sql, [firstCase, lastCase], (from, to) => statement.run({ from, to, batch: batchId }));
}

/** The batch itself, when none of its replies is needed any more. */
function removeRest(sql: Sqlite, batchId: number): void {
  const run = (statement: string): void => void sql.prepare<{ batch: number }>(statement).run({ batch: batchId });
  run(`DELETE FROM "case" WHERE batch_id = @batch AND id NOT IN (SELECT case_id ${kept})`);
  run(`DELETE FROM target WHERE batch_id = @batch AND id NOT IN (SELECT target_id ${kept})`);
  run("DELETE FROM question WHERE NOT EXISTS (SELECT 1 FROM job WHERE job.question_id = question.id)");
  for (const table of ["pace", "outage", "comparison", "second_look", "change", "at_workers", "merged"])
    run(`DELETE FROM ${table} WHERE batch_id = @batch`);
  run("UPDATE batch SET first_job = NULL, last_job = NULL, first_case = NULL, last_case = NULL WHERE id = @batch");
  run(`DELETE FROM batch WHERE id = @batch AND NOT EXISTS (SELECT 1 ${kept})`);
}

/**
 * Gives the room of what was removed back to the disk. False when another process holds the database: the room is used
 * again by what is written next.
 */
export function compact(db: Connection): boolean {
  try {
    sqlite(db).exec("VACUUM");
    sqlite(db).pragma("wal_checkpoint(TRUNCATE)");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && /^SQLITE_(BUSY|LOCKED|FULL)/.test(String(error.code)))
      return false;
    throw error;
  }
}

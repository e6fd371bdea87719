import { ofJudges, ofProbes } from "./batch-jobs.ts";
import { setBatchState } from "./batches.ts";
import type { Connection } from "./connection.ts";
import { LongWrite } from "./long-write.ts";
import { tablesOf } from "./rows.ts";
import { type Sqlite, execute, selectValues, sqlite } from "./sqlite.ts";

/** Rows of jobs or cases that go in one commit: another process waits for its turn no longer than that takes. */
const step = 5_000;

interface Extent {
  firstCase: number | null;
  lastCase: number | null;
  firstJob: number | null;
  lastJob: number | null;
}

/** Rows of a batch between two ids. */
interface Part {
  batch: number;
  from: number;
  to: number;
}

/**
 * Removes batches with all that belongs to them, in small commits: they are hidden with the first, and what was broken
 * off is finished by the next removal. Replies of judges that other batches have taken over stay, with the little that
 * they refer to. Only for batches that nobody runs and nothing needs.
 */
export function removeStoredBatches(db: Connection, batchIds: readonly number[]): void {
  const sql = sqlite(db);
  execute(
    db,
    `UPDATE batch SET origin = 'removed', name = 'removed ' || id || ' ' || name, suite_name = '', state = 'finished',
     against = NULL WHERE id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(batchIds)],
  );
  // Also those that were broken off, and those of which something was still needed.
  const ids = selectValues<number>(db, "SELECT id FROM batch WHERE origin = 'removed'");
  removeRows(db, ids, () => removeUnasked(sql));
}

/**
 * Forgets a batch of which nothing was sent, such as one whose dataset turned out to be faulty. A process that is killed
 * meanwhile leaves it as a batch that is being read, which the next run forgets.
 */
export function forgetBatch(db: Connection, batchId: number): void {
  setBatchState(db, batchId, "reading");
  removeRows(db, [batchId]);
}

/** Removes the rows of batches; `atLast` does the rest in one commit. */
function removeRows(db: Connection, batchIds: readonly number[], atLast: () => void = () => {}): void {
  const sql = sqlite(db);
  // In this order over all batches: what one asked may be needed by another that goes as well.
  const tables = [scoringRemover(sql), jobRemover(sql), caseRemover(sql), restRemover(sql)];
  // References are not looked up, some of which have no index: rows are deleted here in their order.
  const writing = new LongWrite(db, step);
  try {
    for (const remove of tables) for (const id of batchIds) remove(id, writing);
    writing.begin();
    atLast();
    writing.end();
  } finally {
    writing.undo();
  }
}

/** Removes what no index leads to, by one look at all of it: to give the room back afterwards is a look at the whole file. */
function removeUnasked(sql: Sqlite): void {
  execute(sql, "DELETE FROM pace WHERE batch_id NOT IN (SELECT id FROM batch WHERE origin IS NOT 'removed')");
  execute(sql, "DELETE FROM question WHERE NOT EXISTS (SELECT 1 FROM job WHERE job.question_id = question.id)");
}

/** Removes some rows of a batch. Its statements are prepared once: thousands of them would slow each other down. */
type Remover = (batchId: number, writing: LongWrite) => void;

function extents(sql: Sqlite): (batchId: number) => Extent {
  const find = sql.prepare<[number], Extent>(
    `SELECT first_case AS firstCase, last_case AS lastCase, first_job AS firstJob, last_job AS lastJob FROM batch WHERE id = ?`,
  );
  return (batchId) => find.get(batchId) ?? { firstCase: null, lastCase: null, firstJob: null, lastJob: null };
}

/** Calls this for each step between two ids. */
function inSteps(
  writing: LongWrite,
  [first, last]: readonly [number | null, number | null],
  work: (from: number, to: number) => void,
): void {
  if (first === null || last === null) return;
  for (let from = first; from <= last; from += step) {
    const to = Math.min(last, from + step - 1);
    writing.begin();
    work(from, to);
    writing.wrote(to - from + 1);
  }
}

function scoringRemover(sql: Sqlite): Remover {
  const extentOf = extents(sql);
  const list = sql.prepare<[number], number>("SELECT id FROM scoring WHERE batch_id = ?").pluck();
  const rows = tablesOf("scoring").map(({ table }) =>
    sql.prepare<[number, number, number]>(`DELETE FROM ${table} WHERE scoring_id = ? AND case_id BETWEEN ? AND ?`),
  );
  const scoring = sql.prepare<[number]>("DELETE FROM scoring WHERE id = ?");
  return (batchId, writing) => {
    const { firstCase, lastCase } = extentOf(batchId);
    for (const id of list.all(batchId)) {
      inSteps(writing, [firstCase, lastCase], (from, to) => rows.forEach((each) => each.run(id, from, to)));
      writing.begin();
      scoring.run(id);
      writing.wrote(1);
    }
  };
}

type Span = readonly [first: number | null, last: number | null];

/** The planned jobs, the questions that tried judges, then the questions to judges that no scoring of another batch has taken over. */
function jobRemover(sql: Sqlite): Remover {
  const extentOf = extents(sql);
  const spanOf = (where: string) =>
    sql
      .prepare<{ batch: number }, [number | null, number | null]>(`SELECT min(id), max(id) FROM job WHERE ${where}`)
      .raw();
  // A batch whose reading was broken off does not know its jobs.
  const unknown = spanOf(`case_id IN (SELECT id FROM "case" WHERE batch_id = @batch)`);
  const judged = spanOf(ofJudges());
  const probed = spanOf(ofProbes());
  const between = "id BETWEEN @from AND @to";
  const removeOwn = rowsOfJobs(sql, `${between} AND +batch_id = @batch AND kind = 'case'`);
  const removeProbes = rowsOfJobs(sql, `${between} AND ${ofProbes()}`);
  const dropProbed = sql.prepare<[number]>(
    "DELETE FROM probed WHERE check_id IN (SELECT id FROM judge_check WHERE batch_id = ?)",
  );
  const removeQuestions = rowsOfJobs(
    sql,
    `${between} AND ${ofJudges()} AND NOT EXISTS (SELECT 1 FROM asked WHERE asked.judge_job = job.id)`,
  );
  return (batch, writing) => {
    const { firstJob, lastJob } = extentOf(batch);
    const own: Span = firstJob === null ? (unknown.get({ batch }) ?? [null, null]) : [firstJob, lastJob];
    inSteps(writing, own, (from, to) => removeOwn({ batch, from, to }));
    writing.begin();
    dropProbed.run(batch);
    writing.wrote(1);
    inSteps(writing, probed.get({ batch }) ?? [null, null], (from, to) => removeProbes({ batch, from, to }));
    inSteps(writing, judged.get({ batch }) ?? [null, null], (from, to) => removeQuestions({ batch, from, to }));
  };
}

/** Deletes jobs of a part of a batch with all that hangs on them. */
function rowsOfJobs(sql: Sqlite, which: string): (part: Part) => void {
  const jobs = `SELECT id FROM job WHERE ${which}`;
  const statements = [
    `DELETE FROM run_record WHERE record IN (SELECT record FROM attempt WHERE job_id IN (${jobs}))`,
    ...tablesOf("job").flatMap(({ table, columns }) =>
      columns.map((column) => `DELETE FROM ${table} WHERE ${column} IN (${jobs})`),
    ),
    `DELETE FROM job WHERE id IN (${jobs})`,
  ].map((text) => sql.prepare<Part>(text));
  return (part) => {
    for (const each of statements) each.run(part);
  };
}

const kept = `FROM job WHERE ${ofJudges()}`;

function caseRemover(sql: Sqlite): Remover {
  const extentOf = extents(sql);
  const statement = sql.prepare<Part>(
    `DELETE FROM "case" WHERE id BETWEEN @from AND @to AND +batch_id = @batch AND id NOT IN (SELECT case_id ${kept})`,
  );
  return (batch, writing) => {
    const { firstCase, lastCase } = extentOf(batch);
    inSteps(writing, [firstCase, lastCase], (from, to) => statement.run({ batch, from, to }));
  };
}

/** Tables of which the rows go in steps, or by one look at all of them. */
const removedBefore: ReadonlySet<string> = new Set(["target", "case", "job", "scoring", "pace"]);

/** The batch itself, when none of its replies is needed any more. */
function restRemover(sql: Sqlite): Remover {
  const statements = [
    `DELETE FROM "case" WHERE batch_id = @batch AND id NOT IN (SELECT case_id ${kept})`,
    `DELETE FROM target WHERE batch_id = @batch AND id NOT IN (SELECT target_id ${kept})`,
    ...tablesOf("batch")
      .filter(({ table }) => !removedBefore.has(table))
      .flatMap(({ table }) => [
        ...tablesOf(table).flatMap(({ table: inner, columns }) =>
          columns.map(
            (column) => `DELETE FROM ${inner} WHERE ${column} IN (SELECT id FROM ${table} WHERE batch_id = @batch)`,
          ),
        ),
        `DELETE FROM ${table} WHERE batch_id = @batch`,
      ]),
    "UPDATE batch SET first_job = NULL, last_job = NULL, first_case = NULL, last_case = NULL WHERE id = @batch",
    `DELETE FROM batch WHERE id = @batch AND NOT EXISTS (SELECT 1 ${kept})`,
  ].map((text) => sql.prepare<{ batch: number }>(text));
  return (batch, writing) => {
    writing.begin();
    for (const each of statements) each.run({ batch });
    writing.wrote(statements.length);
  };
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

import type { Usage } from "../../api/usage.ts";
import { jobsByTarget, ofJudges, ofPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { selectRow, selectRows, selectValue, selectValues, sqlite } from "../sqlite.ts";
import { sentInput } from "../sent-input.ts";

/** Times of runs in an earlier batch. */
export interface EarlierRuns {
  batch: string;
  runs: number;
  /** Mean time from the first byte sent to the last received. */
  meanMs: number;
  /** Mean tokens of a run; null: they are not told. */
  usage: Usage | null;
}

interface Measured {
  runs: number;
  meanMs: number | null;
  input: number | null;
  output: number | null;
  cached: number | null;
}

const mostRuns = 5_000;
const mostBatches = 10;

/** The mean duration of the runs of a target in the suite's latest batch that has any; null: none is stored. */
export function earlierRuns(
  db: Connection,
  suite: string,
  target: { baseUrl: string; endpoint: string; exampleId: string; body: string },
): EarlierRuns | null {
  const sql = sqlite(db);
  const batches = selectRows<{ targetId: number; role: string; batchId: number; batch: string }>(
    db,
    `SELECT target.id AS targetId, target.role, batch.id AS batchId, batch.name AS batch
     FROM batch JOIN target ON target.batch_id = batch.id
     WHERE suite_name = ? AND base_url = ? AND endpoint = ? AND example_id = ? AND body = ? ORDER BY batch.id DESC LIMIT ${mostBatches}`,
    [suite, target.baseUrl, target.endpoint, target.exampleId, target.body],
  );
  const ofRuns =
    "count(*) AS runs, avg(took) AS meanMs, avg(tokens_in) AS input, avg(tokens_out) AS output, avg(tokens_cached) AS cached";
  const run =
    "attempt.done_at - attempt.sent_at AS took, attempt.tokens_in, attempt.tokens_out, coalesce(attempt.tokens_cached, 0) AS tokens_cached";
  const measure = (which: string) =>
    sql.prepare<{ batch: number; target: number }, Measured>(
      `SELECT ${ofRuns} FROM (
         SELECT ${run} FROM job
         CROSS JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt
         WHERE ${which} AND job.target_id = @target AND job.outcome = 'ok' AND attempt.sent_at IS NOT NULL LIMIT ${mostRuns})`,
    );
  const [ofCases, ofQuestions] = [ofPlan(), ofJudges()].map(measure);
  for (const { targetId, role, batchId, batch } of batches) {
    const found = (role === "judge" ? ofQuestions : ofCases)?.get({ batch: batchId, target: targetId });
    if (found === undefined || found.meanMs === null) continue;
    const { runs, meanMs, input, output, cached } = found;
    const usage =
      input === null && output === null ? null : { input: input ?? 0, output: output ?? 0, cached: cached ?? 0 };
    return { batch, runs, meanMs, usage };
  }
  return null;
}

/** Target id to the number of its planned jobs. */
export const plannedJobs = (db: Connection, batchId: number): Map<number, number> =>
  jobsByTarget(db, batchId, ofPlan());

/** The cases of a batch. */
export function countCases(db: Connection, batchId: number): number {
  return selectValue<number>(db, 'SELECT count(*) FROM "case" WHERE batch_id = ?', [batchId]) ?? 0;
}

/** Cases of a batch that ask something else, or expect something else: rows that ask the same are one question. */
export function countQuestions(db: Connection, batchId: number): number {
  return (
    selectValue<number>(
      db,
      'SELECT count(*) FROM (SELECT DISTINCT input_hash, expected FROM "case" WHERE batch_id = ?)',
      [batchId],
    ) ?? 0
  );
}

/** Conversations, or whatever belongs together. */
export function countClusters(db: Connection, batchId: number): number {
  return selectValue<number>(db, 'SELECT count(DISTINCT cluster) FROM "case" WHERE batch_id = ?', [batchId]) ?? 0;
}

/** Cases of each value of a tag, by the value; the column `language` is one by itself. Blank values do not count. */
export function casesOfValues(db: Connection, batchId: number, tag: string): Map<string, number> {
  const count = (column: "tags" | "columns"): [string, number][] =>
    sqlite(db)
      .prepare<[number, string], [string, number]>(
        `SELECT cell.value, count(*) FROM "case", json_each("case".${column}) AS cell
         WHERE batch_id = ? AND cell.key = ? AND trim(cell.value) <> '' GROUP BY cell.value`,
      )
      .raw()
      .all(batchId, tag);
  const own = count("tags");
  return new Map(own.length > 0 || tag !== "language" ? own : count("columns"));
}

/** Numbers of cases that clusters have, and how many clusters have so many. */
export function clusterSizes(db: Connection, batchId: number): { size: number; clusters: number }[] {
  return selectRows<{ size: number; clusters: number }>(
    db,
    `SELECT size, count(*) AS clusters FROM (SELECT count(*) AS size FROM "case" WHERE batch_id = ? GROUP BY cluster)
     GROUP BY size ORDER BY size`,
    [batchId],
  );
}

/** The most cases of one cluster: turns of a conversation are sent one after the other. */
export function longestCluster(db: Connection, batchId: number): number {
  return (
    selectValue<number>(
      db,
      'SELECT max(cases) FROM (SELECT count(*) AS cases FROM "case" WHERE batch_id = ? GROUP BY cluster)',
      [batchId],
    ) ?? 0
  );
}

/** A stored case as a request is made of it. */
export interface StoredInput {
  key: string;
  turn: number;
  /** JSON object. */
  input: string;
}

/** The case of a target's first job in the plan. */
export function firstInput(db: Connection, batchId: number, targetId: number): StoredInput | null {
  return (
    selectRow<StoredInput>(
      db,
      `SELECT "case".key, "case".turn, ${sentInput(db, batchId)} AS input FROM job CROSS JOIN "case" ON "case".id = job.case_id
       WHERE ${ofPlan()} AND job.target_id = @target ORDER BY job.id LIMIT 1`,
      { batch: batchId, target: targetId },
    ) ?? null
  );
}

/** Looks up what was expected of a case with this key and input; null: the batch has no such case. */
export function plannedExpectation(
  db: Connection,
  batchId: number,
): (key: string, inputHash: string) => { caseId: number; expected: string | null } | null {
  const find = sqlite(db).prepare<[number, string, string], { caseId: number; expected: string | null }>(
    'SELECT id AS caseId, expected FROM "case" WHERE batch_id = ? AND key = ? AND input_hash = ?',
  );
  return (key, inputHash) => find.get(batchId, key, inputHash) ?? null;
}

/** The case of a key. */
export function inputOf(db: Connection, batchId: number, key: string): StoredInput | null {
  return (
    selectRow<StoredInput>(
      db,
      `SELECT key, turn, ${sentInput(db, batchId)} AS input FROM "case" WHERE batch_id = ? AND key = ?`,
      [batchId, key],
    ) ?? null
  );
}

/** The first keys of a batch, in the order of the dataset. */
export function firstKeys(db: Connection, batchId: number, most: number): string[] {
  return selectValues<string>(db, 'SELECT key FROM "case" WHERE batch_id = ? ORDER BY id LIMIT ?', [batchId, most]);
}

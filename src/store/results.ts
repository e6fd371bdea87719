import type { AnswerKind } from "../client/outcome.ts";
import type { Endpoint } from "../api.ts";
import type { CaseChecks } from "../dataset/case.ts";
import type { Connection } from "./database.ts";

/** Everything that is stored of one case: the row it was read from and what each target answered. */
export interface CaseResult {
  caseId: number;
  key: string;
  inputHash: string;
  /** JSON text of the mapped input. */
  input: string;
  expected: string | null;
  cluster: string;
  turn: number;
  tags: Record<string, string>;
  /** Header to cell, as written. */
  columns: Record<string, string>;
  /** What the row itself is checked by; null: nothing. */
  checks: CaseChecks | null;
  /** Finished and unfinished jobs of kind `case`, by target in the order of the suite, then by repeat. */
  jobs: JobResult[];
}

/** One job and the attempt that decided it. */
export interface JobResult {
  jobId: number;
  targetId: number;
  repeat: number;
  /** null: not finished. */
  outcome: string | null;
  answer: AnswerKind | null;
  error: string | null;
  status: number | null;
  attempts: number;
  possiblyPaid: boolean;
  /** Milliseconds since 1970; null where it did not happen. */
  sentAt: number | null;
  doneAt: number | null;
  runId: string | null;
  url: string | null;
  createdAt: string | null;
  /** The response body; null without a record. */
  body: string | null;
}

/** A job's case, and the job in the order of `jobResult`. As arrays, which cost half of what objects do. */
type JobRow = [
  caseId: number,
  jobId: number,
  targetId: number,
  repeat: number,
  outcome: string | null,
  answer: AnswerKind | null,
  error: string | null,
  status: number | null,
  attempts: number,
  possiblyPaid: number,
  sentAt: number | null,
  doneAt: number | null,
  runId: string | null,
  url: string | null,
  createdAt: string | null,
  body: string | null,
];

interface CaseRow {
  caseId: number;
  key: string;
  inputHash: string;
  input: string;
  expected: string | null;
  cluster: string;
  turn: number;
  tags: string | null;
  columns: string;
  checks: string | null;
}

const caseSelect = `SELECT id AS caseId, key, input_hash AS inputHash, input, expected, cluster, turn, tags, columns, checks FROM "case"`;

const jobSelect = `SELECT job.case_id, job.id, job.target_id, job.repeat, job.outcome, job.answer, coalesce(attempt.error, job.error), attempt.status,
     -- Most jobs have one attempt, or none where their answers were stored before: only the others are worth another look-up.
     CASE WHEN attempt.number <= 1 THEN attempt.number ELSE coalesce((SELECT max(number) FROM attempt AS every WHERE every.job_id = job.id), 0) END,
     CASE WHEN attempt.number <= 1 THEN attempt.possibly_paid
       ELSE EXISTS (SELECT 1 FROM attempt AS every WHERE every.job_id = job.id AND every.possibly_paid = 1) END,
     attempt.sent_at, attempt.done_at, run_record.id, run_record.url, run_record.created_at, run_record.body
   FROM job LEFT JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt
   LEFT JOIN run_record ON run_record.record = attempt.record`;

/** Few, because the answers of a page are held together, and one may have many megabytes. */
const pageSize = 64;

/** The cases of a batch with their results, in the order of the dataset. Memory stays flat: it is read page by page. */
export function* caseResults(db: Connection, batchId: number): Generator<CaseResult> {
  const casePage = db.prepare<[number, number, number], CaseRow>(`
    ${caseSelect}
    WHERE id > ? AND id <= (SELECT last_case FROM batch WHERE batch.id = ?) AND +batch_id = ? ORDER BY id LIMIT ${pageSize}`);
  const jobPage = db
    .prepare<[number, number], JobRow>(
      `${jobSelect}
       WHERE job.case_id BETWEEN ? AND ? AND job.kind = 'case' ORDER BY job.case_id, job.target_id, job.repeat`,
    )
    .raw();
  const first = db.prepare<[number], number>("SELECT first_case FROM batch WHERE id = ?").pluck().get(batchId);
  if (typeof first !== "number") return;
  let after = first - 1;
  for (;;) {
    const rows = casePage.all(after, batchId, batchId);
    const last = rows.at(-1)?.caseId;
    if (last === undefined) return;
    const jobs = jobPage.all(after + 1, last);
    let next = 0;
    for (const row of rows) {
      const own: JobResult[] = [];
      // Both are in the order of the cases; the jobs of other batches lie between and are passed over.
      for (let job = jobs[next]; job !== undefined && job[0] <= row.caseId; job = jobs[++next]) {
        if (job[0] === row.caseId) own.push(jobResult(job));
      }
      yield caseResult(row, own);
    }
    after = last;
  }
}

/** Reads the results of some cases, given by their ids in ascending order; of any batches. */
export function caseResultReader(db: Connection): (ids: readonly number[]) => CaseResult[] {
  const cases = db.prepare<[string], CaseRow>(`${caseSelect} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`);
  const jobs = db
    .prepare<[string], JobRow>(
      `${jobSelect} WHERE job.case_id IN (SELECT value FROM json_each(?)) AND job.kind = 'case' ORDER BY job.case_id, job.target_id, job.repeat`,
    )
    .raw();
  return (ids) => {
    const list = JSON.stringify(ids);
    const found = jobs.all(list);
    return cases
      .all(list)
      .map((row) => caseResult(row, found.filter(([caseId]) => caseId === row.caseId).map(jobResult)));
  };
}

function jobResult(row: JobRow): JobResult {
  return {
    jobId: row[1],
    targetId: row[2],
    repeat: row[3],
    outcome: row[4],
    answer: row[5],
    error: row[6],
    status: row[7],
    attempts: row[8],
    possiblyPaid: row[9] === 1,
    sentAt: row[10],
    doneAt: row[11],
    runId: row[12],
    url: row[13],
    createdAt: row[14],
    body: row[15],
  };
}

function caseResult(row: CaseRow, jobs: JobResult[]): CaseResult {
  // We wrote these ourselves from checked values.
  const tags: Record<string, string> = row.tags === null ? {} : JSON.parse(row.tags);
  const columns: Record<string, string> = JSON.parse(row.columns);
  const checks: CaseChecks | null = row.checks === null ? null : JSON.parse(row.checks);
  return { ...row, tags, columns, checks, jobs };
}

/** What became of the jobs of one target. */
export interface TargetTally {
  targetId: number;
  target: string;
  endpoint: Endpoint;
  /** Planned jobs of kind `case`. */
  jobs: number;
  /** Outcome, and for `ok` the kind of answer, to number of jobs; `unfinished` for those that are not. */
  outcomes: Record<string, number>;
  attempts: number;
  throttled: number;
  /** Attempts beyond the first that were made although an earlier one may have been charged. */
  possiblyPaidTwice: number;
  /** Why nothing more was sent to it; null otherwise. */
  stopped: string | null;
}

/** Counts the jobs and attempts of each target of a batch. */
export function targetTallies(db: Connection, batchId: number): TargetTally[] {
  const targets = db
    .prepare<[number], { targetId: number; target: string; endpoint: Endpoint; stopped: string | null }>(
      "SELECT id AS targetId, name AS target, endpoint, stopped FROM target WHERE batch_id = ? AND role = 'case' ORDER BY id",
    )
    .all(batchId);
  const inBatch = `job.id BETWEEN (SELECT first_job FROM batch WHERE batch.id = @batch) AND (SELECT last_job FROM batch WHERE batch.id = @batch)
    AND +job.batch_id = @batch`;
  const outcomes = db
    .prepare<{ batch: number }, { targetId: number; outcome: string; count: number }>(
      `SELECT target_id AS targetId, CASE WHEN outcome = 'ok' THEN coalesce(answer, 'ok') ELSE coalesce(outcome, 'unfinished') END AS outcome,
         count(*) AS count FROM job WHERE ${inBatch} AND kind = 'case' GROUP BY 1, 2 ORDER BY 1, 3 DESC`,
    )
    .all({ batch: batchId });
  const attempts = db
    .prepare<{ batch: number }, { targetId: number; attempts: number; throttled: number }>(
      `SELECT job.target_id AS targetId, count(*) AS attempts, sum(attempt.outcome = 'throttled') AS throttled
       FROM job JOIN attempt ON attempt.job_id = job.id AND attempt.number > 0 WHERE ${inBatch} GROUP BY 1`,
    )
    .all({ batch: batchId });
  const twice = db
    .prepare<{ batch: number }, { targetId: number; count: number }>(
      `SELECT job.target_id AS targetId, count(*) AS count FROM job JOIN attempt ON attempt.job_id = job.id
       WHERE ${inBatch} AND attempt.number > 1 AND attempt.sent_at IS NOT NULL AND attempt.outcome <> 'throttled' AND EXISTS (
         SELECT 1 FROM attempt AS earlier WHERE earlier.job_id = job.id AND earlier.number < attempt.number AND earlier.possibly_paid = 1)
       GROUP BY 1`,
    )
    .all({ batch: batchId });
  return targets.map((target) => {
    const own = outcomes.filter(({ targetId }) => targetId === target.targetId);
    const made = attempts.find(({ targetId }) => targetId === target.targetId);
    return {
      ...target,
      jobs: own.reduce((sum, { count }) => sum + count, 0),
      outcomes: Object.fromEntries(own.map(({ outcome, count }) => [outcome, count])),
      attempts: made?.attempts ?? 0,
      throttled: made?.throttled ?? 0,
      possiblyPaidTwice: twice.find(({ targetId }) => targetId === target.targetId)?.count ?? 0,
    };
  });
}

/** Names of the columns of a batch's dataset, in the order in which they were met. */
export function batchColumns(db: Connection, batchId: number): string[] {
  const row = db.prepare<[number], string | null>("SELECT columns FROM batch WHERE id = ?").pluck().get(batchId);
  // We wrote it ourselves.
  const columns: string[] = typeof row === "string" ? JSON.parse(row) : [];
  return columns;
}

/** Requests that were sent although an earlier one for the same job may have been charged. */
export function possiblyPaidTwice(db: Connection, batchId: number): number {
  const count = db
    .prepare<{ batch: number }, number>(
      `SELECT count(*) FROM attempt
       WHERE job_id BETWEEN (SELECT first_job FROM batch WHERE id = @batch) AND (SELECT last_job FROM batch WHERE id = @batch)
         AND number > 1 AND sent_at IS NOT NULL AND outcome <> 'throttled' AND (SELECT batch_id FROM job WHERE job.id = job_id) = @batch
         AND EXISTS (SELECT 1 FROM attempt AS earlier
           WHERE earlier.job_id = attempt.job_id AND earlier.number < attempt.number AND earlier.possibly_paid = 1)`,
    )
    .pluck()
    .get({ batch: batchId });
  return count ?? 0;
}

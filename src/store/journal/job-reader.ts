import { refusedSql, triesSql } from "../outcome-lists.ts";
import type { EarlierTurn, Journal, PaceEntry, PendingJob, TakenRun } from "../../runner/journal.ts";
import { inPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { storedText } from "../stored-text.ts";
import { sentInput } from "../sent-input.ts";
import { sqlite } from "../sqlite.ts";

/** 1 where the latest attempt of a job was refused. */
export const wasRefused = `coalesce(
  (SELECT outcome IN (${refusedSql}) FROM attempt WHERE attempt.job_id = job.id ORDER BY number DESC LIMIT 1), 0)`;

const pendingColumns = (input: string): string => `
  job.id, job.target_id, job.case_id, job.repeat, "case".turn, job.waits_for, ${input},
  CASE WHEN job.id > @attempted THEN 0 ELSE (SELECT count(*) FROM attempt WHERE attempt.job_id = job.id) END,
  CASE WHEN job.id > @attempted THEN 0
    ELSE (SELECT count(*) FROM attempt WHERE attempt.job_id = job.id AND number > coalesce(job.corrected_after, 0)
      AND outcome IN (${triesSql})) END,
  CASE WHEN job.id > @attempted THEN 0 ELSE ${wasRefused} END`;

/** `pendingColumns`. As arrays, which cost half of what objects do. */
type PendingRow = [
  id: number,
  targetId: number,
  caseId: number,
  repeat: number,
  turn: number,
  waitsFor: number | null,
  input: string,
  attempts: number,
  failures: number,
  wasRefused: 0 | 1,
];

/** `pendingColumns`, and what is known of the run that the job has at the service. */
type TakenRow = [
  ...PendingRow,
  number: number,
  queuedAt: number,
  sentAt: number | null,
  runId: string,
  runUrl: string | null,
  runCreatedAt: string | null,
];

type PaceRow = Omit<PaceEntry, "rate"> & { rateCount: number | null; rateWindowMs: number | null };

/** Reads what the runner needs of a batch: jobs that wait, runs that are going on at the service, and the pace so far. */
export function jobReader(
  db: Connection,
  batchId: number,
  upTo: number,
): Pick<Journal, "pending" | "successor" | "takenRuns" | "history" | "sentSince" | "lastPace"> {
  const { attempted, page, successor, open, sent, pace } = queries(db, sentInput(db, batchId));
  // Looked up for each page: attempts of workers are entered after the journal was opened.
  const latest = (): number => attempted.get({ batch: batchId }) ?? 0;
  // A file that cannot be read says so when it is opened, and not with the first page.
  latest();
  const history = turnsBefore(db, batchId);
  return {
    pending: (targetIds, after, limit) =>
      page
        .all({ attempted: latest(), batchId, after, upTo, limit, targets: JSON.stringify(targetIds) })
        .map(pendingJob),
    successor(jobId) {
      const row = successor.get({ attempted: latest(), jobId });
      return row === undefined ? null : pendingJob(row);
    },
    takenRuns: (targetIds) =>
      open.all({ attempted: latest(), batchId, targets: JSON.stringify(targetIds) }).map(openRun),
    history: (job) => history(job.id),
    sentSince: (service, since) => sent.all(service, since),
    lastPace(deployment, endpoint) {
      const row = pace.get(batchId, deployment, endpoint);
      if (row === undefined) return null;
      const { rateCount: count, rateWindowMs: windowMs, ...entry } = row;
      return { ...entry, rate: count === null || windowMs === null ? null : { count, windowMs } };
    },
  };
}

function queries(db: Connection, input: string) {
  const columns = pendingColumns(input);
  const sql = sqlite(db);
  // A job beyond the last one that was attempted before has no attempts: most jobs are spared the look-up.
  const attempted = sql
    .prepare<{ batch: number }, number | null>(`SELECT max(job_id) FROM attempt WHERE ${inPlan("job_id")}`)
    .pluck();
  const page = sql
    .prepare<Record<string, number | string>, PendingRow>(
      `SELECT ${columns} FROM job JOIN "case" ON "case".id = job.case_id
    WHERE job.id > max(@after, (SELECT first_job - 1 FROM batch WHERE batch.id = @batchId))
      AND job.id <= min(@upTo, (SELECT last_job FROM batch WHERE batch.id = @batchId))
      AND job.target_id IN (SELECT value FROM json_each(@targets)) AND job.outcome IS NULL
      AND (job.waits_for IS NULL OR EXISTS (SELECT 1 FROM job AS earlier WHERE earlier.id = job.waits_for AND earlier.outcome = 'ok'))
    ORDER BY job.id LIMIT @limit`,
    )
    .raw();
  const successor = sql
    .prepare<Record<string, number>, PendingRow>(
      `SELECT ${columns} FROM job JOIN "case" ON "case".id = job.case_id
       WHERE job.waits_for = @jobId AND job.outcome IS NULL`,
    )
    .raw();
  const open = sql
    .prepare<Record<string, number | string>, TakenRow>(
      `SELECT ${columns}, sending.number, sending.queued_at, sending.sent_at, run_id, run_url, run_created_at
       FROM sending CROSS JOIN job ON job.id = sending.job_id JOIN "case" ON "case".id = job.case_id
       WHERE sending.run_id IS NOT NULL AND job.batch_id = @batchId AND job.outcome IS NULL
         AND job.target_id IN (SELECT value FROM json_each(@targets)) ORDER BY job.id`,
    )
    .raw();
  const sent = sql
    .prepare<[string, number], number>("SELECT at FROM rate_slot WHERE service = ? AND at >= ? ORDER BY at")
    .pluck();
  const pace = sql.prepare<[number, string, string], PaceRow>(
    `SELECT deployment, endpoint, at, concurrency, ceiling, reason, rate_count AS rateCount, rate_window_ms AS rateWindowMs
     FROM pace WHERE batch_id = ? AND deployment = ? AND endpoint = ? ORDER BY rowid DESC LIMIT 1`,
  );
  return { attempted, page, successor, open, sent, pace };
}

function pendingJob(row: PendingRow): PendingJob {
  return {
    id: row[0],
    targetId: row[1],
    caseId: row[2],
    repeat: row[3],
    turn: row[4],
    waitsFor: row[5],
    input: row[6],
    attempts: row[7],
    failures: row[8],
    firstTriedAt: null,
    ...(row[9] === 1 && { goesLast: true as const }),
  };
}

function openRun(row: TakenRow): { job: PendingJob; taken: TakenRun } {
  const [number, queuedAt, sentAt, id, url, createdAt] = [row[10], row[11], row[12], row[13], row[14], row[15]];
  return {
    job: pendingJob([row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8], row[9]]),
    taken: { jobId: row[0], number, queuedAt, sentAt, run: { id, url, createdAt } },
  };
}

/** The turns of a conversation before a job's, the first one first. */
export function turnsBefore(db: Connection, batchId: number): (jobId: number) => EarlierTurn[] {
  // Joined in this order: SQLite does not know how few turns there are, and would begin with all jobs of the file.
  const find = sqlite(db).prepare<[number], EarlierTurn>(`
    WITH RECURSIVE earlier (id) AS (
      SELECT waits_for FROM job WHERE id = ?
      UNION ALL
      SELECT job.waits_for FROM earlier CROSS JOIN job ON job.id = earlier.id WHERE job.waits_for IS NOT NULL)
    SELECT ${sentInput(db, batchId)} AS input, ${storedText} AS record
    FROM earlier CROSS JOIN job ON job.id = earlier.id CROSS JOIN "case" ON "case".id = job.case_id
    CROSS JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt
    CROSS JOIN run_record ON run_record.record = attempt.record ORDER BY job.id`);
  return (jobId) => find.all(jobId);
}

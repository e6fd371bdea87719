import type {
  Journal,
  EarlierTurn,
  PaceEntry,
  PendingJob,
  Sending,
  Settlement,
  TakenRun,
} from "../../runner/journal.ts";
import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";
import { movedFileWatch } from "../moved-file.ts";
import { GroupCommit } from "./group-commit.ts";

/** No rate looks further back: the longest window that a rate can have, with a margin. */
const longestWindowMs = 25 * 3_600_000;

const pendingColumns = `
  job.id, job.target_id, job.case_id, job.repeat, "case".turn, job.waits_for, "case".input,
  CASE WHEN job.id > @attempted THEN 0 ELSE (SELECT count(*) FROM attempt WHERE attempt.job_id = job.id) END,
  CASE WHEN job.id > @attempted THEN 0
    ELSE (SELECT count(*) FROM attempt WHERE attempt.job_id = job.id AND number > coalesce(job.corrected_after, 0)
      AND outcome IN ('run-failed', 'ambiguous')) END`;

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
];

/**
 * An entry that is committed with others: an attempt that begins, the result of one, or anything else to be written.
 */
type Entry = Sending | Settlement | (() => void);

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

/** The runner's journal of one batch, kept in SQLite with one commit for each turn of the event loop. */
export function createJournal(
  db: Connection,
  batchId: number,
  /** Only jobs up to this one are pending. */
  upTo: number = Number.MAX_SAFE_INTEGER,
): Journal {
  sqlite(db)
    .prepare("DELETE FROM rate_slot WHERE at < ?")
    .run(Date.now() - longestWindowMs);
  const write = attemptWriter(db);
  const check = movedFileWatch(db);
  const commits = new GroupCommit<Entry>(db, (entries) => {
    for (const entry of entries) {
      if (typeof entry === "function") entry();
      else if ("outcome" in entry) write.settle(entry);
      else write.begin(entry);
    }
  });
  return {
    ...jobReader(db, batchId, upTo),
    sending: (entry) => commits.add(entry),
    now: Date.now,
    async taken(entry) {
      await commits.add(() => write.taken(entry));
    },
    settle: (entry) => commits.add(entry),
    async skip(jobId, reason) {
      let skipped = 0;
      await commits.add(() => {
        skipped = write.skip(jobId, reason);
      });
      return skipped;
    },
    async stopTarget(targetId, reason) {
      await commits.add(() => write.stopTarget(targetId, reason));
    },
    check,
    async notePace(entry) {
      await commits.add(() => write.pace(batchId, entry));
    },
  };
}

type PaceRow = Omit<PaceEntry, "rate"> & { rateCount: number | null; rateWindowMs: number | null };

function jobReader(
  db: Connection,
  batchId: number,
  upTo: number,
): Pick<Journal, "pending" | "successor" | "takenRuns" | "history" | "sentSince" | "lastPace"> {
  const sql = sqlite(db);
  // A job beyond the last one that was attempted before has no attempts: most jobs are spared the look-up.
  const attempted = sql
    .prepare<[number], number | null>(
      `SELECT max(job_id) FROM attempt WHERE job_id <= (SELECT last_job FROM batch WHERE id = ?)`,
    )
    .pluck();
  // Looked up for each page: attempts of workers are entered after the journal was opened.
  const latest = (): number => attempted.get(batchId) ?? 0;
  // A file that cannot be read says so when it is opened, and not with the first page.
  latest();
  const page = sql
    .prepare<Record<string, number | string>, PendingRow>(
      `SELECT ${pendingColumns} FROM job JOIN "case" ON "case".id = job.case_id
    WHERE job.id > max(@after, (SELECT first_job - 1 FROM batch WHERE batch.id = @batchId))
      AND job.id <= min(@upTo, (SELECT last_job FROM batch WHERE batch.id = @batchId))
      AND job.target_id IN (SELECT value FROM json_each(@targets)) AND job.outcome IS NULL
      AND (job.waits_for IS NULL OR EXISTS (SELECT 1 FROM job AS earlier WHERE earlier.id = job.waits_for AND earlier.outcome = 'ok'))
    ORDER BY job.id LIMIT @limit`,
    )
    .raw();
  const successor = sql
    .prepare<Record<string, number>, PendingRow>(
      `SELECT ${pendingColumns} FROM job JOIN "case" ON "case".id = job.case_id
       WHERE job.waits_for = @jobId AND job.outcome IS NULL`,
    )
    .raw();
  const open = sql
    .prepare<Record<string, number | string>, TakenRow>(
      `SELECT ${pendingColumns}, sending.number, sending.queued_at, sending.sent_at, run_id, run_url, run_created_at
       FROM sending CROSS JOIN job ON job.id = sending.job_id JOIN "case" ON "case".id = job.case_id
       WHERE sending.run_id IS NOT NULL AND job.batch_id = @batchId AND job.outcome IS NULL
         AND job.target_id IN (SELECT value FROM json_each(@targets)) ORDER BY job.id`,
    )
    .raw();
  const history = turnsBefore(db);
  const sent = sql
    .prepare<[string, number], number>("SELECT at FROM rate_slot WHERE service = ? AND at >= ? ORDER BY at")
    .pluck();
  const pace = sql.prepare<[number, string, string], PaceRow>(
    `SELECT deployment, endpoint, at, concurrency, ceiling, reason, rate_count AS rateCount, rate_window_ms AS rateWindowMs
     FROM pace WHERE batch_id = ? AND deployment = ? AND endpoint = ? ORDER BY rowid DESC LIMIT 1`,
  );
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
  };
}

function openRun(row: TakenRow): { job: PendingJob; taken: TakenRun } {
  const [number, queuedAt, sentAt, id, url, createdAt] = [row[9], row[10], row[11], row[12], row[13], row[14]];
  return {
    job: pendingJob([row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8]]),
    taken: { jobId: row[0], number, queuedAt, sentAt, run: { id, url, createdAt } },
  };
}

/** The turns of a conversation before a job's, the first one first. */
export function turnsBefore(db: Connection): (jobId: number) => EarlierTurn[] {
  const find = sqlite(db).prepare<[number], EarlierTurn>(`
    WITH RECURSIVE earlier (id) AS (
      SELECT waits_for FROM job WHERE id = ?
      UNION ALL
      SELECT job.waits_for FROM job JOIN earlier ON job.id = earlier.id WHERE job.waits_for IS NOT NULL)
    SELECT "case".input, run_record.body AS record
    FROM earlier JOIN job ON job.id = earlier.id JOIN "case" ON "case".id = job.case_id
    JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt
    JOIN run_record ON run_record.record = attempt.record ORDER BY job.id`);
  return (jobId) => find.all(jobId);
}

function attemptWriter(db: Connection) {
  const sql = sqlite(db);
  const begin = sql.prepare<[number, number, number]>(
    "INSERT INTO sending (job_id, number, queued_at) VALUES (?, ?, ?)",
  );
  const slot = sql.prepare<[string, number]>("INSERT INTO rate_slot (service, at) VALUES (?, ?)");
  const taken = sql.prepare(
    "UPDATE sending SET run_id = ?, run_url = ?, run_created_at = ?, sent_at = ? WHERE job_id = ?",
  );
  const arrived = sql.prepare<[number]>("DELETE FROM sending WHERE job_id = ?");
  const record = sql.prepare("INSERT INTO run_record (id, url, created_at, body) VALUES (?, ?, ?, CAST(? AS TEXT))");
  const attempt = sql.prepare(
    `INSERT INTO attempt (job_id, number, outcome, answer, status, error, possibly_paid, redacted, queued_at, sent_at, first_byte_at,
       done_at, retry_after_ms, headers, body_start, record, run_ms, reattached,
       tokens_in, tokens_out)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const finish = sql.prepare("UPDATE job SET outcome = ?, answer = ?, attempt = ? WHERE id = ?");
  const skip = sql.prepare(`
    WITH RECURSIVE later (id) AS (
      SELECT ? UNION ALL SELECT job.id FROM job JOIN later ON job.waits_for = later.id)
    UPDATE job SET outcome = 'skipped', error = ? WHERE id IN later AND outcome IS NULL`);
  const stopTarget = sql.prepare("UPDATE target SET stopped = ? WHERE id = ?");
  const pace = sql.prepare(
    `INSERT INTO pace (batch_id, deployment, endpoint, at, concurrency, ceiling, rate_count, rate_window_ms, reason)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    begin({ jobId, number, queuedAt, service }: Sending): void {
      begin.run(jobId, number, queuedAt);
      if (service !== null) slot.run(service, queuedAt);
    },
    taken({ jobId, sentAt, run }: TakenRun): void {
      taken.run(run.id, run.url, run.createdAt, sentAt, jobId);
    },
    settle({ jobId, number, queuedAt, outcome, final, reattached = false }: Settlement): void {
      const { timing, record: run, headers } = outcome;
      arrived.run(jobId);
      const recordId = run === null ? null : record.run(run.id, run.url, run.createdAt, run.body).lastInsertRowid;
      attempt.run(
        jobId,
        number,
        outcome.kind,
        outcome.answer,
        outcome.status,
        outcome.error,
        outcome.possiblyPaid ? 1 : 0,
        outcome.redacted ? 1 : 0,
        queuedAt,
        timing.sentAt,
        timing.firstByteAt,
        timing.doneAt,
        outcome.retryAfterMs,
        headers === null ? null : JSON.stringify(headers),
        outcome.bodyStart,
        recordId,
        timing.runMs ?? null,
        reattached ? 1 : 0,
        outcome.usage?.input ?? null,
        outcome.usage?.output ?? null,
      );
      if (final) finish.run(outcome.kind, outcome.answer, number, jobId);
    },
    skip: (jobId: number, reason: string): number => skip.run(jobId, reason).changes,
    stopTarget: (targetId: number, reason: string): void => void stopTarget.run(reason, targetId),
    pace(batchId: number, entry: PaceEntry): void {
      const { deployment, endpoint, at, concurrency, ceiling, rate, reason } = entry;
      const [count, windowMs] = rate === null ? [null, null] : [rate.count, rate.windowMs];
      pace.run(batchId, deployment, endpoint, at, concurrency, ceiling, count, windowMs, reason);
    },
  };
}

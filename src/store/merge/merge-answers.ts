import { ofBatch } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";
import type { BatchPart } from "./batch-part.ts";

interface AttemptRow {
  old: number;
  hasRecord: number;
  runId: string | null;
  url: string | null;
  createdAt: string | null;
  body: Buffer | null;
  [column: string]: unknown;
}

const attemptColumns =
  "number, outcome, answer, status, error, possibly_paid, redacted, queued_at, sent_at, first_byte_at, done_at, retry_after_ms, headers, body_start, run_ms, reattached, tokens_in, tokens_out, gateway".split(
    ", ",
  );

/** Copies what one part has of requests and answers, byte for byte, to the jobs that its own have become. */
export function copyAnswers(db: Connection, batchId: number, part: number, { db: from, batch }: BatchPart): void {
  copyAttempts(db, part, from, batch.id);
  const jobOf = jobsOf(db, part);
  const ofSending = "number, queued_at, run_id, run_url, run_created_at, sent_at";
  const sending = sqlite(db).prepare(`INSERT INTO sending (job_id, ${ofSending}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const inFlight = sqlite(from)
    .prepare<[number], [old: number, ...unknown[]]>(
      `SELECT job_id, ${ofSending} FROM sending CROSS JOIN job ON job.id = job_id WHERE batch_id = ?`,
    )
    .raw();
  for (const [old, ...entry] of inFlight.iterate(batch.id)) sending.run(jobOf(old), ...entry);
  const copyRows = (table: string, columns: string): void => {
    const row = sqlite(db).prepare(
      `INSERT OR IGNORE INTO ${table} (batch_id, ${columns}) VALUES (?${", ?".repeat(columns.split(", ").length)})`,
    );
    const rows = sqlite(from)
      .prepare<[number], unknown[]>(`SELECT ${columns} FROM ${table} WHERE batch_id = ? ORDER BY rowid`)
      .raw();
    for (const values of rows.iterate(batch.id)) row.run(batchId, ...values);
  };
  copyRows("pace", "deployment, endpoint, at, concurrency, ceiling, rate_count, rate_window_ms, reason");
  copyRows("outage", "deployment, endpoint, status, since, until");
}

function copyAttempts(db: Connection, part: number, from: Connection, batchId: number): void {
  const jobOf = jobsOf(db, part);
  const record = sqlite(db).prepare(
    "INSERT INTO run_record (id, url, created_at, body) VALUES (?, ?, ?, CAST(? AS TEXT))",
  );
  const attempt = sqlite(db).prepare(
    `INSERT INTO attempt (job_id, record, ${attemptColumns.join(", ")}) VALUES (@job, @record, ${attemptColumns.map((name) => `@${name}`).join(", ")})`,
  );
  // Bodies are read as bytes: one that is not UTF-8 would not survive as a text.
  const attempts = sqlite(from).prepare<{ batch: number }, AttemptRow>(
    `SELECT job.id AS old, ${attemptColumns.map((name) => `attempt.${name}`).join(", ")}, attempt.record IS NOT NULL AS hasRecord,
       run_record.id AS runId, run_record.url, run_record.created_at AS createdAt, CAST(run_record.body AS BLOB) AS body
     FROM job CROSS JOIN attempt ON attempt.job_id = job.id LEFT JOIN run_record ON run_record.record = attempt.record
     WHERE ${ofBatch()} ORDER BY job.id, attempt.number`,
  );
  for (const { old, hasRecord, runId, url, createdAt, body, ...row } of attempts.iterate({ batch: batchId })) {
    const stored = hasRecord === 1 ? record.run(runId, url, createdAt, body).lastInsertRowid : null;
    attempt.run({ ...row, job: jobOf(old), record: stored });
  }
}

/** The job of the merged batch that a part's own has become. */
function jobsOf(db: Connection, part: number): (old: number) => number | undefined {
  const find = sqlite(db)
    .prepare<[number, number], number>("SELECT id FROM temp.part_job WHERE part = ? AND old = ?")
    .pluck();
  return (old) => find.get(part, old);
}

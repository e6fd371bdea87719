import { isAnswerer, type OutcomeKind } from "../../api/outcomes.ts";
import type { OutageEntry, PaceEntry, Sending, Settlement, TakenRun } from "../../runner/journal.ts";
import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

/** Writes what becomes of attempts; each call belongs into a transaction of its caller. */
export function attemptWriter(db: Connection) {
  const sql = statements(db);
  return {
    begin({ jobId, number, queuedAt, service }: Sending): void {
      sql.begin.run(jobId, number, queuedAt);
      if (service !== null) sql.slot.run(service, queuedAt);
    },
    giveBack: (jobId: number): void => void sql.arrived.run(jobId),
    taken({ jobId, sentAt, run }: TakenRun): void {
      sql.taken.run(run.id, run.url, run.createdAt, sentAt, jobId);
    },
    settle({ jobId, number, queuedAt, outcome, final, reattached = false, isForgiven }: Settlement): void {
      const { timing, record: run, headers } = outcome;
      sql.arrived.run(jobId);
      const recordId =
        run === null
          ? null
          : sql.record.run(run.id, run.url, run.createdAt, run.body, run.text ?? null).lastInsertRowid;
      sql.attempt.run(
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
        recordId,
        timing.runMs ?? null,
        reattached ? 1 : 0,
        outcome.usage?.input ?? null,
        outcome.usage?.output ?? null,
        outcome.usage?.cached ?? null,
        isAnswerer(outcome.answeredBy, "isGateway") ? 1 : 0,
      );
      if (isForgiven === true) sql.giveBack.run(jobId);
      if (final) sql.finish.run(outcome.kind, outcome.answer, number, jobId);
    },
    conclude: (jobId: number, number: number, kind: OutcomeKind): void =>
      void sql.finish.run(kind, null, number, jobId),
    skip: (jobId: number, reason: string): number => sql.skip.run(jobId, reason).changes,
    stopTarget: (targetId: number, reason: string): void => void sql.stopTarget.run(reason, targetId),
    pace(batchId: number, entry: PaceEntry): void {
      const { deployment, endpoint, at, concurrency, ceiling, rate, reason } = entry;
      const [count, windowMs] = rate === null ? [null, null] : [rate.count, rate.windowMs];
      sql.pace.run(batchId, deployment, endpoint, at, concurrency, ceiling, count, windowMs, reason);
    },
    outage(batchId: number, { deployment, endpoint, status, since, until, givenBack }: OutageEntry): void {
      // One that was entered before, perhaps by a process that has gone, goes on.
      if (sql.known.run(status, until, batchId, deployment, endpoint).changes === 0)
        sql.outage.run(batchId, deployment, endpoint, status, since, until);
      for (const jobId of givenBack) sql.giveBack.run(jobId);
    },
    back: (batchId: number, { deployment, endpoint, at }: { deployment: string; endpoint: string; at: number }): void =>
      void sql.back.run(at, batchId, deployment, endpoint),
  };
}

function statements(db: Connection) {
  const sql = sqlite(db);
  const begin = sql.prepare<[number, number, number]>(
    "INSERT INTO sending (job_id, number, queued_at) VALUES (?, ?, ?)",
  );
  const slot = sql.prepare<[string, number]>("INSERT INTO rate_slot (service, at) VALUES (?, ?)");
  const taken = sql.prepare(
    "UPDATE sending SET run_id = ?, run_url = ?, run_created_at = ?, sent_at = ? WHERE job_id = ?",
  );
  const arrived = sql.prepare<[number]>("DELETE FROM sending WHERE job_id = ?");
  const record = sql.prepare(
    "INSERT INTO run_record (id, url, created_at, body, text) VALUES (?, ?, ?, CAST(? AS TEXT), ?)",
  );
  const attempt = sql.prepare(
    `INSERT INTO attempt (job_id, number, outcome, answer, status, error, possibly_paid, redacted, queued_at, sent_at, first_byte_at,
       done_at, retry_after_ms, headers, record, run_ms, reattached,
       tokens_in, tokens_out, tokens_cached, gateway)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
  const outage = sql.prepare(
    `INSERT INTO outage (batch_id, deployment, endpoint, status, since, until) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET status = excluded.status, until = excluded.until`,
  );
  const ofOpen = "WHERE batch_id = ? AND deployment = ? AND endpoint = ? AND until IS NULL";
  const known = sql.prepare(`UPDATE outage SET status = ?, until = ? ${ofOpen}`);
  const back = sql.prepare(`UPDATE outage SET until = ? ${ofOpen}`);
  // Attempts from here on count against `retries`.
  const giveBack = sql.prepare<[number]>(
    "UPDATE job SET corrected_after = (SELECT max(number) FROM attempt WHERE attempt.job_id = job.id) WHERE id = ?",
  );
  return {
    begin,
    slot,
    taken,
    arrived,
    record,
    attempt,
    finish,
    skip,
    stopTarget,
    pace,
    outage,
    known,
    back,
    giveBack,
  };
}

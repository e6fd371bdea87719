import type { PendingJob } from "../../runner/journal.ts";
import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

/** A job that workers send, as it stands here. */
export interface JobHere extends PendingJob {
  /** null: not finished. */
  outcome: string | null;
}

/** An attempt that nobody knows the end of. */
interface Doubt {
  jobId: number;
  number: number;
  queuedAt: number;
  /** `null`: the job goes on, also where it was held. */
  end: "held" | "in-doubt" | null;
}

/** The books of jobs that workers send, beside the journal: it has no word for an attempt that somebody else made. */
export interface Pulled {
  job(jobId: number): JobHere | null;
  /** True when what became of this attempt is entered here. */
  isKnown(jobId: number, number: number): boolean;
  /** Takes back that an attempt was in doubt: its answer has come after all. */
  clearDoubt(jobId: number, number: number): void;
  /** Enters attempts in doubt, once each. */
  enterDoubts(doubts: readonly Doubt[]): void;
}

/** The books of a batch that is sent by workers. */
export function pulledBooks(db: Connection): Pulled {
  const sql = sqlite(db);
  const job = sql.prepare<[number], JobHere>(
    `SELECT job.id, job.target_id AS targetId, job.case_id AS caseId, job.repeat, "case".turn, job.waits_for AS waitsFor, '{}' AS input,
       0 AS attempts, 0 AS failures, NULL AS firstTriedAt, job.outcome
     FROM job JOIN "case" ON "case".id = job.case_id WHERE job.id = ?`,
  );
  const known = sql.prepare<[number, number]>(
    "SELECT 1 FROM attempt WHERE job_id = ? AND number = ? AND outcome <> 'in-doubt'",
  );
  const unmark = sql.prepare("DELETE FROM attempt WHERE job_id = ? AND number = ? AND outcome = 'in-doubt'");
  const reopen = sql.prepare(
    `UPDATE job SET outcome = NULL, answer = NULL, error = NULL, attempt = NULL
     WHERE id = ? AND attempt = ? AND outcome IN ('held', 'in-doubt')`,
  );
  return {
    job: (jobId) => job.get(jobId) ?? null,
    isKnown: (jobId, number) => known.get(jobId, number) !== undefined,
    clearDoubt(jobId, number) {
      if (unmark.run(jobId, number).changes > 0) reopen.run(jobId, number);
    },
    enterDoubts: doubtWriter(db),
  };
}

function doubtWriter(db: Connection): Pulled["enterDoubts"] {
  const sql = sqlite(db);
  const mark = sql.prepare(
    `INSERT INTO attempt (job_id, number, outcome, error, possibly_paid, redacted, queued_at)
     VALUES (?, ?, 'in-doubt', 'its worker was gone while this was in flight', 1, 0, ?) ON CONFLICT DO NOTHING`,
  );
  const end = sql.prepare(
    `UPDATE job SET outcome = ?, error = 'in flight when its worker was gone; the service may have run it', attempt = ?
     WHERE id = ? AND (outcome IS NULL OR outcome = 'held')`,
  );
  const goOn = sql.prepare(
    "UPDATE job SET outcome = NULL, error = NULL, attempt = NULL WHERE id = ? AND attempt = ? AND outcome = 'held'",
  );
  return (doubts) => {
    if (doubts.length === 0) return;
    sql
      .transaction(() => {
        for (const { jobId, number, queuedAt, end: outcome } of doubts) {
          mark.run(jobId, number, queuedAt);
          if (outcome === null) goOn.run(jobId, number);
          else end.run(outcome, number, jobId);
        }
      })
      .immediate();
  };
}

import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

/** Causes of doubt, with the words for an attempt and for a job that it ends. */
const causes = {
  process: {
    attempt: "the process ended while this was in flight",
    job: "in flight when the process ended; the service may have run it",
  },
  worker: {
    attempt: "its worker was gone while this was in flight",
    job: "in flight when its worker was gone; the service may have run it",
  },
  correction: {
    attempt: "its target was corrected while the service made this run",
    job: "its target was corrected while the service made a run of it",
  },
  database: {
    attempt: "the database of the workers was lost; this may have been sent",
    job: "may have been sent by workers whose database was lost",
  },
};

/** Why nobody knows the end of an attempt, as it is stored. */
export type DoubtCause = keyof typeof causes;

/** A job in doubt is kept from being sent, or is over. */
export type DoubtEnd = "held" | "in-doubt";

/** An attempt that nobody knows the end of. */
export interface Doubt {
  jobId: number;
  number: number;
  queuedAt: number;
  /** Left out: not known. */
  sentAt?: number | null;
}

/** Enters what is in doubt, and what becomes of its job; each call belongs into a transaction of its caller. */
export function doubtWriter(db: Connection, cause: DoubtCause) {
  const sql = sqlite(db);
  const words = causes[cause];
  // Doubts that a worker left are told more than once.
  const again = cause === "worker" ? " ON CONFLICT DO NOTHING" : "";
  const mark = sql.prepare(
    `INSERT INTO attempt (job_id, number, outcome, error, doubt, possibly_paid, redacted, queued_at, sent_at)
     VALUES (?, ?, 'in-doubt', ?, ?, 1, 0, ?, ?)${again}`,
  );
  const land = sql.prepare<[number]>("DELETE FROM sending WHERE job_id = ?");
  const end = sql.prepare(
    `UPDATE job SET outcome = ?, error = ?, attempt = (SELECT max(number) FROM attempt WHERE job_id = job.id AND outcome = 'in-doubt')
     WHERE id = ? AND (outcome IS NULL OR outcome = 'held')`,
  );
  const release = sql.prepare<[number]>(
    "UPDATE job SET outcome = NULL, error = NULL, attempt = NULL WHERE id = ? AND outcome = 'held'",
  );
  return {
    /** Enters that an attempt is in doubt, and in flight no more. */
    mark({ jobId, number, queuedAt, sentAt = null }: Doubt): void {
      mark.run(jobId, number, words.attempt, cause, queuedAt, sentAt);
      land.run(jobId);
    },
    /** Keeps the job from being sent, or ends it. */
    end: (jobId: number, outcome: DoubtEnd): void => void end.run(outcome, words.job, jobId),
    /** Lets a job go that was held. */
    release: (jobId: number): void => void release.run(jobId),
  };
}

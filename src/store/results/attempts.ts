import type { AttemptOutcome } from "../../api/outcomes.ts";
import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";
import type { JobResult } from "./case-result.ts";

/** A request that was made for a job, and what became of it. */
export interface StoredAttempt extends Pick<JobResult, "answer" | "status" | "error"> {
  number: number;
  outcome: AttemptOutcome;
  possiblyPaid: boolean;
  queuedAt: number;
  /** Null where it did not happen. */
  sentAt: number | null;
  doneAt: number | null;
}

/** The attempts of a job in their order. */
export function attemptsOfJob(db: Connection): (jobId: number) => StoredAttempt[] {
  const find = sqlite(db).prepare<[number], Omit<StoredAttempt, "possiblyPaid"> & { possiblyPaid: number }>(
    `SELECT number, outcome, answer, status, error, possibly_paid AS possiblyPaid, queued_at AS queuedAt, sent_at AS sentAt, done_at AS doneAt
     FROM attempt WHERE job_id = ? ORDER BY number`,
  );
  return (jobId) => find.all(jobId).map((row) => ({ ...row, possiblyPaid: row.possiblyPaid === 1 }));
}

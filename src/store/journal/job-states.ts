import type { JobOutcome } from "../../api/outcomes.ts";
import type { Connection } from "../connection.ts";
import { selectRows } from "../sqlite.ts";

/** Where a job stands. */
export interface JobState {
  id: number;
  targetId: number;
  waitsFor: number | null;
  outcome: JobOutcome | null;
  /** It is entered as sent, and has no answer. */
  isSending: boolean;
}

/** All jobs of a file, in the order of the plan. */
export function jobStates(db: Connection): JobState[] {
  return selectRows<Omit<JobState, "isSending"> & { isSending: 0 | 1 }>(
    db,
    `SELECT id, target_id AS targetId, waits_for AS waitsFor, outcome,
       EXISTS (SELECT 1 FROM sending WHERE sending.job_id = job.id) AS isSending FROM job ORDER BY id`,
  ).map((job) => ({ ...job, isSending: job.isSending === 1 }));
}

/** The attempts of all jobs of a file by their numbers, and what ended without one (0). */
export function storedAttempts(db: Connection): { job: number; number: number }[] {
  return selectRows<{ job: number; number: number }>(
    db,
    `SELECT job_id AS job, number FROM attempt
     UNION SELECT job_id, number FROM sending WHERE run_id IS NOT NULL
     UNION SELECT id, 0 FROM job WHERE outcome IS NOT NULL AND attempt IS NULL`,
  );
}

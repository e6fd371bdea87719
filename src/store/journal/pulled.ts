import { inDoubtSql } from "../outcome-lists.ts";
import type { JobOutcome } from "../../api/outcomes.ts";
import type { PendingJob } from "../../runner/journal.ts";
import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";
import { type Doubt, type DoubtEnd, doubtWriter } from "./doubt.ts";

/** A job that workers send, as it stands here. */
export interface JobHere extends PendingJob {
  /** null: not finished. */
  outcome: JobOutcome | null;
}

/** An attempt in doubt, and what becomes of its job. */
interface EndedDoubt extends Doubt {
  /** `null`: the job goes on, also where it was held for this attempt. */
  end: DoubtEnd | null;
}

/** An attempt that is entered here. */
interface AttemptHere {
  jobId: number;
  number: number;
  /** Nobody knows what became of it. */
  isInDoubt: boolean;
}

/** The books of jobs that workers send, beside the journal: it has no word for an attempt that somebody else made. */
export interface Pulled {
  job(jobId: number): JobHere | null;
  /** Those of these jobs that are here, by their ids. */
  jobs(jobIds: readonly number[]): Map<number, JobHere>;
  /** Attempts of these jobs that are entered here. */
  attempts(jobIds: readonly number[]): AttemptHere[];
  /** Takes back that an attempt was in doubt: its answer has come after all. */
  clearDoubt(jobId: number, number: number): void;
  /** Enters attempts in doubt, once each. */
  enterDoubts(doubts: readonly EndedDoubt[]): void;
}

/** The books of a batch that is sent by workers. */
export function pulledBooks(db: Connection): Pulled {
  const sql = sqlite(db);
  const find = sql
    .prepare<[string], JobRow>(
      `SELECT job.id, job.target_id, job.case_id, job.repeat, "case".turn, job.waits_for, job.outcome
     FROM json_each(?) AS asked CROSS JOIN job ON job.id = asked.value JOIN "case" ON "case".id = job.case_id`,
    )
    .raw();
  const attempts = sql
    .prepare<[string], [jobId: number, number: number, isInDoubt: number]>(
      `SELECT job_id, number, outcome = 'in-doubt' FROM json_each(?) AS asked CROSS JOIN attempt ON job_id = asked.value`,
    )
    .raw();
  const jobs = (ids: readonly number[]): Map<number, JobHere> =>
    new Map(find.all(JSON.stringify(ids)).map((row) => [row[0], jobHere(row)]));
  const unmark = sql.prepare("DELETE FROM attempt WHERE job_id = ? AND number = ? AND outcome = 'in-doubt'");
  const reopen = sql.prepare(
    `UPDATE job SET outcome = NULL, answer = NULL, error = NULL, attempt = NULL
     WHERE id = ? AND attempt = ? AND outcome IN (${inDoubtSql})`,
  );
  return {
    job: (jobId) => jobs([jobId]).get(jobId) ?? null,
    jobs,
    attempts: (jobIds) =>
      attempts
        .all(JSON.stringify(jobIds))
        .map(([jobId, number, isInDoubt]) => ({ jobId, number, isInDoubt: isInDoubt === 1 })),
    clearDoubt(jobId, number) {
      if (unmark.run(jobId, number).changes > 0) reopen.run(jobId, number);
    },
    enterDoubts: doubtsEntered(db),
  };
}

type JobRow = [
  id: number,
  targetId: number,
  caseId: number,
  repeat: number,
  turn: number,
  waitsFor: number | null,
  outcome: JobOutcome | null,
];

const jobHere = ([id, targetId, caseId, repeat, turn, waitsFor, outcome]: JobRow): JobHere => ({
  id,
  targetId,
  caseId,
  repeat,
  turn,
  waitsFor,
  input: "{}",
  attempts: 0,
  failures: 0,
  firstTriedAt: null,
  outcome,
});

function doubtsEntered(db: Connection): Pulled["enterDoubts"] {
  const sql = sqlite(db);
  const write = doubtWriter(db, "worker");
  const decidedBy = sql.prepare<[number], number | null>("SELECT attempt FROM job WHERE id = ?").pluck();
  return (doubts) => {
    if (doubts.length === 0) return;
    sql
      .transaction(() => {
        for (const { end, ...doubt } of doubts) {
          write.mark(doubt);
          if (end !== null) write.end(doubt.jobId, end);
          else if (decidedBy.get(doubt.jobId) === doubt.number) write.release(doubt.jobId);
        }
      })
      .immediate();
  };
}

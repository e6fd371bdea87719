import { inDoubtSql, openSql } from "../outcome-lists.ts";
import { endOf, type JobOutcome } from "../../api/outcomes.ts";
import type { JobKind } from "../../plan/job.ts";
import { inPlan, ofBatch, ofJudges, ofPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { inTransaction, selectRows, selectValue, selectValues, sqlite } from "../sqlite.ts";
import { type DoubtCause, doubtWriter } from "./doubt.ts";

/** A request that was in flight when the process died: the service may have received it, run it and charged for it. */
export interface InDoubtRequest {
  jobId: number;
  caseKey: string;
  target: string;
  repeat: number;
  attempt: number;
  queuedAt: number;
}

/** Requests that a process that has gone had sent. */
export interface ResumedRequests {
  doubts: InDoubtRequest[];
  /** Runs that the service has taken: they are asked for. */
  atService: number;
}

export type InDoubtPolicy = "resend" | "hold" | "fail";

/** The attempts of a batch that are entered as sending. While a process runs the batch, these are the ones in flight. */
export function openAttempts(db: Connection, batchId: number, kind: JobKind | null = null): InDoubtRequest[] {
  return selectRows<InDoubtRequest>(
    db,
    `SELECT job.id AS jobId, "case".key AS caseKey, target.name AS target, job.repeat, sending.number AS attempt, sending.queued_at AS queuedAt
     FROM sending CROSS JOIN job ON job.id = sending.job_id -- in this order: few are in flight
     JOIN "case" ON "case".id = job.case_id JOIN target ON target.id = job.target_id
     WHERE job.batch_id = ? AND job.kind = coalesce(?, job.kind) AND sending.run_id IS NULL ORDER BY job.id`,
    [batchId, kind],
  );
}

/** Batch id to the runs that the service has taken and that have not ended, as far as is known here; one without any is left out. */
export function openRunCounts(db: Connection): Map<number, number> {
  const counts = sqlite(db).prepare<[], [batchId: number, count: number]>(
    `SELECT job.batch_id, count(*) FROM sending CROSS JOIN job ON job.id = sending.job_id
     WHERE run_id IS NOT NULL GROUP BY job.batch_id`,
  );
  return new Map(counts.raw().all());
}

/** The same of one batch. */
export const openRunCount = (db: Connection, batchId: number): number => openRunCounts(db).get(batchId) ?? 0;

/** Counts the runs of a batch that another process asked for than the one that had submitted them. */
function reattachedCount(db: Connection, batchId: number): number {
  return (
    selectValue<number>(db, `SELECT count(*) FROM attempt WHERE reattached = 1 AND ${inPlan("job_id")}`, {
      batch: batchId,
    }) ?? 0
  );
}

/** The jobs of a batch of which the service may have made a run that is not known here. */
export interface InDoubtJobs {
  /** Requests that were in flight when the process was stopped or died: a resume decides about them. */
  open: number;
  /** Kept back by `hold`. */
  held: number;
  /** Ended by `fail`. */
  failed: number;
  /** Keys of the first of their cases. */
  cases: string[];
  /** Runs that the service has taken and that have not ended: a resume asks for them, and sends nothing again. */
  atService: number;
  /** Runs that were asked for by another process than the one that had submitted them. */
  reattached: number;
}

/** Counts the jobs in doubt and names the first `most` of their cases. */
export function inDoubtJobs(db: Connection, batchId: number, most: number): InDoubtJobs {
  const ended = sqlite(db).prepare<{ batch: number }, { outcome: JobOutcome; key: string }>(
    `SELECT job.outcome, "case".key FROM job CROSS JOIN "case" ON "case".id = job.case_id
     WHERE ${ofPlan()} AND job.kind = 'case' AND job.outcome IN (${inDoubtSql})
     UNION ALL
     SELECT job.outcome, "case".key FROM job CROSS JOIN "case" ON "case".id = job.case_id
     WHERE ${ofJudges()} AND job.outcome IN (${inDoubtSql})`,
  );
  const runs = { atService: openRunCount(db, batchId), reattached: reattachedCount(db, batchId) };
  const doubts: InDoubtJobs = { open: 0, held: 0, failed: 0, cases: [], ...runs };
  const keys = new Set<string>();
  const note = (key: string): void => void (keys.size < most && keys.add(key));
  for (const { caseKey } of openAttempts(db, batchId)) {
    doubts.open += 1;
    note(caseKey);
  }
  for (const { outcome, key } of ended.iterate({ batch: batchId })) {
    if (endOf(outcome).open) doubts.held += 1;
    else doubts.failed += 1;
    note(key);
  }
  return { ...doubts, cases: [...keys] };
}

/** The jobs of a batch that are held; with a kind, only those of it. */
function heldJobs(db: Connection, batchId: number, kind: JobKind | null = null): number[] {
  const wanted = `SELECT id FROM job WHERE ${ofBatch()} AND outcome = 'held' AND kind = coalesce(@kind, kind)`;
  return selectValues<number>(db, wanted, { batch: batchId, kind });
}

/** The cases of a batch that are held because a worker was gone: it may know more, and of no other. */
export const casesHeldByWorkers = (db: Connection, batch: number): number[] =>
  selectValues<number>(
    db,
    `SELECT id FROM job WHERE ${ofBatch()} AND outcome = 'held' AND kind = 'case'
       AND EXISTS (SELECT 1 FROM attempt WHERE job_id = job.id AND number = job.attempt AND doubt = @cause)`,
    { batch, cause: "worker" satisfies DoubtCause },
  );

/** Lets held jobs go whose doubtful attempt never left, as is known by now: it was none. */
export function takeBackDoubts(db: Connection, jobs: readonly number[]): void {
  const sql = sqlite(db);
  const forget = sql.prepare(
    `DELETE FROM attempt WHERE job_id = ? AND outcome = 'in-doubt'
       AND number = (SELECT attempt FROM job WHERE id = job_id AND outcome = 'held')`,
  );
  const { release } = doubtWriter(db, "worker");
  inTransaction(db, () => {
    for (const job of jobs) {
      forget.run(job);
      release(job);
    }
  });
}

/**
 * Marks what was in flight as in doubt and possibly paid, and does with those jobs what the policy says:
 * `resend` leaves them to be sent again, `hold` keeps them from being sent until a later resume decides, `fail` ends them.
 * Jobs held before are let go unless the policy is still `hold`. Turns that can no longer be reached are skipped.
 * With a kind, only its jobs are looked at.
 * Only for the holder of the batch's lock.
 */
export function settleInDoubt(
  db: Connection,
  batchId: number,
  policy: InDoubtPolicy,
  kind: JobKind | null = null,
): ResumedRequests {
  return inTransaction(db, () => {
    const doubts = openAttempts(db, batchId, kind);
    const write = doubtWriter(db, "process");
    for (const { jobId, attempt: number, queuedAt } of doubts) write.mark({ jobId, number, queuedAt });
    const held = heldJobs(db, batchId, kind);
    if (policy === "resend") held.forEach(write.release);
    else {
      const end = policy === "hold" ? "held" : "in-doubt";
      for (const { jobId } of doubts) write.end(jobId, end);
      if (policy === "fail") for (const jobId of held) write.end(jobId, end);
    }
    skipUnreachableTurns(db, batchId);
    return { doubts, atService: openRunCount(db, batchId) };
  });
}

/** A crash between a turn's failure and the skipping of its followers leaves these waiting for ever. */
function skipUnreachableTurns(db: Connection, batchId: number): void {
  const skip = sqlite(db).prepare<{ batch: number }>(
    `UPDATE job SET outcome = 'skipped', error = 'an earlier turn had no answer'
     WHERE ${ofPlan()} AND outcome IS NULL AND EXISTS (
       SELECT 1 FROM job AS earlier WHERE earlier.id = job.waits_for AND earlier.outcome NOT IN ('ok', ${openSql}))`,
  );
  while (skip.run({ batch: batchId }).changes > 0);
}

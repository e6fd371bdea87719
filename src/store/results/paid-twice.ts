import { inPlan, ofJudges } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { unspentSql } from "../outcome-lists.ts";
import { selectRows, selectValues } from "../sqlite.ts";

/** Requests that may have been paid twice, by what became of the earlier ones. */
export interface PaidTwice {
  /** A gateway answered all earlier ones that may have been paid: a service that was away has hardly made a run. */
  gateway: number;
  other: number;
}

/**
 * Target id to its requests that were sent although an earlier one for the same job may have been charged: those of
 * cases and of questions to judges, those in doubt, and those that are in flight. The attempts are the only source of
 * this number. A target without any is left out.
 */
export function possiblyPaidTwice(db: Connection, batchId: number): Map<number, PaidTwice> {
  const rows = selectRows<PaidTwice & { targetId: number }>(
    db,
    `SELECT job.target_id AS targetId, sum(NOT byService) AS gateway, sum(byService) AS other
     FROM (SELECT again.job_id, max(earlier.gateway = 0) AS byService FROM (
       SELECT job_id, number FROM attempt
       WHERE ${inPlan("job_id")} AND number > 1 AND outcome NOT IN (${unspentSql})
       UNION -- the questions to judges lie behind the plan, those of a second look apart
       SELECT attempt.job_id, attempt.number FROM job AS question CROSS JOIN attempt ON attempt.job_id = question.id
       WHERE ${ofJudges("question")} AND attempt.number > 1 AND attempt.outcome NOT IN (${unspentSql})
       UNION ALL
       SELECT job_id, number FROM sending WHERE number > 1
     ) AS again
     CROSS JOIN attempt AS earlier ON earlier.job_id = again.job_id AND earlier.number < again.number AND earlier.possibly_paid = 1
     GROUP BY again.job_id, again.number) AS paid
     JOIN job ON job.id = paid.job_id
     WHERE job.batch_id = @batch
     GROUP BY 1`,
    { batch: batchId },
  );
  return new Map(rows.map(({ targetId, gateway, other }) => [targetId, { gateway, other }]));
}

/** The same for all targets of a batch together. */
export function paidTwiceInAll(db: Connection, batchId: number): PaidTwice {
  const all = [...possiblyPaidTwice(db, batchId).values()];
  const sum = (which: keyof PaidTwice): number => all.reduce((total, each) => total + each[which], 0);
  return { gateway: sum("gateway"), other: sum("other") };
}

/** The same by what was asked: the cases, and the judges about the answers to them. */
export function paidTwiceByRole(db: Connection, batchId: number): { cases: number; judges: number } {
  const found = possiblyPaidTwice(db, batchId);
  const judges = selectValues<number>(db, "SELECT id FROM target WHERE batch_id = ? AND role = 'judge'", [batchId]);
  const sum = (isJudge: boolean): number =>
    [...found].reduce(
      (all, [id, { gateway, other }]) => (judges.includes(id) === isJudge ? all + gateway + other : all),
      0,
    );
  return { cases: sum(false), judges: sum(true) };
}

import { z } from "zod";
import { endOf, type JobOutcome } from "../../api/outcomes.ts";
import type { Connection } from "../connection.ts";
import { inDoubtSql, openSql } from "../outcome-lists.ts";
import { insertRow, packedRowReader } from "../packed-rows.ts";
import { inTransaction, sqlite } from "../sqlite.ts";
import { doubtWriter, type DoubtEnd } from "./doubt.ts";

const packedRow = z.record(z.string(), z.union([z.string(), z.number(), z.null(), z.object({ base64: z.string() })]));

const handedOver = z.object({
  /** Null: the job ended without one. */
  attempt: packedRow.nullable(),
  record: packedRow.nullable(),
  /** The columns of the job that its end sets. */
  job: packedRow,
  /** The run that the service has taken. */
  sending: packedRow.optional(),
  /** The consequence that its worker drew. */
  decision: z.string().optional(),
});

/** The end of an attempt, as the rows that it is in the folder of who sent it. */
export type HandedOver = z.infer<typeof handedOver>;

/** The state of an attempt: nobody knows, the service has taken it as a run, it has ended, its job is over. */
export type HandedRank = 0 | 1 | 2 | 3;

/** A result on its way from one results folder to another. */
export interface HandedResult {
  job: number;
  /** Number of the attempt; 0: the job ended without one. */
  number: number;
  rank: HandedRank;
  /** Null: nobody knows what became of it. */
  row: string | null;
}

/** Columns of a job that its end sets. */
const endColumns = ["outcome", "answer", "error", "attempt", "corrected_after"];

/** Reads results of jobs, to be handed over. */
export function resultReader(db: Connection): (job: number, number: number, decision?: string) => HandedResult | null {
  const attempts = packedRowReader(db, "attempt", "job_id = @job AND number = @number");
  const records = packedRowReader(db, "run_record", "record = @record");
  const jobs = packedRowReader(db, "job", "id = @job");
  const sendings = packedRowReader(db, "sending", "job_id = @job AND number = @number AND run_id IS NOT NULL");
  return (job, number, decision) => {
    const [whole] = jobs({ job });
    if (whole === undefined) return null;
    const end = Object.fromEntries(endColumns.map((name) => [name, whole[name] ?? null]));
    const [attempt = null] = attempts({ job, number });
    const [record = null] =
      attempt === null || attempt["record"] === null ? [] : records({ record: attempt["record"] });
    const [sending] = attempt === null ? sendings({ job, number }) : [];
    const isOver = whole["outcome"] !== null && (attempt === null ? number === 0 : whole["attempt"] === number);
    if (attempt === null && sending === undefined && !isOver) return null;
    const row: HandedOver = {
      attempt,
      record,
      job: isOver ? end : { ...end, outcome: null },
      ...(sending !== undefined && { sending }),
      ...(decision !== undefined && { decision }),
    };
    return { job, number, rank: sending !== undefined ? 1 : isOver ? 3 : 2, row: JSON.stringify(row) };
  };
}

/** A job as it stands here. */
interface JobHere {
  id: number;
  targetId: number;
  caseId: number;
  repeat: number;
  outcome: JobOutcome | null;
}

/** A result that was entered: what it is of, and what it brought. */
export interface EnteredResult {
  job: JobHere;
  number: number;
  /** Null: nobody knows what became of the attempt. */
  row: HandedOver | null;
  /** The job is over by it, or held. */
  isEnd: boolean;
  /** Its job was held or ended in doubt before. */
  wasInDoubt: boolean;
  /** Its job was held, and is a run now that the service has taken: it can be asked for. */
  isReleased?: true;
}

/**
 * Enters results that others have handed over, all or nothing; what is here already is left. `end`: what becomes of a job that
 * is in doubt. Returns those that were new.
 */
export function enterResults(db: Connection, results: readonly HandedResult[], end: DoubtEnd): EnteredResult[] {
  const enter = resultWriter(db, end);
  const entered: EnteredResult[] = [];
  inTransaction(db, () => {
    for (const result of results) {
      const one = enter(result);
      if (one !== null) entered.push(one);
    }
  });
  return entered;
}

function resultWriter(db: Connection, end: DoubtEnd): (result: HandedResult) => EnteredResult | null {
  const sql = sqlite(db);
  const find = sql.prepare<[number], JobHere>(
    "SELECT id, target_id AS targetId, case_id AS caseId, repeat, outcome FROM job WHERE id = ?",
  );
  const known = sql
    .prepare<[number, number], number>("SELECT outcome = 'in-doubt' FROM attempt WHERE job_id = ? AND number = ?")
    .pluck();
  const forget = sql.prepare("DELETE FROM attempt WHERE job_id = ? AND number = ? AND outcome = 'in-doubt'");
  const land = sql.prepare("DELETE FROM sending WHERE job_id = ?");
  const finish = sql.prepare(
    `UPDATE job SET outcome = @outcome, answer = @answer, error = @error, attempt = @attempt, corrected_after = @corrected_after
     WHERE id = @id AND (outcome IS NULL OR outcome IN (${openSql}) OR outcome IN (${inDoubtSql}))`,
  );
  const forgive = sql.prepare("UPDATE job SET corrected_after = ? WHERE id = ? AND outcome IS NULL");
  const doubts = doubtWriter(db, "worker");
  return ({ job: id, number, rank, row: text }) => {
    const job = find.get(id);
    if (job === undefined) return null;
    const isOpen = job.outcome === null || endOf(job.outcome).open || endOf(job.outcome).inDoubt;
    const here = number === 0 ? undefined : known.get(id, number);
    if (text === null) {
      if (here !== undefined || job.outcome !== null) return null;
      doubts.mark({ jobId: id, number, queuedAt: Date.now() });
      if (rank === 0) doubts.end(id, end);
      return { job, number, row: null, isEnd: rank === 0, wasInDoubt: false };
    }
    const row = handedOver.parse(JSON.parse(text));
    if (row.sending !== undefined && row.attempt === null) {
      const isReleased = here === 1 && job.outcome !== null && endOf(job.outcome).open;
      if (isReleased) {
        forget.run(id, number);
        doubts.release(id);
      } else if (here !== undefined || !isOpen) return null;
      land.run(id);
      insertRow(db, "sending", row.sending);
      return isReleased ? { job, number, row, isEnd: false, wasInDoubt: true, isReleased } : null;
    }
    if (here === 1) forget.run(id, number);
    const isNew = row.attempt !== null && here !== 0;
    if (isNew && row.attempt !== null) {
      const { record, ...others } = row.record ?? {};
      const place = row.record === null || record === undefined ? null : Number(insertRow(db, "run_record", others));
      insertRow(db, "attempt", { ...row.attempt, record: place });
      land.run(id);
    }
    const isEnd = rank === 3 && isOpen && finish.run({ id, ...row.job }).changes > 0;
    if (rank === 2) forgive.run(row.job["corrected_after"] ?? null, id);
    if (!isNew && !isEnd) return null;
    return { job, number, row, isEnd, wasInDoubt: job.outcome !== null };
  };
}

import { inPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { execute, selectRows, sqlite } from "../sqlite.ts";

export const preferences = ["baseline", "candidate", "neither"] as const;
export type BetterSide = (typeof preferences)[number];

/** A person's word on which of two answers to the same question is better. */
export interface PairwiseLabel {
  baselineJob: number;
  candidateJob: number;
  better: BetterSide;
  /** The names were shown only afterwards. */
  blind: boolean;
  note: string | null;
  /** Empty: not told. */
  author: string;
  at: number;
}

/** Keeps a pairwise label: one for each two answers and author. */
export function writePairwiseLabel(db: Connection, { blind, ...label }: PairwiseLabel): void {
  execute(
    db,
    `INSERT INTO pairwise_label (baseline_job, candidate_job, better, blind, note, author, at)
     VALUES (@baselineJob, @candidateJob, @better, @blind, @note, @author, @at)
     ON CONFLICT (baseline_job, candidate_job, author) DO UPDATE SET better = excluded.better, blind = excluded.blind, note = excluded.note, at = excluded.at`,
    { ...label, blind: blind ? 1 : 0 },
  );
}

/** Takes back somebody's pairwise label. False: nothing was there. */
export function removePairwiseLabel(
  db: Connection,
  { baselineJob, candidateJob, author }: Pick<PairwiseLabel, "baselineJob" | "candidateJob" | "author">,
): boolean {
  const { changes } = execute(
    db,
    "DELETE FROM pairwise_label WHERE baseline_job = ? AND candidate_job = ? AND author = ?",
    [baselineJob, candidateJob, author],
  );
  return changes > 0;
}

/** The pairwise labels of one answer of a candidate. */
export function pairwiseLabelsOfJob(db: Connection): (candidateJob: number) => PairwiseLabel[] {
  const find = sqlite(db).prepare<[number], Omit<PairwiseLabel, "blind"> & { blind: number }>(
    `SELECT baseline_job AS baselineJob, candidate_job AS candidateJob, better, blind, note, author, at
     FROM pairwise_label WHERE candidate_job = ? ORDER BY author, id`,
  );
  return (candidateJob) => find.all(candidateJob).map((row) => ({ ...row, blind: row.blind === 1 }));
}

/** A pairwise label with the targets that it is about, and the case of the candidate. */
export interface StoredPairwiseLabel extends PairwiseLabel {
  caseId: number;
  baselineCase: number;
  baseline: string;
  candidate: string;
}

/** The pairwise labels of answers of a batch's candidates, in the order of the dataset. */
export function pairwiseLabels(db: Connection, batchId: number): StoredPairwiseLabel[] {
  const rows = selectRows<Omit<StoredPairwiseLabel, "blind"> & { blind: number }>(
    db,
    `SELECT baseline_job AS baselineJob, candidate_job AS candidateJob, better, blind, note, author, at,
       now.case_id AS caseId, before.case_id AS baselineCase, baseline.name AS baseline, candidate.name AS candidate
     FROM pairwise_label
     CROSS JOIN job AS now ON now.id = candidate_job CROSS JOIN target AS candidate ON candidate.id = now.target_id
     CROSS JOIN job AS before ON before.id = baseline_job CROSS JOIN target AS baseline ON baseline.id = before.target_id
     WHERE ${inPlan("candidate_job")} AND now.batch_id = @batch ORDER BY now.case_id, pairwise_label.id`,
    { batch: batchId },
  );
  return rows.map((row) => ({ ...row, blind: row.blind === 1 }));
}

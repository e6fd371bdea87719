import { inPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";
import type { LabelEntry } from "./labels.ts";

/** A second label of the same person for the same answer, given later without knowing it. */
export type RepeatedLabel = Pick<LabelEntry, "jobId" | "author" | "label" | "value" | "note" | "at"> & {
  answer: string | null;
};

/** Keeps a second label; the same person's for the same answer takes its place. */
export function writeRepeatedLabel(db: Connection, entry: RepeatedLabel): void {
  sqlite(db)
    .prepare(
      `INSERT INTO repeated_label (job_id, author, label, value, note, answer, at) VALUES (@jobId, @author, @label, @value, @note, @answer, @at)
       ON CONFLICT (job_id, author) DO UPDATE SET label = excluded.label, value = excluded.value, note = excluded.note, answer = excluded.answer, at = excluded.at`,
    )
    .run(entry);
}

/** Takes a second label back. False: nothing was there. */
export function removeRepeatedLabel(
  db: Connection,
  { jobId, author }: Pick<RepeatedLabel, "jobId" | "author">,
): boolean {
  const remove = sqlite(db).prepare<[number, string]>("DELETE FROM repeated_label WHERE job_id = ? AND author = ?");
  return remove.run(jobId, author).changes > 0;
}

/** The second labels of a batch. */
export function repeatedLabels(db: Connection, batchId: number): RepeatedLabel[] {
  return sqlite(db)
    .prepare<{ batch: number }, RepeatedLabel>(
      `SELECT job_id AS jobId, repeated_label.author, label, value, note, repeated_label.answer, at
       FROM repeated_label CROSS JOIN job ON ${inPlan("repeated_label.job_id")} AND job.id = repeated_label.job_id AND job.batch_id = @batch
       ORDER BY repeated_label.id`,
    )
    .all({ batch: batchId });
}

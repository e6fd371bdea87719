import type { JobOutcome } from "../../api/outcomes.ts";
import { inPlan } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { execute, inTransaction, selectValue, selectValues, sqlite } from "../sqlite.ts";

/** A person's label of an answer. */
export interface LabelEntry {
  jobId: number;
  /** Name of the score that it is about; empty: the answer as a whole. */
  scorer: string;
  /** The label as it was written. */
  label: string;
  /** 1 good, 0 bad, or the number. */
  value: number;
  note: string | null;
  /** Empty: not told. */
  author: string;
  at: number;
  /** A mark of the text that was labelled (see `answerMark`); null or left out: it is not known. */
  answer?: string | null;
  /** It takes the place of the score in comparisons and reports; false: it is kept beside it. */
  edits?: boolean;
}

/** Enters labels: one for each answer, score and author, so that the same again changes nothing. */
export function labelWriter(db: Connection): (entry: LabelEntry) => "added" | "changed" | "same" {
  const find = sqlite(db).prepare<
    [number, string, string],
    { label: string; note: string | null; answer: string | null; edits: number }
  >("SELECT label, note, answer, edits FROM label WHERE job_id = ? AND scorer = ? AND author = ?");
  const write = sqlite(db).prepare(
    `INSERT INTO label (job_id, scorer, label, value, note, author, at, answer, edits)
     VALUES (@jobId, @scorer, @label, @value, @note, @author, @at, @answer, @edits)
     ON CONFLICT (job_id, scorer, author) DO UPDATE SET label = excluded.label, value = excluded.value, note = excluded.note, at = excluded.at,
       answer = excluded.answer, edits = max(edits, excluded.edits)`,
  );
  return ({ edits = false, answer = null, ...entry }) => {
    const before = find.get(entry.jobId, entry.scorer, entry.author);
    const isSame = before?.label === entry.label && before.note === entry.note && before.answer === answer;
    if (isSame && (before.edits === 1 || !edits)) return "same";
    write.run({ ...entry, answer, edits: edits ? 1 : 0 });
    return before === undefined ? "added" : "changed";
  };
}

/** Enters many labels, all or none, and counts what became of them. */
export function writeLabels(
  db: Connection,
  entries: readonly LabelEntry[],
): Record<"added" | "changed" | "same", number> {
  const counts = { added: 0, changed: 0, same: 0 };
  inTransaction(db, () => {
    const write = labelWriter(db);
    for (const entry of entries) counts[write(entry)] += 1;
  });
  return counts;
}

/** Takes back somebody's label of an answer or of one of its scores. False: nothing was there. */
export function removeLabel(db: Connection, given: Pick<LabelEntry, "jobId" | "scorer" | "author">): boolean {
  const { changes } = execute(db, "DELETE FROM label WHERE job_id = ? AND scorer = ? AND author = ?", [
    given.jobId,
    given.scorer,
    given.author,
  ]);
  return changes > 0;
}

/** The labels of a batch, each with its job. In this order: few answers are labelled. */
const ofAnswers = `label CROSS JOIN job ON ${inPlan("label.job_id")} AND job.id = label.job_id AND job.batch_id = @batch`;

/** A label with the place of the answer that it is about. */
export interface StoredLabel extends LabelEntry {
  caseId: number;
  key: string;
  target: string;
  repeat: number;
}

/** The labels of a batch in the order of the dataset. Nothing may be written while they are read. */
export function* batchLabels(db: Connection, batchId: number): Generator<StoredLabel> {
  const rows = sqlite(db)
    .prepare<{ batch: number }, StoredLabel>(
      `SELECT label.job_id AS jobId, label.scorer, label.label, label.value, label.note, label.author, label.at, label.answer,
         job.case_id AS caseId, "case".key, target.name AS target, job.repeat
       FROM ${ofAnswers} CROSS JOIN "case" ON "case".id = job.case_id CROSS JOIN target ON target.id = job.target_id
       ORDER BY job.case_id, job.target_id, job.repeat, label.id`,
    )
    .iterate({ batch: batchId });
  yield* rows;
}

/** The labels of one answer. */
export function labelsOfJob(db: Connection): (jobId: number) => LabelEntry[] {
  const find = sqlite(db).prepare<[number], Omit<LabelEntry, "edits"> & { edits: number }>(
    "SELECT job_id AS jobId, scorer, label, value, note, author, at, answer, edits FROM label WHERE job_id = ? ORDER BY scorer, author",
  );
  return (jobId) => find.all(jobId).map((entry) => ({ ...entry, edits: entry.edits === 1 }));
}

/** Labels that are asked for: any, of the answer as a whole, or with a comment. */
const labelsAre = {
  yes: "TRUE",
  good: "scorer = '' AND label = 'good'",
  bad: "scorer = '' AND label = 'bad'",
  comment: "note <> ''",
} as const;

/**
 * Cases of batches, by id, of which somebody labelled an answer; of a key in several batches, the case of each. `yes`: in
 * whatever way; else so, or with a comment.
 */
export function labelledCases(
  db: Connection,
  batchIds: readonly number[],
  asked: keyof typeof labelsAre = "yes",
): ReadonlySet<number> {
  return new Set(
    selectValues<number>(
      db,
      `SELECT id FROM "case" WHERE batch_id IN (SELECT value FROM json_each(@batches)) AND key IN (
         SELECT "case".key FROM json_each(@batches) AS asked CROSS JOIN batch ON batch.id = asked.value
         CROSS JOIN label ON label.job_id BETWEEN batch.first_job AND batch.last_job
         CROSS JOIN job ON job.id = label.job_id AND job.batch_id = batch.id CROSS JOIN "case" ON "case".id = job.case_id
         WHERE ${labelsAre[asked]})`,
      { batches: JSON.stringify(batchIds) },
    ),
  );
}

/** Number of labels in a batch. */
export function countLabels(db: Connection, batchId: number): number {
  return selectValue<number>(db, `SELECT count(*) FROM ${ofAnswers}`, { batch: batchId }) ?? 0;
}

/** The job of a case on a target, by their names; undefined when there is none. */
export function jobFinder(
  db: Connection,
  batchId: number,
): (key: string, target: string, repeat: number) => { jobId: number; outcome: JobOutcome | null } | undefined {
  const find = sqlite(db).prepare<
    [number, string, number, number, string],
    { jobId: number; outcome: JobOutcome | null }
  >(
    `SELECT job.id AS jobId, job.outcome FROM "case" JOIN target ON target.batch_id = ? AND target.name = ?
     JOIN job ON job.case_id = "case".id AND job.target_id = target.id AND job.repeat = ? AND job.kind = 'case'
     WHERE "case".batch_id = ? AND "case".key = ?`,
  );
  return (key, target, repeat) => find.get(batchId, target, repeat, batchId, key);
}

import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

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
  /** It takes the place of the score in comparisons and reports; false: it is kept beside it. */
  edits?: boolean;
}

/** Enters labels: one for each answer, score and author, so that the same again changes nothing. */
export function labelWriter(db: Connection): (entry: LabelEntry) => "added" | "changed" | "same" {
  const find = sqlite(db).prepare<[number, string, string], { label: string; note: string | null; edits: number }>(
    "SELECT label, note, edits FROM label WHERE job_id = ? AND scorer = ? AND author = ?",
  );
  const write = sqlite(db).prepare(
    `INSERT INTO label (job_id, scorer, label, value, note, author, at, edits) VALUES (@jobId, @scorer, @label, @value, @note, @author, @at, @edits)
     ON CONFLICT (job_id, scorer, author) DO UPDATE SET label = excluded.label, value = excluded.value, note = excluded.note, at = excluded.at,
       edits = max(edits, excluded.edits)`,
  );
  return ({ edits = false, ...entry }) => {
    const before = find.get(entry.jobId, entry.scorer, entry.author);
    if (before?.label === entry.label && before.note === entry.note && (before.edits === 1 || !edits)) return "same";
    write.run({ ...entry, edits: edits ? 1 : 0 });
    return before === undefined ? "added" : "changed";
  };
}

/** Enters many labels, all or none, and counts what became of them. */
export function writeLabels(
  db: Connection,
  entries: readonly LabelEntry[],
): Record<"added" | "changed" | "same", number> {
  const counts = { added: 0, changed: 0, same: 0 };
  sqlite(db)
    .transaction(() => {
      const write = labelWriter(db);
      for (const entry of entries) counts[write(entry)] += 1;
    })
    .immediate();
  return counts;
}

/** Takes back somebody's label of an answer or of one of its scores. False: nothing was there. */
export function removeLabel(db: Connection, given: Pick<LabelEntry, "jobId" | "scorer" | "author">): boolean {
  const { changes } = sqlite(db)
    .prepare<[number, string, string]>("DELETE FROM label WHERE job_id = ? AND scorer = ? AND author = ?")
    .run(given.jobId, given.scorer, given.author);
  return changes > 0;
}

/** A label with the place of the answer that it is about. */
export interface StoredLabel extends LabelEntry {
  caseId: number;
  key: string;
  target: string;
  repeat: number;
}

/** The labels of a batch in the order of the dataset. Nothing may be written while they are read. */
export function batchLabels(db: Connection, batchId: number): IterableIterator<StoredLabel> {
  return sqlite(db)
    .prepare<[number], StoredLabel>(
      `SELECT label.job_id AS jobId, label.scorer, label.label, label.value, label.note, label.author, label.at,
         job.case_id AS caseId, "case".key, target.name AS target, job.repeat
       FROM label JOIN job ON job.id = label.job_id JOIN "case" ON "case".id = job.case_id JOIN target ON target.id = job.target_id
       WHERE job.batch_id = ? ORDER BY job.case_id, job.target_id, job.repeat, label.id`,
    )
    .iterate(batchId);
}

/** The labels of one answer. */
export function labelsOfJob(db: Connection): (jobId: number) => LabelEntry[] {
  const find = sqlite(db).prepare<[number], Omit<LabelEntry, "edits"> & { edits: number }>(
    "SELECT job_id AS jobId, scorer, label, value, note, author, at, edits FROM label WHERE job_id = ? ORDER BY scorer, author",
  );
  return (jobId) => find.all(jobId).map((entry) => ({ ...entry, edits: entry.edits === 1 }));
}

/** Cases of batches, by id, of which somebody labelled an answer; of a key in several batches, the case of each. */
export function labelledCases(db: Connection, batchIds: readonly number[]): ReadonlySet<number> {
  const batches = JSON.stringify(batchIds);
  const ids = sqlite(db)
    .prepare<[string, string, string], number>(
      `SELECT id FROM "case" WHERE batch_id IN (SELECT value FROM json_each(?)) AND key IN (
         SELECT "case".key FROM label JOIN job ON job.id = label.job_id JOIN "case" ON "case".id = job.case_id
         WHERE job.batch_id IN (SELECT value FROM json_each(?))
         UNION SELECT "case".key FROM pairwise_label JOIN job ON job.id = candidate_job JOIN "case" ON "case".id = job.case_id
         WHERE job.batch_id IN (SELECT value FROM json_each(?)))`,
    )
    .pluck();
  return new Set(ids.all(batches, batches, batches));
}

/** Number of labels in a batch. */
export function countLabels(db: Connection, batchId: number): number {
  const count = sqlite(db)
    .prepare<[number], number>("SELECT count(*) FROM label JOIN job ON job.id = label.job_id WHERE job.batch_id = ?")
    .pluck()
    .get(batchId);
  return count ?? 0;
}

/** The job of a case on a target, by their names; undefined when there is none. */
export function jobFinder(
  db: Connection,
  batchId: number,
): (key: string, target: string, repeat: number) => { jobId: number; outcome: string | null } | undefined {
  const find = sqlite(db).prepare<[number, string, number, number, string], { jobId: number; outcome: string | null }>(
    `SELECT job.id AS jobId, job.outcome FROM "case" JOIN target ON target.batch_id = ? AND target.name = ?
     JOIN job ON job.case_id = "case".id AND job.target_id = target.id AND job.repeat = ? AND job.kind = 'case'
     WHERE "case".batch_id = ? AND "case".key = ?`,
  );
  return (key, target, repeat) => find.get(batchId, target, repeat, batchId, key);
}

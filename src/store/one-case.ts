import type { Connection } from "./database.ts";
import { scoreEdits } from "./edits.ts";
import type { CaseOfBatches, ComparedBatch } from "./paired-results.ts";
import { caseResultReader } from "./results.ts";
import { jobScores } from "./scores.ts";

/** One case as `pairedResults` gives it, with the reasons of its scores; null when no batch has the key. */
export function oneCase(db: Connection, batches: readonly ComparedBatch[], key: string): CaseOfBatches | null {
  const find = db.prepare<[number, string], number>('SELECT id FROM "case" WHERE batch_id = ? AND key = ?').pluck();
  const read = caseResultReader(db);
  let whole: CaseOfBatches | null = null;
  for (const { batchId, scoringId } of batches) {
    const caseId = find.get(batchId, key);
    const [found] = caseId === undefined ? [] : read([caseId]);
    if (found === undefined) continue;
    const jobs = found.jobs.map((job) => ({
      ...job,
      scores: scoringId === null ? [] : jobScores(db, scoringId, { caseId: found.caseId, jobId: job.jobId }),
    }));
    const edit = scoreEdits(db, { batchId, scoringId });
    if (edit !== null) jobs.forEach(edit);
    if (whole === null) whole = { ...found, jobs, batches: [batchId], differing: [] };
    else if (whole.inputHash !== found.inputHash) whole.differing.push(batchId);
    else {
      whole.batches.push(batchId);
      whole.jobs.push(...jobs);
    }
  }
  return whole;
}

/** The case, target and batch of a job; null when there is none. */
export function placeOfJob(
  db: Connection,
  jobId: number,
): { batchId: number; targetId: number; key: string; input: string } | null {
  return (
    db
      .prepare<[number], { batchId: number; targetId: number; key: string; input: string }>(
        `SELECT job.batch_id AS batchId, job.target_id AS targetId, "case".key, "case".input
         FROM job JOIN "case" ON "case".id = job.case_id WHERE job.id = ? AND job.kind = 'case'`,
      )
      .get(jobId) ?? null
  );
}

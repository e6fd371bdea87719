import type { Connection } from "../connection.ts";
import { selectRow, sqlite } from "../sqlite.ts";
import { scoreEdits } from "../scores/edits.ts";
import { type CaseOfBatches, type ComparedBatch, countedRuns, joinCase } from "./joined-case.ts";
import { rowReader } from "../results/result-rows.ts";
import { resultsOf } from "../results/results.ts";
import type { CaseResult } from "../results/case-result.ts";

/**
 * One case as `pairedResults` gives it, with the reasons of its scores: of a key with several inputs the first. Null when
 * no batch has the key.
 */
export function oneCase(db: Connection, batches: readonly ComparedBatch[], key: string): CaseOfBatches | null {
  return oneCaseReader(db, batches)(key);
}

/** The same for one case after the other, such as those of a page; of a key with several inputs the one that is named. */
export function oneCaseReader(
  db: Connection,
  batches: readonly ComparedBatch[],
): (key: string, inputHash?: string) => CaseOfBatches | null {
  const readers = batches.map((batch) => ({ batch, read: caseOfBatch(db, batch) }));
  return (key, wanted) => {
    const parts = readers.flatMap(({ batch, read }) => {
      const result = read(key);
      return result === null ? [] : [{ batch, result }];
    });
    const cases = joinCase(parts, true);
    return cases.find(({ inputHash }) => inputHash === wanted) ?? cases[0] ?? null;
  };
}

function caseOfBatch(db: Connection, batch: ComparedBatch): (key: string) => CaseResult | null {
  const { batchId, scoringId } = batch;
  const find = sqlite(db)
    .prepare<[number, string], number>('SELECT id FROM "case" WHERE batch_id = ? AND key = ?')
    .pluck();
  const reader = rowReader(db, { scoringId, reasons: true });
  const edit = scoreEdits(db, { batchId, scoringId });
  return (key) => {
    const caseId = find.get(batchId, key);
    const [found] = caseId === undefined ? [] : resultsOf(reader.ids([caseId]));
    if (found === undefined) return null;
    if (edit !== null) for (const job of found.jobs) edit(job, found.checks);
    return countedRuns(found, batch);
  };
}

interface PlaceOfJob {
  batchId: number;
  targetId: number;
  caseId: number;
  key: string;
  input: string;
}

/** The case, target and batch of a job; null when there is none. */
export function placeOfJob(db: Connection, jobId: number): PlaceOfJob | null {
  return (
    selectRow<PlaceOfJob>(
      db,
      `SELECT job.batch_id AS batchId, job.target_id AS targetId, job.case_id AS caseId, "case".key, "case".input
       FROM job JOIN "case" ON "case".id = job.case_id WHERE job.id = ? AND job.kind = 'case'`,
      [jobId],
    ) ?? null
  );
}

import type { Connection } from "./database.ts";
import { scoreEdits } from "./edits.ts";
import { caseResultReader } from "./results.ts";
import { type JobScore, scoredResults, type ScoredResult } from "./scores.ts";

/** A batch whose cases are compared, and the scoring of it that counts; null: it was not scored. */
export interface ComparedBatch {
  batchId: number;
  scoringId: number | null;
}

/** A case with the jobs that several batches have of it. */
export interface CaseOfBatches extends ScoredResult {
  /** Ids of the batches that have this case with the same input. */
  batches: number[];
  /** Ids of the batches in which the key has another input. */
  differing: number[];
}

const pageSize = 64;

/**
 * The cases of several batches, each once, with the jobs of all batches that have its key with the same input: those of
 * the first batch in the order of its dataset, then those that only later batches have. Memory stays flat: the batches
 * are read side by side, page by page, by an index of their keys. Without `reasons` those of scores are null, which is
 * faster; those of other batches than the first always are.
 */
export function* pairedResults(
  db: Connection,
  batches: readonly ComparedBatch[],
  { reasons }: { reasons: boolean } = { reasons: false },
): Generator<CaseOfBatches> {
  const readers = batches.map((batch) => batchReader(db, batch));
  for (const [place, { batchId, scoringId }] of batches.entries()) {
    const others = readers.slice(place + 1);
    const earlier = batches.slice(0, place).map((batch) => batch.batchId);
    const isNew = earlier.length === 0 ? null : newKeys(db, earlier);
    const edit = scoreEdits(db, { batchId, scoringId });
    for (const page of pages(scoredResults(db, batchId, scoringId, { reasons }))) {
      if (edit !== null) for (const { jobs } of page) jobs.forEach(edit);
      const own = isNew === null ? page : page.filter(({ key }) => isNew(key));
      const found = others.map((reader) => reader(own.map(({ key }) => key)));
      for (const result of own) yield joined(result, batchId, found);
    }
  }
}

/** True for a key that none of these batches has. */
function newKeys(db: Connection, batchIds: readonly number[]): (key: string) => boolean {
  const find = db.prepare<[number, string]>('SELECT 1 FROM "case" WHERE batch_id = ? AND key = ?');
  return (key) => batchIds.every((batchId) => find.get(batchId, key) === undefined);
}

function* pages(results: Iterable<ScoredResult>): Generator<ScoredResult[]> {
  let page: ScoredResult[] = [];
  for (const result of results) {
    page.push(result);
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

type Found = { batchId: number; byKey: Map<string, ScoredResult> };

const none: number[] = [];

function joined(result: ScoredResult, batchId: number, found: readonly Found[]): CaseOfBatches {
  if (found.length === 0) return Object.assign(result, { batches: [batchId], differing: none });
  const batches = [batchId];
  const differing: number[] = [];
  const jobs = [...result.jobs];
  for (const { batchId: other, byKey } of found) {
    const counterpart = byKey.get(result.key);
    if (counterpart === undefined) continue;
    if (counterpart.inputHash !== result.inputHash) differing.push(other);
    else {
      batches.push(other);
      jobs.push(...counterpart.jobs);
    }
  }
  return { ...result, jobs, batches, differing };
}

/** Reads the cases of a batch that have one of some keys, with their scores. */
function batchReader(db: Connection, { batchId, scoringId }: ComparedBatch): (keys: readonly string[]) => Found {
  const ids = db
    .prepare<[number, string], number>(
      'SELECT id FROM "case" WHERE batch_id = ? AND key IN (SELECT value FROM json_each(?)) ORDER BY id',
    )
    .pluck();
  const read = caseResultReader(db);
  const scores = scoringId === null ? () => [] : scoreReader(db, scoringId);
  const edit = scoreEdits(db, { batchId, scoringId });
  return (keys) => {
    const found = ids.all(batchId, JSON.stringify(keys));
    const own = scores(found);
    const byKey = new Map<string, ScoredResult>();
    for (const result of read(found)) {
      const jobs = result.jobs.map((job) => Object.assign(job, { scores: [] as (JobScore | undefined)[] }));
      for (const [jobId, scorer, value, pass] of own) {
        const job = jobs.find((each) => each.jobId === jobId);
        if (job !== undefined) job.scores[scorer] = { value, pass: pass === null ? null : pass === 1, reason: null };
      }
      if (edit !== null) jobs.forEach(edit);
      byKey.set(result.key, { ...result, jobs });
    }
    return { batchId, byKey };
  };
}

type ScoreTuple = [jobId: number, scorer: number, value: number | null, pass: number | null];

function scoreReader(db: Connection, scoringId: number): (caseIds: readonly number[]) => ScoreTuple[] {
  const select = db
    .prepare<[number, string], ScoreTuple>(
      "SELECT job_id, scorer, value, pass FROM score WHERE scoring_id = ? AND case_id IN (SELECT value FROM json_each(?))",
    )
    .raw();
  return (caseIds) => select.all(scoringId, JSON.stringify(caseIds));
}

import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";
import { scoreEdits } from "../scores/edits.ts";
import { caseAlone, type CaseOfBatches, type ComparedBatch, countedRuns, joinCase } from "./joined-case.ts";
import { caseSpan, PageParts, pagesOf, type ResultRows, rowReader } from "../results/result-rows.ts";
import { resultsOf } from "../results/results.ts";
import type { CaseResult } from "../results/case-result.ts";

/** True when a case is wanted whose key has another input in earlier batches. */
type WantsVariant = (found: Pick<CaseOfBatches, "variants" | "variant">) => boolean;

/** The parts of the cases that are read. */
interface PairedReadOptions {
  /** Reasons of the grades; without it reasons are null, and those of later batches always are. */
  reasons: boolean;
  /** False: the bodies of answers are read in the sample alone, and where a text is expected; the others are null. Default true. */
  bodies?: boolean;
  /** The columns of the dataset that are read; default: all. */
  columns?: readonly string[] | "all";
  wants?: WantsVariant;
}

/** Cases of one batch, by their ids. */
interface PairedPage {
  /** Place of the batch in the list. */
  place: number;
  from: number;
  to: number;
  sampled: boolean;
}

/** Stored rows of a page: the cases of its batch, and those of each later batch under their keys. */
interface PairedRows {
  own: ResultRows;
  later: ResultRows[];
}

/**
 * The cases of several batches, each once, with the jobs of all batches that have its key with the same input: those of
 * the first batch in the order of its dataset, then those that only later batches have. Where the key has another input in
 * later batches, that is a case of its own, if it is wanted (default: not). Memory stays flat: the batches are read side
 * by side, part by part of a page, by an index of their keys.
 */
export function* pairedResults(
  db: Connection,
  batches: readonly ComparedBatch[],
  options: PairedReadOptions = { reasons: false },
): Generator<CaseOfBatches> {
  const read = pairedReader(db, batches, options);
  const join = pairedJoiner(db, batches, options.wants);
  const parts = new PageParts();
  for (const page of pairedPages(db, batches)) {
    for (const part of parts.of(page)) {
      const rows = read(part);
      parts.learn(part, [rows.own, ...rows.later]);
      yield* join(part, rows);
    }
  }
}

/** Pages up to here are all in the sample, later ones every tenth: a lasting change is seen all the same. */
const sampledPages = 320;
const sampleStep = 10;

/** All pages, in order. */
function* pairedPages(db: Connection, batches: readonly ComparedBatch[]): Generator<PairedPage> {
  let index = 0;
  for (const [place, { batchId }] of batches.entries()) {
    for (const page of pagesOf(caseSpan(db, batchId))) {
      yield { place, ...page, sampled: index < sampledPages || index % sampleStep === 0 };
      index += 1;
    }
  }
}

/** Reads what is stored of a page. */
function pairedReader(
  db: Connection,
  batches: readonly ComparedBatch[],
  { reasons, bodies = true, columns = "all" }: PairedReadOptions,
): (page: PairedPage) => PairedRows {
  const own = batches.map(({ scoringId }) => rowReader(db, { scoringId, reasons, columns }));
  const byKey = batches.map((batch) => keyReader(db, batch, columns));
  const isKnown = batches.map((_, place) => earlierKeys(db, batches.slice(0, place)));
  return ({ place, from, to, sampled }) => {
    const batchId = batches[place]?.batchId ?? 0;
    const rows = own[place]?.range({ batchId, from, to }, bodies || sampled) ?? { cases: [], jobs: [], scores: [] };
    const cases = rows.cases.filter(([, key]) => isKnown[place]?.(key) !== true);
    const keys = cases.map(([, key]) => key);
    return { own: { ...rows, cases }, later: byKey.slice(place + 1).map((read) => read(keys)) };
  };
}

/** True for a key that one of these batches has. */
function earlierKeys(db: Connection, batches: readonly ComparedBatch[]): (key: string) => boolean {
  const find = sqlite(db).prepare<[number, string]>('SELECT 1 FROM "case" WHERE batch_id = ? AND key = ?');
  return (key) => batches.some(({ batchId }) => find.get(batchId, key) !== undefined);
}

/** Keys that at least one of these batches has. */
export function countKeys(db: Connection, batches: readonly ComparedBatch[]): number {
  const count = sqlite(db)
    .prepare<[number, string], number>(
      `SELECT count(*) FROM "case" AS own WHERE batch_id = ? AND NOT EXISTS (
         SELECT 1 FROM json_each(?) AS earlier CROSS JOIN "case" AS known
         ON known.batch_id = earlier.value AND known.key = own.key)`,
    )
    .pluck();
  const ids = batches.map(({ batchId }) => batchId);
  return ids.reduce((sum, id, place) => sum + (count.get(id, JSON.stringify(ids.slice(0, place))) ?? 0), 0);
}

/** Reads the cases of a batch that have one of some keys. */
function keyReader(
  db: Connection,
  { batchId, scoringId }: ComparedBatch,
  columns: readonly string[] | "all",
): (keys: readonly string[]) => ResultRows {
  const ids = sqlite(db)
    .prepare<[number, string], number>(
      'SELECT id FROM "case" WHERE batch_id = ? AND key IN (SELECT value FROM json_each(?)) ORDER BY id',
    )
    .pluck();
  const reader = rowReader(db, { scoringId, reasons: false, columns });
  return (keys) => reader.ids(ids.all(batchId, JSON.stringify(keys)));
}

/** Makes of what is stored of a page the cases that it tells of. */
function pairedJoiner(
  db: Connection,
  batches: readonly ComparedBatch[],
  wants: WantsVariant = () => false,
): (page: PairedPage, rows: PairedRows) => CaseOfBatches[] {
  const edits = batches.map((batch) => scoreEdits(db, batch));
  const read = (place: number, rows: ResultRows): CaseResult[] => {
    const batch = batches[place];
    const all = resultsOf(rows);
    const results = batch?.runs === undefined ? all : all.map((result) => countedRuns(result, batch));
    const edit = edits[place] ?? null;
    if (edit !== null) for (const { jobs, checks } of results) for (const job of jobs) edit(job, checks);
    return results;
  };
  return ({ place, sampled }, rows) => {
    const batch = batches[place];
    if (batch === undefined) return [];
    const later = rows.later.flatMap((found, index) => {
      const other = batches[place + 1 + index];
      const results = read(place + 1 + index, found);
      return other === undefined ? [] : [{ batch: other, byKey: new Map(results.map((each) => [each.key, each])) }];
    });
    const own = read(place, rows.own);
    if (later.length === 0) return own.map((result) => caseAlone(result, batch, sampled));
    return own.flatMap((result) => {
      const parts = later.flatMap(({ batch: other, byKey }) => {
        const counterpart = byKey.get(result.key);
        return counterpart === undefined ? [] : [{ batch: other, result: counterpart }];
      });
      const cases = joinCase([{ batch, result }, ...parts], sampled);
      return cases.filter((each) => each.variant === 0 || wants(each));
    });
  };
}

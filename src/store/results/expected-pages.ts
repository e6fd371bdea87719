import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";
import { caseSpan, pagesOf } from "./result-rows.ts";

/** The expected answers of a batch with the ids of their cases, page by page. */
export function* expectedPages(
  db: Connection,
  batchId: number,
): Generator<{ caseId: number; expected: string | null }[]> {
  const read = sqlite(db).prepare<[number, number, number], { caseId: number; expected: string | null }>(
    'SELECT id AS caseId, expected FROM "case" WHERE id BETWEEN ? AND ? AND +batch_id = ? ORDER BY id',
  );
  for (const { from, to } of pagesOf(caseSpan(db, batchId))) yield read.all(from, to, batchId);
}

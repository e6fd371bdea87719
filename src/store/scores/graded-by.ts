import type { Connection } from "../connection.ts";
import { inTransaction, sqlite } from "../sqlite.ts";

/** Expected text by the id of a case, where it is another than the batch was planned with; null: none is expected now. */
export type ExpectedTexts = ReadonlyMap<number, string | null>;

/** The texts by which a scoring graded cases that were planned with another. */
export function gradedBy(db: Connection, scoringId: number): ExpectedTexts {
  const rows = sqlite(db)
    .prepare<[number], [number, string | null]>("SELECT case_id, expected FROM graded_by WHERE scoring_id = ?")
    .raw()
    .all(scoringId);
  return new Map(rows);
}

/** Notes the texts by which a scoring grades. */
export function noteGradedBy(db: Connection, scoringId: number, texts: ExpectedTexts): void {
  const sql = sqlite(db);
  const insert = sql.prepare("INSERT INTO graded_by (scoring_id, case_id, expected) VALUES (?, ?, ?)");
  inTransaction(db, () => {
    for (const [caseId, expected] of texts) insert.run(scoringId, caseId, expected);
  });
}

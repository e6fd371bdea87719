import type { Connection } from "../connection.ts";
import { selectRow, selectValue, selectValues, sqlite } from "../sqlite.ts";

/** Looks up the keys of cases by their ids. */
export function caseKeys(db: Connection): (caseId: number) => string {
  const key = sqlite(db).prepare<[number], string>('SELECT key FROM "case" WHERE id = ?').pluck();
  return (caseId) => key.get(caseId) ?? "";
}

/** Looks up by its id which case one is, also among those of one key with different inputs. */
export function caseIdentities(db: Connection): (caseId: number) => { key: string; inputHash: string } | null {
  const find = sqlite(db).prepare<[number], { key: string; inputHash: string }>(
    'SELECT key, input_hash AS inputHash FROM "case" WHERE id = ?',
  );
  return (caseId) => find.get(caseId) ?? null;
}

/** Keys of the cases of a batch that any target answered. Nothing may be written while they are read. */
export function answeredKeys(db: Connection, batchId: number): IterableIterator<string> {
  return sqlite(db)
    .prepare<[number], string>(
      `SELECT DISTINCT key FROM "case" JOIN job ON job.case_id = "case".id WHERE "case".batch_id = ? AND job.outcome = 'ok'`,
    )
    .pluck()
    .iterate(batchId);
}

/** The id of the case of a key; null when the batch has none. */
export function caseOfKey(db: Connection, batchId: number, key: string): number | null {
  return selectValue<number>(db, 'SELECT id FROM "case" WHERE batch_id = ? AND key = ?', [batchId, key]) ?? null;
}

/** The id of the case of a row of the dataset, as a spreadsheet counts it; null where the batch has none, or one in each of several files. */
export function caseOfRow(db: Connection, batchId: number, row: number): number | null {
  const ids = selectValues<number>(db, `SELECT id FROM "case" WHERE batch_id = ? AND row = ? AND file <> ''`, [
    batchId,
    row,
  ]);
  return ids.length === 1 ? (ids[0] ?? null) : null;
}

/** The file of the case of a key, and the line on which its row begins; null where the batch has none. */
export function placeOfKey(db: Connection, batchId: number, key: string): { file: string; line: number } | null {
  return (
    selectRow<{ file: string; line: number }>(db, 'SELECT file, line FROM "case" WHERE batch_id = ? AND key = ?', [
      batchId,
      key,
    ]) ?? null
  );
}

/** Keys of the last turns of a conversation before one of them, in their order. */
export function earlierKeys(
  db: Connection,
  batchId: number,
  { cluster, turn, most }: { cluster: string; turn: number; most: number },
): string[] {
  return selectValues<string>(
    db,
    `SELECT key FROM (
       SELECT key, turn, place FROM "case" WHERE batch_id = @batchId AND cluster = @cluster AND cluster <> key AND turn < @turn
       UNION ALL SELECT key, turn, place FROM "case" WHERE batch_id = @batchId AND key = @cluster AND cluster = key AND turn < @turn)
     ORDER BY turn DESC, place DESC LIMIT @most`,
    { batchId, cluster, turn, most },
  ).toReversed();
}

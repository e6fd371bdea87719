import type { Connection } from "../connection.ts";

/** Looks up the keys of cases by their ids. */
export function caseKeys(db: Connection): (caseId: number) => string {
  const key = db.prepare<[number], string>('SELECT key FROM "case" WHERE id = ?').pluck();
  return (caseId) => key.get(caseId) ?? "";
}

/** The id of the case of a key; null when the batch has none. */
export function caseOfKey(db: Connection, batchId: number, key: string): number | null {
  const id = db
    .prepare<[number, string], number>('SELECT id FROM "case" WHERE batch_id = ? AND key = ?')
    .pluck()
    .get(batchId, key);
  return id ?? null;
}

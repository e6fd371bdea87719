import type { Connection } from "./database.ts";

/** Looks up the keys of cases by their ids. */
export function caseKeys(db: Connection): (caseId: number) => string {
  const key = db.prepare<[number], string>('SELECT key FROM "case" WHERE id = ?').pluck();
  return (caseId) => key.get(caseId) ?? "";
}

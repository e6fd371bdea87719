import { dirname } from "node:path";
import Database from "better-sqlite3";
import { AppError } from "../errors.ts";
import type { Connection } from "./connection.ts";

/** The AppError for data that cannot be written (a full disk, a file that is gone), with advice. */
export function storeFailure(db: Pick<Connection, "name">, error: unknown, hint = goOn(db.name)): AppError {
  const reason = error instanceof Error ? error.message : String(error);
  return new AppError("STORE_FAILED", `Could not write to ${db.name}: ${reason}`, {
    hint,
    cause: error,
  });
}

function goOn(database: string): string {
  const out = dirname(database);
  const folder = out === "results" ? "" : ` --out ${out}`;
  return `What was committed is kept. Make room on the disk, then continue with \`tandem resume${folder}\`.`;
}

/** True for an error of the database itself. */
export const isStoreError = (error: unknown): boolean => error instanceof Database.SqliteError;

/** True for what a full or failing disk makes of a write, and not for a file that is no database. */
export const isDiskError = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(FULL|IOERR)/.test(error.code);

/** Makes a write that the next process makes good when it cannot be made now. */
export function tryToWrite(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isStoreError(error)) throw error;
  }
}

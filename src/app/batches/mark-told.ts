import { databasePath, openDatabase } from "../../store/database.ts";
import { noteTold } from "../../store/nights/told.ts";

/** Notes that a batch has come to its end, and whether everybody who was to know its verdict was told. If that fails, it is told again. */
export function markTold(out: string, batch: string, isTold: boolean): void {
  try {
    const db = openDatabase(databasePath(out), { mustExist: true });
    try {
      noteTold(db, batch, isTold ? Date.now() : null);
    } finally {
      db.close();
    }
  } catch {
    // The database is gone, or cannot be written: whoever looks at it next learns of that.
  }
}

import { databasePath, openDatabase } from "../../store/database.ts";
import { noteTold } from "../../store/nights/told.ts";

/** `told`: by a way that was configured, or would have been of a change; `failed`: somebody was not; `nobody`: there was no way. */
export type Telling = "told" | "failed" | "nobody";

/** Notes that a batch has come to its end, and whether everybody who was to know its verdict was told. If that fails, it is told again. */
export function markTold(out: string, batch: string, telling: Telling): void {
  try {
    const db = openDatabase(databasePath(out), { mustExist: true });
    try {
      noteTold(db, batch, { at: telling === "failed" ? null : Date.now(), isNotified: telling === "told" });
    } finally {
      db.close();
    }
  } catch {
    // The database is gone, or cannot be written: whoever looks at it next learns of that.
  }
}

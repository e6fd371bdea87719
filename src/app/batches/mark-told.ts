import { databasePath, openDatabase } from "../../store/database.ts";
import { noteTold } from "../../store/nights/told.ts";
import { tryToWrite } from "../../store/store-failure.ts";

/** Notes that a batch has come to its end: everybody who was to know its verdict was told. If that fails, it is told again. */
export function markTold(out: string, batch: string): void {
  tryToWrite(() => {
    const db = openDatabase(databasePath(out));
    try {
      noteTold(db, batch, Date.now());
    } finally {
      db.close();
    }
  });
}

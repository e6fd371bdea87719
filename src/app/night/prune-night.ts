import { databasePath, openDatabase } from "../../store/database.ts";
import type { PruneRule } from "../../store/removal/needed-batches.ts";
import { carryOut, prunedRemoval, type Removal } from "../batches/remove-batches.ts";

/** Removes the old batches that a rule does not leave, those that nothing needs any more. */
export function pruneNights(out: string, rule: PruneRule): Removal {
  const db = openDatabase(databasePath(out), { mustExist: true });
  try {
    const removal = prunedRemoval(db, rule, false);
    if (removal.going.length > 0) carryOut(db, removal);
    return removal;
  } finally {
    db.close();
  }
}

import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import { knownPath } from "../../store/read-only-folder.ts";
import { prunable, type PruneRule } from "../../store/needed-batches.ts";
import { storeFailure } from "../../store/store-failure.ts";
import { carryOut, type Removal, removalOf } from "../batches/remove-batches.ts";
import { alarmReasons } from "../history/alarm-nights.ts";
import { unfinishedOf } from "../batches/unfinished-batch.ts";

/** The removal of what is old after a night. */
interface NightPruning {
  rule: PruneRule;
  /** The batch of the night, which stays whatever the rule says. */
  tonight: string;
  /** Batches that were cut off and began after this moment stay: they can still go on. */
  resumableSince: number;
}

/**
 * Removes the old batches that a rule does not leave, those that nothing needs any more. Throws STORE_FAILED where the disk is
 * full and the like: the next night removes them.
 */
export function pruneNights(out: string, { rule, tonight, resumableSince }: NightPruning): Removal {
  const db = openDatabase(databasePath(out), { mustExist: true });
  try {
    const chosen = prunable(db, rule).filter(({ name }) => name !== tonight);
    const alarmReason = alarmReasons(db);
    const staysFor = (batch: Batch): string | null =>
      batch.createdAt > resumableSince && isCutOff(db, batch, out)
        ? "it was cut off, and can still go on"
        : alarmReason(batch);
    const removal = removalOf(db, chosen, { losesRuns: false, staysFor });
    if (removal.going.length > 0) carryOut(db, removal);
    return removal;
  } catch (error) {
    throw storeFailure(knownPath(db.name), error);
  } finally {
    db.close();
  }
}

const isCutOff = (db: Connection, batch: Batch, out: string): boolean => unfinishedOf(db, [batch], out) !== undefined;

import { isDeepStrictEqual } from "node:util";
import { everything, type Selection } from "../../plan/select.ts";
import { listBatches } from "../../store/batches.ts";
import { againstOf } from "../../store/compared/comparisons.ts";
import type { Connection } from "../../store/connection.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import { isLeftUntold } from "../../store/nights/told.ts";
import { unfinishedOf } from "../batches/unfinished-batch.ts";
import { openReference } from "../compare/pin-file.ts";

/** The last night of a suite, where it did not come to its end. */
export interface CutOffNight {
  batch: string;
  /** When it began, in milliseconds since 1970. */
  startedAt: number;
  /** All was answered and graded, and nobody was told. */
  isAnswered: boolean;
}

/**
 * The latest batch of a suite that asked the same cases and was to be compared with the same, if it was cut off: by a kill,
 * an outage or a limit, or before anybody was told. Null: it came to its end, or there is none. Throws BATCH_NOT_FOUND for a
 * reference that is not there.
 */
export function cutOffNight(asked: NightAsked): CutOffNight | null {
  const db = openDatabase(databasePath(asked.out));
  try {
    return cutOffIn(db, asked);
  } finally {
    db.close();
  }
}

interface NightAsked {
  out: string;
  suite: string;
  against: string | null;
  selection: Selection | null;
}

function cutOffIn(db: Connection, { out, suite, against, selection }: NightAsked): CutOffNight | null {
  const reference = against === null ? null : openReference(db, against);
  const cases = isDeepStrictEqual(selection, everything) ? null : selection;
  const latest = listBatches(db, suite).findLast(
    (batch) => againstOf(db, batch.id) === reference && isDeepStrictEqual(batch.selection, cases),
  );
  if (latest === undefined) return null;
  const isAnswered = unfinishedOf(db, [latest], out) === undefined;
  // A run by hand tells itself.
  if (isAnswered && !isLeftUntold(db, latest.id)) return null;
  return { batch: latest.name, startedAt: latest.createdAt, isAnswered };
}

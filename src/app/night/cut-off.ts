import { isDeepStrictEqual } from "node:util";
import { ageOfDate } from "../../lib/clock.ts";
import { everything, type Selection } from "../../plan/select.ts";
import { type Batch, listBatches, nameMeantBefore } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import { type LeftNight, leftNight } from "../../store/nights/notices.ts";
import { isAskingAgain } from "../../store/scores/judge-checks.ts";
import { unfinishedOf } from "../batches/unfinished-batch.ts";
import { findReference, isSameReference, ownReference } from "../compare/batch-reference.ts";
import { openReference } from "../compare/pin-file.ts";

/** The last night of a suite, where it did not come to its end. */
export interface CutOffNight {
  batch: string;
  /** When it began, in milliseconds since 1970. */
  startedAt: number;
  /**
   * All was answered and graded, and its process was killed before the night was over: `owed`: people were not told; `unsure`: it
   * was killed while people were told; `told`: it was killed after that. Null: not all was answered and graded, or its judges were
   * not asked to the end.
   */
  notice: LeftNight["notice"] | null;
}

/** A night that people were told of counts as this one where it is begun again so soon: by whatever watches over it. */
const againWithinMs = 15 * 60_000;

/**
 * The latest batch of a suite that asked the same cases and was to be compared with the same, if it was cut off: by a kill,
 * an outage or a limit, also before its night was over. Null: it came to its end, or there is none. Throws BATCH_NOT_FOUND
 * for a reference that is not there. Only while no process does the night.
 */
export function cutOffNight(asked: NightAsked): CutOffNight | null {
  using db = openDatabase(databasePath(asked.out));
  return cutOffIn(db, asked);
}

interface NightAsked {
  out: string;
  suite: string;
  against: string | null;
  selection: Selection | null;
}

/** True where a batch is what a selection asked for when the batch began: the names of batches in it, such as SUITE~1, meant others then. */
function isAsked(db: Connection, batch: Batch, asked: Selection | null): boolean {
  const then = batch.selection;
  if (asked === null || then === null) return asked === then;
  const named = (name: string | null): string | null =>
    name === null ? null : nameMeantBefore(db, batch.id, name === "" ? batch.suiteName : name);
  return isDeepStrictEqual(then, { ...asked, failed: named(asked.failed), changed: named(asked.changed) });
}

function cutOffIn(db: Connection, { out, suite, against, selection }: NightAsked): CutOffNight | null {
  const reference = against === null ? null : findReference(db, openReference(db, against));
  const cases = isDeepStrictEqual(selection, everything) ? null : selection;
  const latest = listBatches(db, suite).findLast(
    (batch) => isSameReference(ownReference(db, batch), reference) && isAsked(db, batch, cases),
  );
  if (latest === undefined) return null;
  const cutOff = { batch: latest.name, startedAt: latest.createdAt };
  if (unfinishedOf(db, [latest], out) !== undefined || isAskingAgain(db, latest.id)) return { ...cutOff, notice: null };
  // A run by hand tells itself.
  const left = leftNight(db, latest.id);
  if (left === null) return null;
  const { notice, toldAt } = left;
  const isOver = notice === "told" && (toldAt === null || ageOfDate(toldAt) > againWithinMs);
  return isOver ? null : { ...cutOff, notice };
}

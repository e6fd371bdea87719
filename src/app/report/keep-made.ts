import type { Comparison } from "../../compare/comparison.ts";
import { version } from "../../lib/version.ts";
import { keepComparison, storedComparisons } from "../../store/compared/comparisons.ts";
import type { Connection } from "../../store/connection.ts";
import { openDatabase } from "../../store/database.ts";
import { batchEdits } from "../../store/scores/edits.ts";
import { keptAs, type PlannedComparison } from "../compare/planned-comparison.ts";
import { editsCounted, isBeforeEdits, keptSummary, readKeptNight } from "../history/saved-night.ts";

/** Keeps a comparison that was made now, with which lists and nights go on. */
export function keepMade(db: Connection, planned: PlannedComparison, comparison: Comparison): void {
  const { batch, settings } = planned;
  const { verdict, word } = comparison;
  const summary = keptSummary(comparison);
  keepComparison(db, {
    batchId: batch.id,
    against: keptAs(planned),
    seed: settings.seed,
    verdict,
    word,
    summary,
    version,
    createdAt: Date.now(),
  });
}

/**
 * Keeps a comparison that counts edits of scores which the one that is kept does not: lists and nights go on with it. Where it
 * cannot be written the older one stays, which says that it is one.
 */
export function keepEdited(db: Connection, planned: PlannedComparison, comparison: Comparison): void {
  const { batch, isOwn } = planned;
  const before = storedComparisons(db, batch.id).findLast(({ against }) => against === keptAs(planned));
  if (before === undefined || !isOwn) return;
  const counted = editsCounted(readKeptNight(before.summary));
  if (!isBeforeEdits(counted, { ...batchEdits(db, batch.id), comparedAt: before.createdAt })) return;
  try {
    using writing = openDatabase(db.name, { mustExist: true, busyMs: 2000 });
    keepMade(writing, planned, comparison);
  } catch {
    // A full disk, a folder that may only be read, or a process that writes for longer.
  }
}

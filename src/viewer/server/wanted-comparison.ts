import { AppError } from "../../errors.ts";
import {
  type PlannedComparison,
  comparisonAgainst,
  comparisonBetween,
  comparisonOfBatch,
} from "../../app/compare/planned-comparison.ts";
import { findBatch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { batchState, isAtWork } from "./home/batch-state.ts";
import { indexFormat } from "../../report/row-index/index-files.ts";
import { hashText } from "../../lib/hash.ts";
import { version } from "../../lib/version.ts";
import { acknowledgements } from "../../store/nights/acknowledgements.ts";
import { editStamp } from "../../store/scores/edits.ts";

/** The comparison that somebody wants to see, as the address of the page says it. */
export interface Wanted {
  /** A batch: its own comparison, or with what `against` names. */
  batch: string | null;
  /** A pin or another batch; null: as the batch was run. */
  against: string | null;
  /** Targets of any batches (`BATCH:TARGET`), the baseline first; empty: the batch's. */
  sides: string[];
}

/** Plans the comparison that is wanted. Throws USAGE for a batch that still runs: half of it decides nothing. */
export function comparisonOfWanted(db: Connection, { batch, against, sides }: Wanted): PlannedComparison {
  const planned =
    sides.length > 0
      ? comparisonBetween(db, sides)
      : against === null
        ? comparisonOfBatch(db, findBatch(db, batch ?? "latest"))
        : comparisonAgainst(db, findBatch(db, batch ?? "latest"), against);
  for (const { batchId } of planned.batches) {
    const { name, state } = batchState(db, batchId);
    if (!isAtWork(state)) continue;
    throw new AppError("USAGE", `${name} still runs: it is compared when it has ended.`, {
      hint: "Open the batch itself to see what is known so far.",
    });
  }
  return planned;
}

/** The same again has the same; another index, other sides, rules, scorings or edited scores, and another state of a batch or of what is known of changes make it another. */
export function comparisonId(db: Connection, { batch, against, batches, settings }: PlannedComparison): string {
  const progress = batches.map(({ batchId }) => {
    const { name, state, createdAt, finishedAt, workedAt } = batchState(db, batchId);
    return [name, state, createdAt, finishedAt, state === "finished" ? null : workedAt, editStamp(db, batchId)];
  });
  const known = acknowledgements(db, batch.suiteName);
  const all = [version, [indexFormat], batch.name, batch.seed, against, batches, progress, settings, known];
  // A map as JSON is empty.
  const text = JSON.stringify(all, (_, value: unknown) => (value instanceof Map ? Array.from(value) : value));
  return hashText(text, 24);
}

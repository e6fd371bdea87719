import { hashText } from "../../lib/hash.ts";
import { version } from "../../lib/version.ts";
import type { Connection } from "../../store/connection.ts";
import { acknowledgements } from "../../store/nights/acknowledgements.ts";
import { editStamp } from "../../store/scores/edits.ts";
import type { PlannedComparison } from "./planned-comparison.ts";

interface MarkOptions {
  /** The progress of a batch, as JSON takes it. */
  progressOf: (batchId: number) => readonly unknown[];
  /** Whatever else the same again depends on. */
  about: readonly unknown[];
}

/** The same again gives the same: sides, rules, scorings, edited scores, and how far the batches are, and what is known of changes. */
export function comparisonMark(
  db: Connection,
  { batch, against, batches, settings }: PlannedComparison,
  { progressOf, about }: MarkOptions,
): string {
  const progress = batches.map(({ batchId }) => [...progressOf(batchId), editStamp(db, batchId)]);
  const known = acknowledgements(db, batch.suiteName);
  const all = [version, about, batch.name, batch.seed, against, batches, progress, settings, known];
  // A map as JSON is empty.
  const text = JSON.stringify(all, (_, value: unknown) => (value instanceof Map ? Array.from(value) : value));
  return hashText(text, 24);
}

import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

/**
 * Notes that the verdict of a batch has been told to everybody who was to know; `at` is null where that failed. `isNotified` is
 * false where there was no way to tell anybody: the last time counts, as the verdict may be another than before.
 */
export function noteTold(
  db: Connection,
  batch: string,
  { at, isNotified }: { at: number | null; isNotified: boolean },
): void {
  sqlite(db)
    .prepare(
      `UPDATE batch SET told_at = coalesce(@at, told_at), notified = iif(@at IS NULL, notified, @notified), left_untold = NULL
       WHERE name = @batch`,
    )
    .run({ at, notified: isNotified ? 1 : 0, batch });
}

/** Marks the batches of a suite that a process finished between two moments, and did not live to tell. */
export function markUntold(db: Connection, suite: string, { from, to }: { from: number; to: number }): void {
  sqlite(db)
    .prepare(
      `UPDATE batch SET left_untold = 1
       WHERE suite_name = @suite AND origin IS NULL AND state = 'finished' AND told_at IS NULL AND created_at <= @to
         AND (created_at >= @from OR finished_at >= @from)`,
    )
    .run({ suite, from, to });
}

/** True for a batch of a night whose process was gone before it had told the verdict. */
export function isLeftUntold(db: Connection, batchId: number): boolean {
  return (
    sqlite(db)
      .prepare<[number]>("SELECT 1 FROM batch WHERE id = ? AND left_untold = 1 AND told_at IS NULL")
      .get(batchId) !== undefined
  );
}

/** A night before another. */
export interface EarlierNight {
  /** Milliseconds since 1970. */
  startedAt: number;
  state: string;
  /** JSON of its own comparison; null: it is not kept. */
  summary: string | null;
}

/** Earlier nights of the same suite, cases and reference as a batch, the latest first; with `told` only those of which people were told. */
export function nightsBefore(db: Connection, batchId: number, which: "told" | "all"): IterableIterator<EarlierNight> {
  return sqlite(db)
    .prepare<[number], EarlierNight>(
      `SELECT night.created_at AS startedAt, night.state,
         (SELECT summary FROM comparison WHERE batch_id = night.id AND against = coalesce(night.against, '')
          ORDER BY comparison.id DESC LIMIT 1) AS summary
       FROM batch AS night JOIN batch AS now ON now.id = ?
       WHERE night.suite_name = now.suite_name AND night.origin IS NULL AND night.id < now.id
         AND ${which === "told" ? "night.told_at IS NOT NULL AND night.notified = 1" : "(night.told_at IS NOT NULL OR night.state = 'finished')"}
         AND night.against IS now.against AND night.selection IS now.selection
       ORDER BY night.id DESC`,
    )
    .iterate(batchId);
}

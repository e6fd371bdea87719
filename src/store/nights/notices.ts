import type { Connection } from "../connection.ts";
import { execute, selectRow, selectRows, sqlite } from "../sqlite.ts";
import { selectedCasesSql } from "./stored-nights.ts";

/** Enters that a notice of a batch is about to be sent. */
export function beginNotice(db: Connection, batch: string, at: number): void {
  execute(db, "UPDATE batch SET notice_at = ? WHERE name = ?", [at, batch]);
}

/**
 * Enters that people know the verdict of a batch; `at` is null where somebody could not be told. `isNotified` is false where
 * there was no way to tell anybody: the last time counts, as the verdict may be another than before.
 */
export function endNotice(
  db: Connection,
  batch: string,
  { at, isNotified }: { at: number | null; isNotified: boolean },
): void {
  execute(
    db,
    `UPDATE batch SET told_at = coalesce(@at, told_at), notified = iif(@at IS NULL, notified, @notified), notice_at = NULL,
       night = iif(night IS NULL OR @at IS NULL, night, 'told')
     WHERE name = @batch`,
    { at, notified: isNotified ? 1 : 0, batch },
  );
}

/** A notice that was begun, and of which no process has entered what became of it. */
interface BegunNotice {
  /** Name of its batch. */
  name: string;
  startedAt: number;
  noticeAt: number;
}

/** The notices of a suite that were begun and not ended: by a process that sends one now, or that was killed while it did. */
export function noticesBegun(db: Connection, suite: string): BegunNotice[] {
  return selectRows<BegunNotice>(
    db,
    `SELECT name, created_at AS startedAt, notice_at AS noticeAt FROM batch
     WHERE suite_name = ? AND origin IS NULL AND notice_at IS NOT NULL ORDER BY id`,
    [suite],
  );
}

/** Forgets that these notices are in doubt: people were told so. */
export function forgetDoubts(db: Connection, notices: readonly Pick<BegunNotice, "name" | "noticeAt">[]): void {
  const forget = sqlite(db).prepare("UPDATE batch SET notice_at = NULL WHERE name = ? AND notice_at = ?");
  for (const { name, noticeAt } of notices) forget.run(name, noticeAt);
}

/** Enters that a night has a batch now, of which it owes people word. */
export function oweNotice(db: Connection, batch: string): void {
  execute(db, "UPDATE batch SET night = 'owed' WHERE name = ?", [batch]);
}

/** Enters that the night of these batches has come to its end. Those that a process left that was killed stay as they are. */
export function closeNight(db: Connection, batches: readonly string[]): void {
  const end = sqlite(db).prepare("UPDATE batch SET night = NULL WHERE name = ?");
  for (const batch of batches) end.run(batch);
}

/** The state in which a process left a batch that was killed before the end of its night. */
export interface LeftNight {
  /** `owed`: nobody was told; `unsure`: it was killed while people were told; `told`: they were. */
  notice: "owed" | "unsure" | "told";
  /** When they were told for the last time; null: never. */
  toldAt: number | null;
}

/** The state of a batch whose night did not come to its end; null: no night has it. Only while no process does the night. */
export function leftNight(db: Connection, batchId: number): LeftNight | null {
  return (
    selectRow<LeftNight>(
      db,
      `SELECT CASE WHEN night = 'owed' AND notice_at IS NOT NULL THEN 'unsure' ELSE night END AS notice, told_at AS toldAt
       FROM batch WHERE id = ? AND night IS NOT NULL`,
      [batchId],
    ) ?? null
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
         (SELECT summary FROM comparison WHERE batch_id = night.id AND against = ''
          ORDER BY comparison.id DESC LIMIT 1) AS summary
       FROM batch AS night JOIN batch AS now ON now.id = ?
       WHERE night.suite_name = now.suite_name AND night.origin IS NULL AND night.id < now.id
         AND ${which === "told" ? "night.told_at IS NOT NULL AND night.notified = 1 AND night.notice_at IS NULL" : "(night.told_at IS NOT NULL OR night.state = 'finished')"}
         AND night.against IS now.against AND ${selectedCasesSql("night")} IS ${selectedCasesSql("now")}
       ORDER BY night.id DESC`,
    )
    .iterate(batchId);
}

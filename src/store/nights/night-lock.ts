import type { Connection } from "../connection.ts";
import { holdHere, isHeld, leaveHere, type Lock, ownLock, type Place } from "../lock.ts";
import { execute, inTransaction, sqlite } from "../sqlite.ts";
import { closeNight } from "./notices.ts";

/** The process that does the night of a suite. */
export interface NightHolder extends Pick<Lock, "pid" | "host"> {
  /** When it began, in milliseconds since 1970. */
  since: number;
}

/** Takes the night of a suite for this process, also from one that is gone. Null; or the process that has it. */
export function takeNight(db: Connection, suite: string): NightHolder | null {
  const sql = sqlite(db);
  const find = sql.prepare<[string], Lock & NightHolder>(
    "SELECT pid, host, started, since, at FROM night_lock WHERE suite_name = ?",
  );
  const take = sql.prepare(
    `INSERT OR REPLACE INTO night_lock (suite_name, pid, host, started, since, at)
     VALUES (@suite, @pid, @host, @started, @at, @at)`,
  );
  return inTransaction(db, (): NightHolder | null => {
    const held = find.get(suite);
    if (held !== undefined && isHeld(held, placeOf(db, suite))) return held;
    take.run({ suite, ...ownLock(placeOf(db, suite)) });
    holdHere(placeOf(db, suite));
    return null;
  });
}

/** A sign of life of the process that has it, to be given every 30 s or so. */
export function keepNight(db: Connection, suite: string): void {
  execute(db, "UPDATE night_lock SET at = ? WHERE suite_name = ?", [Date.now(), suite]);
}

/** Gives back what this process has taken: the night of these batches is over. */
export function releaseNight(db: Connection, suite: string, batches: readonly string[]): void {
  leaveHere(placeOf(db, suite));
  inTransaction(db, () => {
    execute(db, "DELETE FROM night_lock WHERE suite_name = ?", [suite]);
    closeNight(db, batches);
  });
}

const placeOf = (db: Connection, suite: string): Place => ({ db, name: `night ${suite}` });

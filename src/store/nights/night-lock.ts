import type { Connection } from "../connection.ts";
import { holdHere, isHeld, leaveHere, type Lock, ownLock, type Place } from "../lock.ts";
import { sqlite } from "../sqlite.ts";
import { markUntold } from "./told.ts";

/** The process that does the night of a suite. */
export interface NightHolder extends Pick<Lock, "pid" | "host"> {
  /** When it began, in milliseconds since 1970. */
  since: number;
}

/**
 * Takes the night of a suite for this process, also from one that is gone, of which the batches that it has not told are
 * marked. Null; or the process that has it.
 */
export function takeNight(db: Connection, suite: string): NightHolder | null {
  const sql = sqlite(db);
  const find = sql.prepare<[string], Lock & NightHolder>(
    "SELECT pid, host, started, since, at FROM night_lock WHERE suite_name = ?",
  );
  const take = sql.prepare(
    `INSERT OR REPLACE INTO night_lock (suite_name, pid, host, started, since, at)
     VALUES (@suite, @pid, @host, @started, @at, @at)`,
  );
  return sql
    .transaction((): NightHolder | null => {
      const held = find.get(suite);
      if (held !== undefined && isHeld(held, placeOf(db, suite))) return held;
      if (held !== undefined) markUntold(db, suite, { from: held.since, to: held.at + betweenSignsMs });
      take.run({ suite, ...ownLock(placeOf(db, suite)) });
      holdHere(placeOf(db, suite));
      return null;
    })
    .immediate();
}

/** Longest time between two signs of life, with some to spare. */
const betweenSignsMs = 60_000;

/** A sign of life of the process that has it, to be given every 30 s or so. */
export function keepNight(db: Connection, suite: string): void {
  sqlite(db).prepare("UPDATE night_lock SET at = ? WHERE suite_name = ?").run(Date.now(), suite);
}

/** Gives back what this process has taken. */
export function releaseNight(db: Connection, suite: string): void {
  leaveHere(placeOf(db, suite));
  sqlite(db).prepare("DELETE FROM night_lock WHERE suite_name = ?").run(suite);
}

const placeOf = (db: Connection, suite: string): Place => ({ db, name: `night ${suite}` });

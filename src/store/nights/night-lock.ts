import { resolve } from "node:path";
import type { Connection } from "../connection.ts";
import { holdHere, isHeld, leaveHere, type Lock, ownLock } from "../lock.ts";
import { sqlite } from "../sqlite.ts";

/** The process that does the night of a suite. */
export interface NightHolder extends Pick<Lock, "pid" | "host"> {
  /** When it began, in milliseconds since 1970. */
  since: number;
}

/** The night, taken by this process. */
export interface TakenNight {
  /** The process that had it before is gone, and did not come to its end. */
  wasLeft: boolean;
}

/** Takes the night of a suite for this process, also from one that is gone; or gives the process that has it. */
export function takeNight(db: Connection, suite: string): TakenNight | NightHolder {
  const sql = sqlite(db);
  const find = sql.prepare<[string], Lock & NightHolder>(
    "SELECT pid, host, started, since, at FROM night_lock WHERE suite_name = ?",
  );
  const take = sql.prepare(
    `INSERT OR REPLACE INTO night_lock (suite_name, pid, host, started, since, at)
     VALUES (@suite, @pid, @host, @started, @at, @at)`,
  );
  return sql
    .transaction((): TakenNight | NightHolder => {
      const held = find.get(suite);
      if (held !== undefined && isHeld(held, placeOf(db, suite))) return held;
      take.run({ suite, ...ownLock() });
      holdHere(placeOf(db, suite));
      return { wasLeft: held !== undefined };
    })
    .immediate();
}

/** A sign of life of the process that has it, to be given every 30 s or so. */
export function keepNight(db: Connection, suite: string): void {
  sqlite(db).prepare("UPDATE night_lock SET at = ? WHERE suite_name = ?").run(Date.now(), suite);
}

/** Gives back what this process has taken. */
export function releaseNight(db: Connection, suite: string): void {
  leaveHere(placeOf(db, suite));
  sqlite(db).prepare("DELETE FROM night_lock WHERE suite_name = ?").run(suite);
}

const placeOf = (db: Connection, suite: string): string => `${resolve(db.name)} night ${suite}`;

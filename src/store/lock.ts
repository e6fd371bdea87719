import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { AppError } from "../errors.ts";
import type { Connection } from "./connection.ts";
import { sqlite } from "./sqlite.ts";

/** Time without a sign of life after which a lock taken on another machine counts as stale. */
const staleAfterMs = 120_000;

export interface Lock {
  pid: number;
  host: string;
  started: string;
  at: number;
}

/** Locks that this process holds. A row may stay longer, if its release could not be written. */
const heldHere = new Set<string>();

/**
 * Takes the batch for this process; throws BATCH_LOCKED with its holder when another one runs it.
 * A lock whose process is gone is taken over. Returns the release, and a sign of life to give every 30 s or so.
 */
export function lockBatch(db: Connection, batchId: number): { release: () => void; alive: () => void } {
  const sql = sqlite(db);
  const mine = ownLock();
  sql
    .transaction(() => {
      const held = holderOf(db, batchId);
      if (held !== null) {
        throw new AppError("BATCH_LOCKED", `Process ${held.pid} on ${held.host} is running batch ${held.name}.`, {
          hint: "Wait for it, or stop it (Ctrl-C in its terminal) and try again.",
        });
      }
      sql
        .prepare("UPDATE batch SET lock_pid = ?, lock_host = ?, lock_started = ?, lock_at = ? WHERE id = ?")
        .run(mine.pid, mine.host, mine.started, mine.at, batchId);
    })
    .immediate();
  const here = placeOf(db, batchId);
  holdHere(here);
  const alive = sql.prepare("UPDATE batch SET lock_at = ? WHERE id = ?");
  const release = sql.prepare("UPDATE batch SET lock_pid = NULL, lock_host = NULL, lock_started = NULL WHERE id = ?");
  return {
    alive: () => void alive.run(Date.now(), batchId),
    release() {
      leaveHere(here);
      release.run(batchId);
    },
  };
}

/** The living process that runs a batch, or null. */
export function holderOf(db: Connection, batchId: number): { name: string; pid: number; host: string } | null {
  const lock = sqlite(db)
    .prepare<[number], Lock & { name: string }>(
      `SELECT name, lock_pid AS pid, lock_host AS host, lock_started AS started, lock_at AS at
       FROM batch WHERE id = ? AND lock_pid IS NOT NULL`,
    )
    .get(batchId);
  return lock !== undefined && isHeld(lock, placeOf(db, batchId)) ? lock : null;
}

/** The mark of this process on a lock that it takes. */
export function ownLock(): Lock {
  return { pid: process.pid, host: hostname(), started: startOf(process.pid), at: Date.now() };
}

/** Notes that this process holds the lock of a place. */
export function holdHere(place: string): void {
  heldHere.add(place);
}

export function leaveHere(place: string): void {
  heldHere.delete(place);
}

const placeOf = (db: Connection, batchId: number): string => `${resolve(db.name)} ${batchId}`;

/** True where a lock was taken by a process that lives, of this machine or by its signs of life. */
export function isHeld(lock: Lock, place: string): boolean {
  if (lock.host !== hostname()) return Date.now() - lock.at < staleAfterMs;
  if (lock.pid === process.pid) return heldHere.has(place);
  try {
    process.kill(lock.pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM" && lock.started === startOf(lock.pid);
  }
  return lock.started === startOf(lock.pid);
}

/** The mark that tells a process from a later one with the same id: its start in clock ticks if /proc tells it. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field, in parentheses, may hold spaces; the start time is the 20th after it.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

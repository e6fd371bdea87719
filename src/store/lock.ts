import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, resolve } from "node:path";
import { AppError } from "../errors.ts";
import { ageOfDate } from "../lib/clock.ts";
import { isRunning, ownNumbers } from "../lib/leftovers.ts";
import type { Connection } from "./connection.ts";
import { endLife, isLifeMark, isLiving, isOwnLife, lifeMark } from "./life-file.ts";
import { knownPath } from "./read-only-folder.ts";
import { execute, inTransaction, selectRow, selectRows, sqlite } from "./sqlite.ts";

/** Time without a sign of life after which a lock taken on another machine counts as stale. */
const staleAfterMs = 120_000;

export interface Lock {
  pid: number;
  host: string;
  started: string;
  at: number;
}

/** Something in a database that one process at a time has: a batch, the night of a suite. */
export interface Place {
  db: Connection;
  name: string;
}

/** Places that this process has, with their folders. A row may stay longer, if its release could not be written. */
const heldHere = new Map<string, string>();

/** The batch that the stages now at work in have from the first to the last. */
const wholeBatch = new AsyncLocalStorage<string>();

/**
 * Does the stages of a batch one after the other under one lock: no other process finds it between two of them and takes
 * it for one that was broken off. A lock that a stage takes itself is this one.
 */
export async function withStages<Result>(
  db: Connection,
  batchId: number,
  work: () => Promise<Result>,
): Promise<Result> {
  return wholeBatch.run(keyOf(placeOf(db, batchId)), work);
}

/** A batch that this process holds until it is disposed. */
export interface BatchLock extends Disposable {
  /** A sign of life, to give every 30 s or so. */
  alive: () => void;
  release: () => void;
}

/**
 * Takes the batch for this process; throws BATCH_LOCKED with its holder when another one runs it.
 * A lock whose process is gone is taken over.
 */
export function lockBatch(db: Connection, batchId: number): BatchLock {
  const sql = sqlite(db);
  const here = placeOf(db, batchId);
  // Its signs of life are given, and it is released, where it was taken for all stages.
  if (wholeBatch.getStore() === keyOf(here)) return { alive: () => {}, release: () => {}, [Symbol.dispose]: () => {} };
  const mine = ownLock(here);
  inTransaction(db, () => {
    const held = holderOf(db, batchId);
    if (held !== null) {
      throw new AppError("BATCH_LOCKED", `Process ${held.pid} on ${held.host} is running batch ${held.name}.`, {
        hint: "Wait for it, or stop it (Ctrl-C in its terminal) and try again.",
      });
    }
    execute(db, "UPDATE batch SET lock_pid = ?, lock_host = ?, lock_started = ?, lock_at = ? WHERE id = ?", [
      mine.pid,
      mine.host,
      mine.started,
      mine.at,
      batchId,
    ]);
  });
  holdHere(here);
  // Where the batch was removed, another one may have its id by now.
  const own = "WHERE id = ? AND lock_pid = ? AND lock_host = ? AND lock_started = ?";
  const alive = sql.prepare(`UPDATE batch SET lock_at = ? ${own}`);
  const release = sql.prepare(`UPDATE batch SET lock_pid = NULL, lock_host = NULL, lock_started = NULL ${own}`);
  const mark = [batchId, mine.pid, mine.host, mine.started] as const;
  const free = (): void => {
    leaveHere(here);
    release.run(...mark);
  };
  return { alive: () => void alive.run(Date.now(), ...mark), release: free, [Symbol.dispose]: free };
}

/** A process that runs a batch. */
interface Holder {
  /** Name of the batch. */
  name: string;
  pid: number;
  host: string;
}

const lockSelect = `SELECT id, name, lock_pid AS pid, lock_host AS host, lock_started AS started, lock_at AS at
  FROM batch WHERE lock_pid IS NOT NULL`;

/** The living process that runs a batch, or null. */
export function holderOf(db: Connection, batchId: number): Holder | null {
  const lock = selectRow<Lock & Holder>(db, `${lockSelect} AND id = ?`, [batchId]);
  return lock !== undefined && isHeld(lock, placeOf(db, batchId)) ? lock : null;
}

/** Batch id to the living process that runs it; one that nobody runs is left out. */
export function holders(db: Connection): Map<number, Holder> {
  const locks = selectRows<Lock & Holder & { id: number }>(db, lockSelect);
  return new Map(locks.filter((lock) => isHeld(lock, placeOf(db, lock.id))).map((lock) => [lock.id, lock]));
}

/** The mark of this process on a lock that it takes. */
export function ownLock(place: Place): Lock {
  // Another container with the name of this machine would look for its number among its own.
  const known = ownNumbers() === "" ? startOf(process.pid) : null;
  const started = known ?? (place.db.memory ? "" : lifeMark(folderOf(place)));
  return { pid: process.pid, host: hostname(), started, at: Date.now() };
}

/** Notes that this process has the lock of a place. */
export function holdHere(place: Place): void {
  heldHere.set(keyOf(place), folderOf(place));
}

export function leaveHere(place: Place): void {
  heldHere.delete(keyOf(place));
  const folder = folderOf(place);
  if (![...heldHere.values()].includes(folder)) endLife(folder);
}

const placeOf = (db: Connection, batchId: number): Place => ({ db, name: String(batchId) });

const keyOf = ({ db, name }: Place): string => `${resolve(db.name)} ${name}`;

const folderOf = ({ db }: Place): string => dirname(resolve(knownPath(db.name)));

/** True where a lock was taken by a process that lives, of this machine or by its signs of life. */
export function isHeld(lock: Lock, place: Place): boolean {
  if (lock.host !== hostname()) return ageOfDate(lock.at) < staleAfterMs;
  const folder = folderOf(place);
  const isOther = isLifeMark(lock.started) && !isOwnLife(folder, lock.started);
  if (isOther) return isLiving(folder, lock.started);
  if (lock.pid === process.pid) return heldHere.has(keyOf(place));
  return isRunning(lock.pid) && lock.started === (startOf(lock.pid) ?? "");
}

/** The start of a process in clock ticks, which tells it from a later one with the same id; null on a system without /proc. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field, in parentheses, may hold spaces; the start time is the 20th after it.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

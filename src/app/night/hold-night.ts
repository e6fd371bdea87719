import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "../../store/connection.ts";
import { listBatches } from "../../store/batches.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import { holderOf } from "../../store/lock.ts";
import {
  keepNight,
  type NightHolder,
  releaseNight,
  type TakenNight,
  takeNight,
} from "../../store/nights/night-lock.ts";
import { tryToWrite } from "../../store/store-failure.ts";

/** Time between two looks at a night that another process does. */
const lookEveryMs = 2_000;
/** Time between two signs of life. */
const aliveEveryMs = 30_000;

interface HeldNight {
  out: string;
  suite: string;
  /** Waits for a process that does it already, instead of leaving. */
  waits: boolean;
  /** Called once with that process. */
  onRunning: (holder: NightHolder) => void;
}

/**
 * Does the work of a night while no other process does that of the same suite in the same results folder; null: one does,
 * and it was not waited for. No connection is held meanwhile, so that the database can be made smaller.
 */
export async function holdNight<Result>(
  { out, suite, waits, onRunning }: HeldNight,
  work: (taken: TakenNight) => Promise<Result>,
): Promise<Result | null> {
  const take = (): TakenNight | NightHolder => withDatabase(out, (db) => runByHand(db, suite) ?? takeNight(db, suite));
  let taken = take();
  if ("pid" in taken) onRunning(taken);
  while ("pid" in taken) {
    if (!waits) return null;
    await sleep(lookEveryMs);
    taken = take();
  }
  const heartbeat = setInterval(() => tryToWrite(() => withDatabase(out, (db) => keepNight(db, suite))), aliveEveryMs);
  try {
    return await work(taken);
  } finally {
    clearInterval(heartbeat);
    // A lock that cannot be released is stale as soon as this process has gone.
    tryToWrite(() => withDatabase(out, (db) => releaseNight(db, suite)));
  }
}

function withDatabase<Result>(out: string, work: (db: Connection) => Result): Result {
  const db = openDatabase(databasePath(out));
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** A run of the suite that another process makes now. */
function runByHand(db: Connection, suite: string): NightHolder | null {
  for (const { id, createdAt } of listBatches(db, suite).toReversed()) {
    const holder = holderOf(db, id);
    if (holder !== null) return { pid: holder.pid, host: holder.host, since: createdAt };
  }
  return null;
}

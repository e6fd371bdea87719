import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "../../store/connection.ts";
import { listBatches } from "../../store/batches.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import { holderOf } from "../../store/lock.ts";
import { keepNight, type NightHolder, releaseNight, takeNight } from "../../store/nights/night-lock.ts";
import { oweNotice } from "../../store/nights/notices.ts";
import { inDatabase } from "../batches/notices.ts";

/** Time between two looks at a night that another process does. */
const lookEveryMs = 2_000;
/** Time between two signs of life. */
const aliveEveryMs = 30_000;

interface HoldOptions {
  out: string;
  suite: string;
  /** Waits for a process that does it already, instead of leaving. */
  waits: boolean;
  /** Called once with that process. */
  onRunning: (holder: NightHolder) => void;
}

/** A night that this process does. */
export interface HeldNight {
  /** Notes that it has a batch; `owesNotice`: of which people are to be told, whatever becomes of this process. */
  has: (batch: string, owesNotice: boolean) => void;
}

/**
 * Does the work of a night while no other process does that of the same suite in the same results folder; null: one does,
 * and it was not waited for. No connection is held meanwhile, so that the database can be made smaller.
 */
export async function holdNight<Result>(
  { out, suite, waits, onRunning }: HoldOptions,
  work: (night: HeldNight) => Promise<Result>,
): Promise<Result | null> {
  const take = (): NightHolder | null => {
    using db = openDatabase(databasePath(out));
    return runByHand(db, suite) ?? takeNight(db, suite);
  };
  let holder = take();
  if (holder !== null) onRunning(holder);
  while (holder !== null) {
    if (!waits) return null;
    await sleep(lookEveryMs);
    holder = take();
  }
  const heartbeat = setInterval(() => inDatabase(out, (db) => keepNight(db, suite)), aliveEveryMs);
  const batches: string[] = [];
  const has: HeldNight["has"] = (batch, owesNotice) => {
    batches.push(batch);
    if (owesNotice) inDatabase(out, (db) => oweNotice(db, batch));
  };
  try {
    return await work({ has });
  } finally {
    clearInterval(heartbeat);
    // A lock of which that fails is stale as soon as this process has gone.
    inDatabase(out, (db) => releaseNight(db, suite, batches));
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

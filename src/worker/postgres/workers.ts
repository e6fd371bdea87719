import type { Postgres } from "./connection.ts";
import { storable } from "./text.ts";

export type WorkerState = "on" | "paused" | "draining";

export interface WorkerEntry {
  /** A UUID. */
  id: string;
  name: string;
  host: string;
  version: string;
  deployments: readonly string[];
  /** Addresses that it may send to. */
  addresses: readonly string[];
}

/** Enters a worker, or enters it again after it was away. */
export async function enterWorker(db: Postgres, entry: WorkerEntry): Promise<void> {
  const { id, name, host, version, deployments, addresses } = entry;
  const texts = [name, host, version].map(storable);
  await db.query("SELECT tandem.enter_worker($1, $2, $3, $4, $5, $6)", [id, ...texts, deployments, addresses]);
}

/** A sign of life. Null: the database does not know this worker (any more): it enters again. */
export async function beat(db: Postgres, workerId: string): Promise<{ state: WorkerState; dbNow: number } | null> {
  const [row] = await db.query<{ beat: { state: WorkerState; dbNow: number } | null }>("SELECT tandem.beat($1)", [
    workerId,
  ]);
  return row?.beat ?? null;
}

/** The worker goes: what it still has in flight is in doubt at the next `reap`. */
export async function leaveWorker(db: Postgres, workerId: string): Promise<void> {
  await db.query("SELECT tandem.leave_worker($1)", [workerId]);
}

/** Everything that a worker tells of the open work that it has looked at. */
export interface WorkerReported {
  /** Sentences on what it does not take, for those who look on. */
  lines: readonly string[];
  /** Kinds that it serves. */
  serves: readonly string[];
  /** Kinds that it leaves to others, with the reasons. */
  leaves: Readonly<Record<string, string>>;
}

/** Enters what a worker takes and what not. */
export async function tellOfWorker(
  db: Postgres,
  workerId: string,
  { lines, serves, leaves }: WorkerReported,
): Promise<void> {
  const kept = Object.fromEntries(Object.entries(leaves).map(([kind, reason]) => [storable(kind), storable(reason)]));
  await db.query("SELECT tandem.tell($1, $2, $3, $4)", [
    workerId,
    lines.map(storable),
    serves.map(storable),
    JSON.stringify(kept),
  ]);
}

/** Puts the requests of workers without a sign of life in doubt, then does what the policies of their batches say. Returns the number put in doubt. */
export async function reap(db: Postgres, { deadAfterMs }: { deadAfterMs: number }): Promise<number> {
  const [row] = await db.query<{ reap: number }>("SELECT tandem.reap($1)", [deadAfterMs]);
  // A transaction of its own: the locks of the first are in another order.
  await db.query("SELECT tandem.apply_policies()");
  return row?.reap ?? 0;
}

const workChannel = "tandem_work";

/** Calls workers that rest: there is something to do. */
export async function callWorkers(db: Postgres): Promise<void> {
  await db.query("SELECT pg_notify($1, '')", [workChannel]);
}

/** Calls `heard` when there is something to do; resolves once it listens. */
export function hearCalls(db: Postgres, heard: () => void): Promise<void> {
  return db.listen(workChannel, heard);
}

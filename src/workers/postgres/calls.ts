import type { HandedRank, HandedResult } from "../../store/journal/handed-over.ts";
import type { Postgres } from "./connection.ts";

/** The part of a rate that a worker has: moments at which one request each may leave, in milliseconds from when it was asked. */
interface RateGranted {
  first: number;
  spacing: number;
  permits: number;
  window: number;
}

/** A grant of the database. */
export interface Granted {
  granted: number;
  rate: RateGranted | null;
}

/** A state that a worker is asked for. */
export type WorkerState = "on" | "paused" | "draining";

/** Why a worker leaves a queue to others. */
export interface Left {
  reason: string;
  /** The kind of outcome that was the reason; null: it was none. */
  kind: string | null;
  /** The service, or its key, is the reason, and not that something is missing at the worker. */
  isByService: boolean;
}

/** The spending of a batch, by all workers. */
interface Spent {
  requests: number;
  failures: number;
  cost: number;
  isCostUnknown: boolean;
}

/** A chunk as it stands after a sync. */
export interface ChunkTold {
  /** It is still this worker's. */
  isHeld: boolean;
  /** It ended, and nothing of it is left. */
  isDone: boolean;
  /** Null: it was removed. */
  batch: (Spent & { state: string; reason: string | null }) | null;
  /** Targets to which nothing more is sent. */
  stops: number[];
}

export interface SyncTold {
  /** Null: the worker was removed. */
  state: WorkerState | null;
  chunks: ChunkTold[];
  shares: Granted[];
}

/** A result with what it costs. */
export interface PaidResult extends HandedResult {
  batch: number;
  requests: number;
  failures: number;
  /** Null: not known. */
  cost: number | null;
}

export interface SyncAsked {
  worker: string;
  inFlight: number;
  results: PaidResult[];
  notes: [batch: number, text: string][];
  chunks: {
    batch: number;
    chunk: number;
    claim: string;
    mark: number;
    ends: boolean;
    isDone: boolean;
    /** Jobs below the mark that had not left. */
    unsent: number[];
  }[];
  accounts: {
    name: string;
    /** The process of the worker. */
    owner: string;
    wanted: number;
    held: number;
    permits: number;
    leaseMs: number;
    /** Within which a request surely ends. */
    longestMs: number;
  }[];
}

/** Hands results in, moves marks and renews shares. */
export async function sync(db: Postgres, asked: SyncAsked): Promise<SyncTold> {
  const { worker, inFlight, results, notes, chunks, accounts } = asked;
  const facts = results.map(({ batch, job, number, rank, requests, failures, cost }) => [
    batch,
    job,
    number,
    rank,
    requests,
    failures,
    cost,
  ]);
  const [row] = await db.query<{ told: SyncTold }>(
    "SELECT tandem.sync($1, $2, $3, $4, $5, $6, $7) AS told",
    [
      worker,
      inFlight,
      JSON.stringify(facts),
      results.map(({ row: text }) => text),
      JSON.stringify(notes),
      JSON.stringify(chunks),
      JSON.stringify(accounts),
    ],
    "tandem_sync",
  );
  if (row === undefined) throw new Error("tandem.sync gave no row");
  return row.told;
}

/** A worker without a sign for so long is taken for gone. */
export const goneAfterMs = 15_000;
/** One that has been silent for so long, and that nobody waits for, is forgotten. */
const forgottenAfterMs = 24 * 3_600_000;

/** PostgreSQL keeps every character but this one. */
const storable = (text: string): string => text.replaceAll("\0", "");

/** Enters a worker, or one that is back. */
export async function enterWorker(
  db: Postgres,
  { id, name, host, version }: { id: string; name: string; host: string; version: string },
): Promise<void> {
  await db.query(
    `INSERT INTO tandem.worker (id, name, host, version, seen_at) VALUES ($1, $2, $3, $4, tandem.now_ms())
     ON CONFLICT (id) DO UPDATE SET name = $2, host = $3, version = $4, state = 'on', in_flight = 0, leaves = '{}', seen_at = tandem.now_ms()`,
    [id, name, host, version],
  );
  await db.query(
    "DELETE FROM tandem.worker w WHERE seen_at < tandem.now_ms() - $1::bigint AND NOT EXISTS (SELECT FROM tandem.result WHERE origin = w.id AND rank = 0)",
    [forgottenAfterMs],
  );
}

/** Says what a worker serves, and what it leaves to others. */
export async function tellServed(
  db: Postgres,
  id: string,
  { serves, leaves }: { serves: readonly string[]; leaves: Record<string, Left> },
): Promise<void> {
  await db.query("UPDATE tandem.worker SET serves = $2, leaves = $3, seen_at = tandem.now_ms() WHERE id = $1", [
    id,
    serves,
    storable(JSON.stringify(leaves).replaceAll("\\u0000", "")),
  ]);
}

/** A worker ends. `owner`: its id where it has nothing in flight any more; null: that is not sure. */
export async function leaveWorker(db: Postgres, id: string, owner: string | null): Promise<void> {
  await db.query("DELETE FROM tandem.share WHERE owner = $1", [owner]);
  await db.query("DELETE FROM tandem.worker WHERE id = $1", [id]);
}

/** A lane with something to send. */
export interface OpenLane {
  batch: number;
  lane: number;
  queue: string;
  deployment: string;
  /** When somebody last began to have something of its queue sent. */
  askedAt: number;
}

export async function openLanes(db: Postgres): Promise<OpenLane[]> {
  return db.query<OpenLane>(
    `SELECT l.batch, l.id AS lane, l.queue, l.deployment, max(l.asked_at) OVER (PARTITION BY l.queue) AS "askedAt" FROM tandem.lane l JOIN tandem.batch b ON b.no = l.batch
     WHERE b.state = 'running' AND EXISTS (SELECT FROM tandem.chunk c WHERE c.batch = l.batch AND c.lane = l.id AND NOT c.done)
     ORDER BY l.batch, l.id`,
    [],
    "tandem_open_lanes",
  );
}

/** A batch, as a worker needs it for any chunk of it. */
export interface RemoteHead {
  id: string;
  head: string;
  inDoubt: "hold" | "resend" | "fail";
  limits: string;
}

export async function batchHead(db: Postgres, batch: number): Promise<RemoteHead | null> {
  const [row] = await db.query<RemoteHead>(
    `SELECT id, head, in_doubt AS "inDoubt", limits FROM tandem.batch WHERE no = $1`,
    [batch],
  );
  return row ?? null;
}

/** Notes that a lane is sent with an account: its limits are the account's. */
export async function enterAccount(
  db: Postgres,
  account: string,
  { batch, lane }: { batch: number; lane: number },
): Promise<void> {
  await db.query("INSERT INTO tandem.account (name) VALUES ($1) ON CONFLICT DO NOTHING", [account]);
  await db.query(
    "INSERT INTO tandem.account_lane SELECT id, $2, $3 FROM tandem.account WHERE name = $1 ON CONFLICT DO NOTHING",
    [account, batch, lane],
  );
}

/** A chunk as it was given to a worker. */
export interface TakenChunk {
  lane: number;
  jobs: number[];
  body: Buffer;
  mark: number;
  /** By its answers it is known whether the rest may go. */
  isFirst: boolean;
}

/** Makes a chunk a worker's: what the worker before may have sent of it is in doubt from now on. A text: it is not to be driven, now or for good. */
export async function takeChunk(
  db: Postgres,
  { worker, batch, chunk, claim }: { worker: string | null; batch: number; chunk: number; claim: string | null },
): Promise<TakenChunk | "not now" | "over"> {
  const [row] = await db.query<
    Omit<TakenChunk, "lane" | "jobs"> & { lane: number | null; jobs: string[]; isOpen: boolean }
  >(
    `SELECT lane, jobs, body, mark, is_first AS "isFirst", EXISTS (SELECT FROM tandem.chunk WHERE batch = $2 AND id = $3 AND NOT done) AS "isOpen"
     FROM tandem.take($1, $2, $3, $4)`,
    [worker, batch, chunk, claim],
  );
  if (row === undefined || row.lane === null) return row?.isOpen === true ? "not now" : "over";
  return { ...row, lane: row.lane, jobs: row.jobs.map(Number) };
}

interface ChunkNow {
  no: number;
  lane: number;
  queue: string;
  jobs: number[];
  mark: number;
  isFirst: boolean;
  worker: string | null;
  claim: string | null;
  isOpen: boolean;
}

/** A chunk that a worker had before, as it stands. */
export async function chunkNow(
  db: Postgres,
  { batch, chunk }: { batch: string; chunk: number },
): Promise<ChunkNow | null> {
  const [row] = await db.query<Omit<ChunkNow, "jobs"> & { jobs: string[] }>(
    `SELECT b.no, c.lane, c.jobs, l.queue, c.mark, c.is_first AS "isFirst", c.worker, c.claim, NOT c.done AND b.state = 'running' AS "isOpen"
     FROM tandem.batch b JOIN tandem.chunk c ON c.batch = b.no AND c.id = $2 JOIN tandem.lane l ON l.batch = b.no AND l.id = c.lane WHERE b.id = $1`,
    [batch, chunk],
  );
  return row === undefined ? null : { ...row, jobs: row.jobs.map(Number) };
}

/** Results of jobs, by whoever had them. */
export async function knownResults(db: Postgres, batch: number, jobs: readonly number[]): Promise<HandedResult[]> {
  const rows = await db.query<{ job: number; number: number; rank: HandedRank; row: string | null }>(
    "SELECT job, number, rank, row FROM tandem.result WHERE batch = $1 AND job = ANY ($2::bigint[]) ORDER BY no",
    [batch, jobs],
  );
  return rows;
}

/** Sends nothing more to a target, whoever sends. */
export async function stopTarget(
  db: Postgres,
  batch: number,
  { target, reason, kind }: { target: number; reason: string; kind: string },
): Promise<void> {
  await db.query(
    `INSERT INTO tandem.stop (batch, target, reason, kind) SELECT $1, $2, $3, $4 FROM tandem.batch WHERE no = $1 ON CONFLICT DO NOTHING`,
    [batch, target, storable(reason), kind],
  );
}

/** Sends nothing more of a batch, whoever sends. */
export async function stopBatch(db: Postgres, batch: number, reason: string): Promise<void> {
  await db.query("UPDATE tandem.batch SET state = 'stopping', reason = $2 WHERE no = $1 AND state = 'running'", [
    batch,
    reason,
  ]);
}

/** A chunk with what puts it into its queue. */
export interface OpenChunk {
  id: number;
  queue: string;
  round: number;
  jobs: number;
}

/** The chunks of a batch that are not done. */
export async function openChunks(db: Postgres, batch: number): Promise<OpenChunk[]> {
  return db.query<OpenChunk>(
    `SELECT c.id, l.queue, c.round, cardinality(c.jobs) AS jobs FROM tandem.chunk c JOIN tandem.lane l ON l.batch = c.batch AND l.id = c.lane
     WHERE c.batch = $1 AND NOT c.done ORDER BY c.id`,
    [batch],
  );
}

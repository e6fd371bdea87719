import type { HeardOutage } from "../../runner/outage.ts";
import type { Rate } from "../../suite/suite.ts";
import type { Postgres } from "./connection.ts";
import { numberList } from "./number-list.ts";

export interface TakeRequest {
  /** Id of the worker. */
  worker: string;
  /** Names this call: sent again, it gets the same answer. A new call has a new one. */
  token: string;
  /** Number of the batch. */
  batch: number;
  service: number;
  /** Attempts that want to leave, the most urgent first. */
  jobs: readonly { job: number; number: number }[];
  /** By the database's clock: when it arrives later it fails, and changes nothing. */
  until?: number | null;
}

export interface Granted extends HeardOutage {
  /** Jobs that are entered as sending and may leave. */
  granted: number[];
  /** Jobs that are over, in somebody else's hands, or of another attempt than was asked for: they are not asked for again. */
  refused: number[];
  /** Targets of jobs asked for to which nothing more is sent. */
  stoppedTargets: number[];
  /** Milliseconds until it is worth asking for the rest. */
  waitMs: number;
  /** Why nothing of this batch leaves any more; null: it goes on. */
  stopped: string | null;
  /** Milliseconds for which the service has asked for a pause. */
  pausedMs: number;
  /** Requests that all workers together may have in flight at the service; 0: no batch is running. */
  concurrency: number;
  /** The tightest rate. */
  rate: Rate | null;
  /** State that is asked of this worker; `gone`: it gives a sign of life before it asks again. */
  worker: "on" | "paused" | "draining" | "gone";
  /** Workers that are there. */
  workers: number;
  /** The database's clock. */
  dbNow: number;
}

/** Attempts as two columns. */
export const attemptLists = (attempts: readonly { job: number; number: number }[]): [jobs: string, numbers: string] => [
  numberList(attempts.map(({ job }) => job)),
  numberList(attempts.map(({ number }) => number)),
];

/** Marks attempts as sending, as many as all limits of the service let leave now over all workers. */
export async function take(db: Postgres, request: TakeRequest): Promise<Granted> {
  const { worker, token, batch, service, jobs, until = null } = request;
  const values = [worker, token, batch, service, ...attemptLists(jobs), until];
  const [row] = await db.query<{ take: Granted }>("SELECT tandem.take($1, $2, $3, $4, $5, $6, $7)", values, "take");
  if (row === undefined) throw new Error("tandem.take returned nothing");
  return row.take;
}

/** Attempts that were marked and have not left; with a token: those of one call. */
type Unsent = Pick<TakeRequest, "worker" | "batch" | "jobs" | "until"> & Partial<Pick<TakeRequest, "token">>;

/** Takes attempts back. Returns the jobs that are ready again. */
export async function giveBack(db: Postgres, unsent: Unsent): Promise<number[]> {
  const { worker, batch, jobs, token = null, until = null } = unsent;
  const values = [worker, batch, ...attemptLists(jobs), token, until];
  const [row] = await db.query<{ jobs: number[] }>(
    "SELECT to_jsonb(tandem.give_back($1, $2, $3, $4, $5, $6)) AS jobs",
    values,
  );
  return row?.jobs ?? [];
}

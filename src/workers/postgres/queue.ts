import { createHash } from "node:crypto";
import type * as Boss from "pg-boss";
import { AppError } from "../../errors.ts";
import { installAdvice } from "../../lib/peer-package.ts";
import type { Deployment } from "../../suite/suite.ts";
import type { Postgres } from "./connection.ts";
import { isAway, missingPackages, postgresCode } from "./failure.ts";

/** Schema of pg-boss's tables, which are its own. */
const schema = "pgboss";
/** A worker that is silent for so long has lost its chunks; it gives a sign several times as often. */
const heartbeatSeconds = 12;
export const touchEveryMs = 3_000;
/** It is looked this often for silent ones. */
const superviseSeconds = 2;
/** A worker's death uses one up. */
const retryLimit = 10_000;
/** Longest time of an attempt: pg-boss takes no longer one. */
const longestSeconds = 24 * 3_600 - 60;
const deleteAfterSeconds = 3_600;

/** A chunk as pg-boss gave it out. The claim names this attempt. */
export interface Fetched {
  queue: string;
  id: string;
  retryCount: number;
  claim: string;
  batch: number;
  chunk: number;
}

/** A chunk on its way into a queue. */
export interface Queued {
  batch: string;
  no: number;
  chunk: number;
  round: number;
  /** Time within which an attempt surely ends. */
  expiresInMs: number;
}

/** The queues of chunks: pg-boss, by its own calls. */
export interface Queue {
  make(queue: string): Promise<void>;
  /** Puts chunks in; one that is there, or that a worker has, stays where it is. */
  put(queue: string, chunks: readonly Queued[]): Promise<void>;
  fetch(queue: string): Promise<Fetched | null>;
  touch(fetched: readonly Fetched[]): Promise<void>;
  complete(fetched: Fetched): Promise<void>;
  /** Gives a chunk back: the next who asks gets it. */
  giveBack(fetched: Fetched): Promise<void>;
  close(): Promise<void>;
}

async function bossPackage(): Promise<typeof Boss> {
  try {
    return await import("pg-boss");
  } catch (cause) {
    throw missingPackages(cause);
  }
}

/** The connections that pg-boss works by are ours. */
const databaseOf = (db: Postgres): Boss.Db => ({
  executeSql: async (text, values) => ({ rows: await db.query(text, values) }),
});

const quiet = { schedule: false, registerInstance: false, reindex: false, monitorVacuum: false } as const;

/** Makes the tables of pg-boss, or brings them up to date. */
export async function makeQueueTables(db: Postgres): Promise<void> {
  const { PgBoss } = await bossPackage();
  const boss = new PgBoss({ db: databaseOf(db), schema, ...quiet, supervise: false, migrate: true });
  boss.on("error", () => undefined);
  try {
    await boss.start();
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Opens the queues. `supervises`: it looks for workers that are silent. Throws WORKERS_SCHEMA where pg-boss's tables are of another version. */
export async function openQueue(db: Postgres, { supervises }: { supervises: boolean }): Promise<Queue> {
  const { PgBoss } = await bossPackage();
  const boss = new PgBoss({
    db: databaseOf(db),
    schema,
    ...quiet,
    migrate: false,
    supervise: supervises,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  });
  // It is tried again what fails while the database is away.
  boss.on("error", () => undefined);
  try {
    await boss.start();
  } catch (error) {
    if (isAway(error) || postgresCode(error) !== null || error instanceof AppError) throw error;
    throw new AppError(
      "WORKERS_SCHEMA",
      `The queues of ${db.shown} are of another version of pg-boss than is installed.`,
      {
        hint: `Run tandem workers setup with this tandem, or install the pg-boss that the others have. ${installAdvice("pg-boss")}`,
      },
    );
  }
  return queueOf(boss);
}

/** Names an attempt to pg-boss. */
const attempt = ({ id, retryCount }: Fetched): Boss.JobAttempt => ({ id, retryCount });

function queueOf(boss: Boss.PgBoss): Queue {
  return {
    async make(queue) {
      await boss.createQueue(queue, {
        retryLimit,
        heartbeatSeconds,
        expireInSeconds: longestSeconds,
        deleteAfterSeconds,
      });
    },
    async put(queue, chunks) {
      await boss.insert(
        queue,
        chunks.map(({ batch, no, chunk, round, expiresInMs }) => ({
          id: idOf([batch, chunk, round]),
          data: { batch: no, chunk },
          retryLimit,
          heartbeatSeconds,
          deleteAfterSeconds,
          expireInSeconds: Math.min(longestSeconds, Math.max(900, Math.ceil(expiresInMs / 1000))),
        })),
      );
    },
    async fetch(queue) {
      const [found] = await boss.fetch<{ batch: number; chunk: number }>(queue);
      if (found === undefined) return null;
      const { id, retryCount, data } = found;
      return {
        queue,
        id,
        retryCount,
        claim: `${id}.${retryCount}`,
        batch: data.batch,
        chunk: data.chunk,
      };
    },
    async touch(fetched) {
      for (const [queue, own] of Map.groupBy(fetched, (each) => each.queue)) await boss.touch(queue, own.map(attempt));
    },
    async complete(fetched) {
      await boss.complete(fetched.queue, attempt(fetched));
    },
    async giveBack(fetched) {
      await boss.fail(fetched.queue, attempt(fetched));
    },
    async close() {
      await boss.stop({ graceful: false });
    },
  };
}

/** Name of the queue of a deployment's endpoint, as it is reached: a worker asks only those that it serves. */
export function queueName(
  lane: string,
  {
    baseUrl,
    keyNames,
    connection,
    endpointHeaders,
  }: Pick<Deployment, "baseUrl" | "keyNames" | "connection" | "endpointHeaders">,
): string {
  return `chunks-${createHash("sha256")
    .update(JSON.stringify([lane, baseUrl, keyNames, connection, endpointHeaders]))
    .digest("hex")
    .slice(0, 24)}`;
}

/** The same chunk has the same id each time, so that it is in its queue once. */
function idOf(named: readonly (string | number)[]): string {
  const hex = createHash("sha256").update(JSON.stringify(named)).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** An attempt by its claim, as a worker that begins again reads it from a name. */
export function fetchedOf(claim: string, where: Pick<Fetched, "queue" | "batch" | "chunk">): Fetched {
  const [id = "", retryCount = "0"] = claim.split(".");
  return { ...where, id, retryCount: Number(retryCount), claim };
}

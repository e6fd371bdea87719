import type { PgBoss } from "pg-boss";
import { z } from "zod";
import { postgresAddress } from "../postgres/address.ts";
import { postgresFailure } from "../postgres/failure.ts";
import { loadBoss } from "./load-boss.ts";

/** Schema of the database that is the engine's own. */
const engineSchema = "tandem_engine";
/** A slice whose worker has given no sign for so long goes to another: longer than the worker sends (`leaseMs`). */
const heartbeatSeconds = 12;
/** Lost heartbeats are looked for this often, by one worker of all. */
const lookSeconds = 3;
/** A slice never ends as failed: that many workers may die with it. */
const retryLimit = 1_000_000;
/** A slice may be worked at for so long; the longest that the engine allows. */
const longestSeconds = 23 * 3_600;

/** Work that waits in a queue of the engine. */
export interface Waiting {
  /** A UUID of the caller's: work with an id that is in the queue is not put there again. */
  id: string;
  data: object;
}

/** Work as it was fetched. Another attempt at the same work has another number. */
export interface Fetched {
  id: string;
  retryCount: number;
  data: unknown;
}

/** The queues of PostgreSQL that hand out work, and put it back when nobody gives a sign for it any more. */
export interface Engine {
  /** Makes a queue, unless it is there. */
  createQueue: (queue: string) => Promise<void>;
  insert: (queue: string, work: readonly Waiting[]) => Promise<void>;
  fetch: (queue: string, most: number) => Promise<Fetched[]>;
  /** Gives a sign for work; resolves with the ids of what is still the caller's. */
  touch: (queue: string, work: readonly Fetched[]) => Promise<Set<string>>;
  /** Ends work: nothing of it is kept. */
  complete: (queue: string, work: Fetched) => Promise<void>;
  /** Puts work back, for whoever comes next. */
  fail: (queue: string, work: Fetched) => Promise<void>;
  stop: () => Promise<void>;
}

export interface EngineOptions {
  /** Connections to the database at the most. */
  most: number;
  /** A statement without an answer after this time counts as lost, as on a cut line; left out: it is waited for. */
  answersWithinMs?: number;
  /** Name that the server shows for its connections. */
  name: string;
  /** Looks after lost work. */
  supervises: boolean;
  /** Called with what fails by itself, such as a look while the database is away. */
  onError: (error: unknown) => void;
}

/** Starts the engine in a database; it makes its own tables where they are missing. Throws WORKERS_PACKAGE without its package. */
export async function startEngine(url: string, options: EngineOptions): Promise<Engine> {
  const { PgBoss: Boss } = await loadBoss();
  const address = postgresAddress(url);
  const boss = new Boss({
    connectionString: withTimeLimit(address.url, options.answersWithinMs),
    ssl: address.ssl,
    schema: engineSchema,
    max: options.most,
    application_name: options.name,
    supervise: options.supervises,
    superviseIntervalSeconds: lookSeconds,
    monitorIntervalSeconds: lookSeconds,
    // Its time tables know no home and no night that was missed: src/worker/nights does.
    schedule: false,
    monitorVacuum: false,
    registerInstance: false,
  });
  boss.on("error", (error: unknown) => options.onError(postgresFailure(address.shown, error)));
  const told: Told = async (work) => {
    try {
      return await work();
    } catch (error) {
      throw postgresFailure(address.shown, error);
    }
  };
  await told(() => boss.start());
  return overBoss(boss, told);
}

/** The engine tells more than its types say. */
const touched = z.object({ settled: z.array(z.string()) });

/** The driver reads the time limit of its statements out of the connection string. */
function withTimeLimit(url: string, ms: number | undefined): string {
  const limited = new URL(url);
  if (ms !== undefined) limited.searchParams.set("query_timeout", String(ms));
  return limited.href;
}

/** Does something in the database; what the server or the network is the reason of is told as such. */
type Told = <Result>(work: () => Promise<Result>) => Promise<Result>;

const attempt = ({ id, retryCount }: Fetched): { id: string; retryCount: number } => ({ id, retryCount });

function overBoss(boss: PgBoss, told: Told): Engine {
  return {
    createQueue: (queue) =>
      told(() => boss.createQueue(queue, { heartbeatSeconds, retryLimit, expireInSeconds: longestSeconds })),
    async insert(queue, work) {
      const jobs = work.map(({ id, data }) => ({ id, data }));
      await told(() => boss.insert(queue, jobs));
    },
    async fetch(queue, most) {
      const jobs = await told(() => boss.fetch<object>(queue, { batchSize: most, includeMetadata: true }));
      return jobs.map(({ id, retryCount, data }) => ({ id, retryCount, data }));
    },
    async touch(queue, work) {
      if (work.length === 0) return new Set();
      return new Set(touched.parse(await told(() => boss.touch(queue, work.map(attempt)))).settled);
    },
    // Deleted instead of marked as done: the engine's tables stay as small as what waits in them.
    async complete(queue, work) {
      await told(() => boss.deleteJob(queue, [attempt(work)]));
    },
    async fail(queue, work) {
      await told(() => boss.fail(queue, [attempt(work)]));
    },
    stop: () => boss.stop({ graceful: false, timeout: 5_000 }),
  };
}

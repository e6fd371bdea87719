import { AppError } from "../errors.ts";
import { didYouMean } from "../lib/suggest.ts";
import { goneAfterMs, type WorkerState } from "./postgres/calls.ts";
import type { Postgres } from "./postgres/connection.ts";

/** A worker as those who look see it. */
export interface WorkerNow {
  name: string;
  host: string;
  version: string;
  /** Its state as asked for, or gone: it gives no sign any more. */
  state: WorkerState | "gone";
  inFlight: number;
  /** Jobs that it had when it was given up, and that only it knows of. */
  inDoubt: number;
  silentMs: number;
  /** Reasons for which it leaves something to others. */
  leaves: string[];
}

/** A batch that is at the workers. */
export interface BatchThere {
  name: string;
  state: string;
  reason: string | null;
  done: number;
  jobs: number;
  inDoubt: number;
  submitter: string;
  submitterSilentMs: number;
}

/** An address with a key at an endpoint: a service counts its requests together. */
interface AccountNow {
  name: string;
  /** Requests that the workers may have in flight now, and the most that they may share. */
  granted: number;
  concurrency: number;
}

/** Everything that is to be known of the workers of a PostgreSQL. */
export interface WorkersOverview {
  /** Host, port and database. */
  database: string;
  workers: WorkerNow[];
  batches: BatchThere[];
  accounts: AccountNow[];
}

/** Looks who is there and what they do. */
export async function workersOverview(db: Postgres): Promise<WorkersOverview> {
  const workers = await db.query<Omit<WorkerNow, "leaves"> & { leaves: Record<string, { reason: string }> }>(
    `SELECT name, host, version, CASE WHEN tandem.now_ms() - seen_at > $1::bigint THEN 'gone' ELSE state END AS state, in_flight AS "inFlight",
       (SELECT count(*)::integer FROM tandem.result WHERE origin = worker.id AND rank = 0) AS "inDoubt", tandem.now_ms() - seen_at AS "silentMs", leaves
     FROM tandem.worker ORDER BY name, id`,
    [goneAfterMs],
  );
  const batches = await db.query<BatchThere>(
    `SELECT name, state, reason, (SELECT count(DISTINCT job)::integer FROM tandem.result r WHERE r.batch = b.no AND rank = 3) AS done,
       (SELECT count(DISTINCT job)::integer FROM tandem.chunk c, unnest(c.jobs) AS job WHERE c.batch = b.no) AS jobs,
       (SELECT count(*)::integer FROM tandem.result r WHERE r.batch = b.no AND rank = 0) AS "inDoubt",
       submitter, tandem.now_ms() - submitter_seen_at AS "submitterSilentMs"
     FROM tandem.batch b ORDER BY no DESC`,
  );
  const accounts = await db.query<AccountNow>(
    `SELECT a.name, coalesce((SELECT sum(granted)::integer FROM tandem.share s WHERE s.account = a.id AND over_at > tandem.now_ms()), 0) AS granted,
       min(l.concurrency) AS concurrency
     FROM tandem.account a JOIN tandem.account_lane al ON al.account = a.id JOIN tandem.lane l ON l.batch = al.batch AND l.id = al.lane
     GROUP BY a.id ORDER BY a.name`,
  );
  return {
    database: db.shown,
    workers: workers.map(({ leaves, ...worker }) => ({
      ...worker,
      leaves: [...new Set(Object.values(leaves).map(({ reason }) => reason))],
    })),
    batches,
    accounts,
  };
}

/** Asks workers for a state; without names all that are there. Returns the names. Throws USAGE for one that is not there. */
export async function askWorkers(db: Postgres, names: readonly string[], state: WorkerState): Promise<string[]> {
  const { workers } = await workersOverview(db);
  const here = workers.filter((worker) => worker.state !== "gone").map(({ name }) => name);
  const unknown = names.find((name) => !here.includes(name));
  if (unknown !== undefined) {
    const list = here.length === 0 ? "No worker is there." : `There are: ${here.join(", ")}.`;
    throw new AppError("USAGE", `No worker ${unknown} is there.`, { hint: didYouMean(unknown, here) ?? list });
  }
  const asked = names.length === 0 ? here : [...names];
  await db.query("UPDATE tandem.worker SET state = $2 WHERE name = ANY ($1)", [asked, state]);
  return asked;
}

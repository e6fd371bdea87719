import { randomUUID } from "node:crypto";
import { DatabaseLink } from "../journal/database-link.ts";
import { answersWithinMs, DatabaseClock, Lease } from "../journal/lease.ts";
import { SettleDesk } from "../journal/settle-desk.ts";
import { Spool } from "../journal/spool.ts";
import { openPostgres, type Postgres } from "../postgres/connection.ts";
import { isAway, isOfData } from "../postgres/failure.ts";
import { checkSchema } from "../postgres/schema.ts";
import { holdAttempt } from "../postgres/settle.ts";
import { BatchFaults } from "./batch-faults.ts";
import { type AccessOf, Clients } from "./clients.ts";
import { Counters } from "./counters.ts";
import { TakeDesks } from "./take-desks.ts";
import { Worker } from "./worker.ts";

export interface WorkerOptions {
  /** The connection string: a secret. */
  url: string;
  name: string;
  /** Names of deployments to serve; none: all that it has a key for. */
  deployments: readonly string[];
  /** Addresses that it may send to, for those who submit; `accessOf` refuses all others. */
  addresses: readonly string[];
  /** Folder of results that wait for the database. */
  folder: string;
  accessOf: AccessOf;
  tell: (line: string) => void;
}

/** Connects to the database, looks whether its tables are those of this version, and puts a worker together. */
export async function openWorker(options: WorkerOptions): Promise<Worker> {
  const { url, name, folder, accessOf, tell } = options;
  const db = await openPostgres(url, { most: 4, applicationName: `tandem worker ${name}`, answersWithinMs });
  try {
    await checkSchema(db);
    const spool = new Spool(folder);
    const link = linkTo(db, tell);
    const clients = new Clients(accessOf, tell);
    const counters = new Counters();
    const workerId = randomUUID();
    const faults = new BatchFaults({
      workerId,
      name,
      db,
      link,
      tell,
      chunksOf: (batch) => worker.chunksOf(batch),
      fail: (error) => worker.tools.fail(error),
    });
    const lease = new Lease();
    const clock = new DatabaseClock();
    const tools = { workerId, db, link, lease, clock, clients, counters, faults, tell };
    const takes = new TakeDesks(tools);
    const worker: Worker = new Worker(
      {
        ...tools,
        fail: () => undefined,
        hungry: () => undefined,
        takes,
        settles: new SettleDesk({
          link,
          spool,
          settle: (id, results) => takes.settle(id, results),
          hold: (id, attempt) => holdAttempt(db, id, attempt),
          isOfData,
          onRefused: (batch, error) => faults.found(batch, error),
          onSetAside: (path, error) => tell(asideLine(path, error)),
          onDiskFault: () => tell(`${folder} takes nothing more: results stay in memory until the database is back`),
          onFailure: (error) => worker.tools.fail(error),
        }),
      },
      options,
    );
    return worker;
  } catch (error) {
    await db.close();
    throw error;
  }
}

const asideLine = (path: string, error: unknown): string =>
  `An answer cannot be entered (${error instanceof Error ? error.message : String(error)}). It is kept in ${path}; its row is in doubt (\`tandem workers resolve\`).`;

/** The way to the database, which tells once when it is away and once when it is back. */
function linkTo({ shown }: Postgres, tell: (line: string) => void): DatabaseLink {
  return new DatabaseLink({
    passes: isAway,
    onAway: (error) =>
      tell(
        `${error instanceof Error ? error.message : `PostgreSQL at ${shown} is away`} Nothing more is sent until it is back; answers are kept.`,
      ),
    onBack: () => tell(`PostgreSQL at ${shown} is back.`),
  });
}

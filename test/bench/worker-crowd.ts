import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type OwnPostgres, startServer } from "../own-postgres.ts";
import { DatabaseLink } from "../../src/worker/journal/database-link.ts";
import { DatabaseClock } from "../../src/worker/journal/lease.ts";
import { SettleDesk } from "../../src/worker/journal/settle-desk.ts";
import { Spool } from "../../src/worker/journal/spool.ts";
import { openPostgres, type Postgres } from "../../src/worker/postgres/connection.ts";
import { migratePostgres } from "../../src/worker/postgres/schema.ts";
import { holdAttempt } from "../../src/worker/postgres/settle.ts";
import { TakeDesks } from "../../src/worker/serve/take-desks.ts";
import { answer, newWorker, runningBatch } from "../worker/books.ts";
import type { Bench } from "./bench.ts";
import { beside, type Figure } from "./figure.ts";
import { callsOf, serverCpuSeconds } from "./postgres-load.ts";

const workers = 200;
/** Jobs that a worker asks for together, as it does with a chunk. */
const asked = 100;

interface Play {
  /** Requests in flight over all workers. */
  concurrency: number;
  /** Time that the service takes. */
  latencyMs: number;
}

const plays: readonly Play[] = [
  { concurrency: 200, latencyMs: 2_000 },
  { concurrency: 1_000, latencyMs: 2_000 },
  { concurrency: 10_000, latencyMs: 2_000 },
];

/** 200 workers that ask a PostgreSQL for leave and enter answers, with a service that is only waited for: all of one process. */
export async function workerCrowd(bench: Bench): Promise<Figure[]> {
  const server = await startServer(mkdtempSync(join(tmpdir(), "tandem-bench-crowd-")), {
    more: [`max_connections=${workers + 20}`, "track_functions=pl"],
  });
  const figures: Figure[] = [];
  try {
    const admin = await openPostgres(server.url("postgres"), { most: 1, applicationName: "bench" });
    for (const [place, play] of plays.entries()) {
      bench.note(`${workers} workers, ${play.concurrency} in flight`);
      await admin.query(`CREATE DATABASE tandem_${place}`);
      figures.push(await played(bench, server, { ...play, database: `tandem_${place}` }));
    }
    await admin.close();
  } finally {
    await server.stop();
  }
  return figures;
}

async function played(
  bench: Bench,
  server: OwnPostgres,
  { concurrency, latencyMs, database }: Play & { database: string },
): Promise<Figure> {
  const url = server.url(database);
  const db = await openPostgres(url, { most: 2, applicationName: "bench" });
  await migratePostgres(db);
  const forMs = bench.quick ? 8_000 : 20_000;
  const jobs = Math.ceil((concurrency / latencyMs) * (forMs + 10_000)) + workers * asked;
  const { batch, service } = await batchOf(db, { jobs, concurrency });
  const crowd = new Crowd({ folder: bench.folder, batch, service, latencyMs, jobs });
  for (let place = 0; place < workers; place += 1)
    await crowd.enter(await openPostgres(url, { most: 1, applicationName: `worker ${place}` }));
  crowd.begin();
  // Until answers come as they go.
  await delay(latencyMs + 2_000);
  const from = { answered: crowd.answered, cpu: serverCpuSeconds(server), at: performance.now() };
  const [takesBefore, settlesBefore] = [await callsOf(url, "take"), await callsOf(url, "settle")];
  const seen = await watched(db, { service, forMs });
  const seconds = (performance.now() - from.at) / 1_000;
  const requests = (crowd.answered - from.answered) / seconds;
  const cores = (serverCpuSeconds(server) - from.cpu) / seconds;
  const [takesAfter, settlesAfter] = [await callsOf(url, "take"), await callsOf(url, "settle")];
  await crowd.end();
  await db.close();
  const takes = (takesAfter.calls - takesBefore.calls) / seconds;
  const settles = (settlesAfter.calls - settlesBefore.calls) / seconds;
  const takeMs = (takesAfter.ms - takesBefore.ms) / Math.max(1, takesAfter.calls - takesBefore.calls);
  return beside(
    `${workers} workers on one PostgreSQL, ${concurrency} in flight at one service of ${latencyMs} ms`,
    `${requests.toFixed(0)} requests/s of ${((concurrency / latencyMs) * 1_000).toFixed(0)} by ${takes.toFixed(0)} takes of ${takeMs.toFixed(1)} ms and ${settles.toFixed(0)} settles a second; PostgreSQL ${cores.toFixed(2)} cores, ${seen.waiting.toFixed(1)} takes wait for the row, at most ${seen.most} in flight`,
  );
}

/** A running batch of so many jobs. */
async function batchOf(db: Postgres, { jobs, concurrency }: { jobs: number; concurrency: number }) {
  const made = await runningBatch(db, { jobs: 1, concurrency });
  await db.query(
    `INSERT INTO tandem.job (batch, id, slice, target, case_id, input, repeat, turn)
     SELECT $1, id, 1, 1, id, 1, 1, 1 FROM generate_series(2::bigint, $2) AS id`,
    [made.batch, jobs],
  );
  await db.query("ANALYZE");
  return made;
}

/** Looks how many wait for the row of the service, on average, and how many are in flight, at the most. */
async function watched(db: Postgres, { service, forMs }: { service: number; forMs: number }) {
  let looks = 0;
  let waiting = 0;
  let most = 0;
  for (const end = performance.now() + forMs; performance.now() < end; looks += 1) {
    const [row] = await db.query<{ waiting: number; flying: number }>(
      `SELECT (SELECT count(*)::integer FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS waiting,
         (SELECT count(*)::integer FROM tandem.sending WHERE service = $1) AS flying`,
      [service],
    );
    waiting += row?.waiting ?? 0;
    most = Math.max(most, row?.flying ?? 0);
    await delay(250);
  }
  return { waiting: waiting / looks, most };
}

interface CrowdOptions {
  folder: string;
  batch: number;
  service: number;
  latencyMs: number;
  jobs: number;
}

/** Workers of one process, each with a connection and desks of its own. */
class Crowd {
  answered = 0;
  readonly #options: CrowdOptions;
  readonly #members: { db: Postgres; drive: () => Promise<void> }[] = [];
  #latest = 0;
  #isEnding = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: CrowdOptions) {
    this.#options = options;
  }

  async enter(db: Postgres): Promise<void> {
    const { batch, service, folder, latencyMs } = this.#options;
    const worker = await newWorker(db);
    const link = new DatabaseLink({ passes: () => false, onAway: () => {}, onBack: () => {} });
    const fail = (error: unknown): void => {
      if (!this.#isEnding) throw error;
    };
    const takes = new TakeDesks({
      workerId: worker,
      db,
      link,
      lease: { isHeld: true },
      clock: new DatabaseClock(),
      faults: { within: (_batch, work) => work(), found: (_batch, error) => fail(error) },
    });
    const settles = new SettleDesk({
      link,
      spool: new Spool(join(folder, `crowd-${this.#members.length}`)),
      settle: (id, results) => takes.settle(id, results),
      hold: (id, attempt) => holdAttempt(db, id, attempt),
      isOfData: () => false,
      onRefused: (_batch, error) => fail(error),
      onSetAside: () => {},
      onDiskFault: () => {},
      onFailure: fail,
    });
    const chunk = takes.counter({ batch, service }, { onOutcome: () => {}, onWaited: () => {}, onStopped: () => {} });
    const body = Buffer.alloc(1_000, "answer ");
    const send = async (): Promise<void> => {
      for (; !this.#isEnding && this.#latest < this.#options.jobs;) {
        this.#latest += 1;
        const job = this.#latest;
        if (!(await chunk.ask({ job, number: 1 }))) return;
        settles.expect(1);
        await delay(latencyMs);
        settles.expect(-1);
        // Its slot is free when the answer is entered; the next job waits already.
        void settles
          .add({ worker, ...answer(batch, job, { entry: "x".repeat(600), body }) })
          .then(() => (this.answered += 1));
      }
    };
    const drive = async (): Promise<void> => {
      await Promise.all(Array.from({ length: asked }, send));
    };
    this.#members.push({ db, drive });
  }

  begin(): void {
    this.#running = Promise.allSettled(this.#members.map(({ drive }) => drive()));
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#members.map(({ db }) => db.close()));
    void this.#running;
  }
}

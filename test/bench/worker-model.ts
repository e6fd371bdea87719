import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgres, type Postgres } from "../../src/worker/postgres/connection.ts";
import { settle } from "../../src/worker/postgres/settle.ts";
import { take } from "../../src/worker/postgres/take.ts";
import { answer, newWorker, runningBatch } from "../worker/books.ts";
import type { Bench } from "./bench.ts";
import { beside, type Figure } from "./figure.ts";
import { median } from "./measure.ts";
import { withOwnDatabase } from "./own-database.ts";
import { simulateWorkers, type StatementCost } from "./simulation/workers-model.ts";
import { pairRates } from "./worker-store.ts";

const entryBytes = 600;
const bodyBytes = 1_000;
/** Cores of a server that 200 workers would have. */
const cores = 8;

/**
 * The sizes of rows and indexes, measured on a million answered jobs, and the pace of statements; from these what 200
 * workers and 100 million jobs would need.
 */
export async function workerModel(bench: Bench): Promise<Figure[]> {
  const own = { folder: mkdtempSync(join(tmpdir(), "tandem-bench-model-")), settings: ["max_wal_size=4GB"] };
  return await withOwnDatabase(own, async (server) => {
    const db = await openPostgres(server.url("tandem"), { most: 1, applicationName: "bench" });
    bench.note("statements alone");
    const costs = await statementCosts(db);
    const rows = bench.quick ? 100_000 : 1_000_000;
    bench.note(`${rows} answered jobs`);
    const sizes = await sizesOf(db, rows);
    bench.note("statements beside them");
    const later = await statementCosts(db);
    await db.close();
    const rates = await pairRates(server.url("tandem"), { group: 50, note: bench.note });
    return [
      ...sizes,
      ...costFigures("in an empty database", costs),
      ...costFigures(`beside ${rows} jobs`, later),
      beside(`pairs of take and settle of 50 a second beside ${rows} jobs, by connections`, rates),
      ...played(later),
    ];
  });
}

/** Time of `take` and `settle`, for one attempt and for 50, by one connection: the median, as the machine has other work too. */
async function statementCosts(db: Postgres): Promise<{ take: StatementCost; settle: StatementCost }> {
  const [few, many] = [await pairMs(db, 1, 300), await pairMs(db, 50, 60)];
  const line = (one: number, fifty: number): StatementCost => {
    const perAttempt = Math.max(0, (fifty - one) / 49);
    return { each: Math.max(0, one - perAttempt), perAttempt };
  };
  return { take: line(few.take, many.take), settle: line(few.settle, many.settle) };
}

async function pairMs(db: Postgres, group: number, times: number): Promise<{ take: number; settle: number }> {
  const { batch, service } = await runningBatch(db, { jobs: group, concurrency: group });
  const worker = await newWorker(db);
  const body = Buffer.alloc(bodyBytes, "answer ");
  const entry = "x".repeat(entryBytes);
  const spent = { take: [] as number[], settle: [] as number[] };
  for (let number = 1; number <= times; number += 1) {
    const jobs = Array.from({ length: group }, (_none, index) => ({ job: index + 1, number }));
    const began = performance.now();
    await take(db, { worker, token: randomUUID(), batch, service, jobs });
    const taken = performance.now();
    await settle(
      db,
      worker,
      jobs.map(({ job }) => answer(batch, job, { number, final: false, body, entry })),
    );
    spent.take.push(taken - began);
    spent.settle.push(performance.now() - taken);
  }
  return { take: median(spent.take), settle: median(spent.settle) };
}

const tables = ["input", "job", "attempt", "unpulled"];

/** Fills the tables as a batch fills them of which nothing was brought yet. */
async function sizesOf(db: Postgres, rows: number): Promise<Figure[]> {
  const { batch } = await runningBatch(db, { jobs: 1 });
  const worker = await newWorker(db);
  const page = 100_000;
  for (let from = 2; from <= rows; from += page) {
    const to = Math.min(rows, from + page - 1);
    const at = [batch, from, to];
    await db.query(
      `INSERT INTO tandem.input SELECT $1, id, '{"input_prompt":"What is the price of ticket number ' || id || ' on a Sunday?"}' FROM generate_series($2::bigint, $3) AS id`,
      at,
    );
    await db.query(
      `INSERT INTO tandem.job (batch, id, slice, target, case_id, input, repeat, turn, attempts, outcome)
       SELECT $1, id, 1, 1, id, id, 1, 1, 1, 'ok' FROM generate_series($2::bigint, $3) AS id`,
      at,
    );
    await db.query(
      `INSERT INTO tandem.attempt (batch, job, number, worker, kind, final, entry, body)
       SELECT $1, id, 1, $4, 'ok', true, repeat('x', ${entryBytes}), convert_to(repeat('answer ', ${Math.round(bodyBytes / 7)}), 'UTF8')
       FROM generate_series($2::bigint, $3) AS id`,
      [...at, worker],
    );
    await db.query(
      `INSERT INTO tandem.unpulled (batch, job, number, bytes) SELECT $1, id, 1, ${entryBytes + bodyBytes} FROM generate_series($2::bigint, $3) AS id`,
      at,
    );
  }
  // As after a while: what has just been written is on the disk, and PostgreSQL knows its tables.
  await db.query("VACUUM ANALYZE");
  await db.query("CHECKPOINT");
  const figures: Figure[] = [];
  let all = 0;
  for (const table of tables) {
    const [size] = await db.query<{ rows: number; indexes: number }>(
      "SELECT pg_table_size($1::regclass)::float8 AS rows, pg_indexes_size($1::regclass)::float8 AS indexes",
      [`tandem.${table}`],
    );
    if (size === undefined) throw new Error(`${table} has no size`);
    all += size.rows + size.indexes;
    figures.push(
      beside(
        `tandem.${table}: bytes a job, rows and indexes`,
        `${(size.rows / rows).toFixed(0)} + ${(size.indexes / rows).toFixed(0)}`,
      ),
    );
  }
  const perJob = all / rows;
  return [
    ...figures,
    beside("a million jobs, all answered, 1 KB each", `${(perJob / 1_000).toFixed(2)} GB`),
    beside("100 million jobs", `${(perJob / 10).toFixed(0)} GB`),
  ];
}

function costFigures(where: string, costs: { take: StatementCost; settle: StatementCost }): Figure[] {
  const text = ({ each, perAttempt }: StatementCost): string =>
    `${each.toFixed(2)} ms + ${perAttempt.toFixed(3)} ms an attempt`;
  return [beside(`take, ${where}`, text(costs.take)), beside(`settle, ${where}`, text(costs.settle))];
}

/** The model for few workers, which can be looked up, and for 200, which cannot. */
function played(costs: { take: StatementCost; settle: StatementCost }): Figure[] {
  const plays = [
    ...[1, 2, 4, 8].map((workers) => ({ workers, services: 1, concurrency: 64, latencyMs: 5 })),
    ...[200].flatMap((workers) => [
      { workers, services: 1, concurrency: 1_000, latencyMs: 2_000 },
      { workers, services: 1, concurrency: 10_000, latencyMs: 2_000 },
      { workers, services: 20, concurrency: 1_000, latencyMs: 2_000 },
      { workers, services: 1, concurrency: 100_000, latencyMs: 2_000 },
    ]),
  ];
  return plays.map((play) => {
    const made = simulateWorkers({ ...costs, ...play, cores, forMs: 20_000 });
    const hours = 100e6 / made.requests / 3_600;
    const of = `${play.services} service${play.services === 1 ? "" : "s"} with ${play.concurrency} in flight, ${play.latencyMs} ms`;
    const busy = `rows ${(made.rows * 100).toFixed(0)} %, server ${(made.server * 100).toFixed(0)} % busy`;
    return beside(
      `model: ${play.workers} workers, ${of}`,
      `${made.requests.toFixed(0)} requests/s by ${made.takes.toFixed(0)} takes of ${made.group.toFixed(1)}; ${busy}; 100 million in ${hours.toFixed(0)} h`,
    );
  });
}

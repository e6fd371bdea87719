import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgres, type Postgres } from "../../src/worker/postgres/connection.ts";
import { settle } from "../../src/worker/postgres/settle.ts";
import { take } from "../../src/worker/postgres/take.ts";
import { answer, newWorker, runningBatch } from "../worker/books.ts";
import type { Bench } from "./bench.ts";
import { beside, type Figure } from "./figure.ts";
import { withOwnDatabase } from "./own-database.ts";

/** Attempts in one statement: few, as under a tight limit, and many, as a fast service brings them. */
const groups = [1, 50];
const connections = [1, 2, 4, 8];
const forMs = 5_000;

/** Measures `take` and `settle` alone, on one service, by so many connections; every commit is on the disk. */
export async function workerStore(bench: Bench): Promise<Figure[]> {
  const own = { folder: join(tmpdir(), `tandem-bench-postgres-${process.pid}`), settings: ["fsync=on"] };
  return await withOwnDatabase(own, async (server) => {
    const figures: Figure[] = [];
    for (const group of groups) {
      const name = `PostgreSQL: take and settle of ${group} on one service, pairs a second by connections`;
      figures.push(beside(name, await pairRates(server.url("tandem"), { group, note: bench.note })));
    }
    return figures;
  });
}

/** Pairs of `take` and `settle` a second on one service, by the number of connections. */
export async function pairRates(
  url: string,
  { group, note }: { group: number; note: (text: string) => void },
): Promise<string> {
  const rates: string[] = [];
  for (const most of connections) {
    note(`take and settle of ${group} by ${most} connections`);
    const db = await openPostgres(url, { most, applicationName: "bench" });
    rates.push(`${most}: ${Math.round(await pairsPerSecond(db, { most, group }))}`);
    await db.close();
  }
  return rates.join(", ");
}

/** Every connection takes a group of its own jobs and settles it, again and again. */
async function pairsPerSecond(db: Postgres, { most, group }: { most: number; group: number }): Promise<number> {
  const { batch, service } = await runningBatch(db, { jobs: most * group, concurrency: most * group });
  const body = Buffer.alloc(1_000, "answer ");
  const began = performance.now();
  let pairs = 0;
  const drive = async (_none: unknown, place: number): Promise<void> => {
    const worker = await newWorker(db);
    for (let number = 1; performance.now() - began < forMs; number += 1) {
      const jobs = Array.from({ length: group }, (_job, index) => ({ job: place * group + index + 1, number }));
      await take(db, { worker, token: randomUUID(), batch, service, jobs });
      await settle(
        db,
        worker,
        jobs.map(({ job }) => answer(batch, job, { number, final: false, body, entry: "x".repeat(600) })),
      );
      pairs += 1;
    }
  };
  await Promise.all(Array.from({ length: most }, drive));
  return pairs / ((performance.now() - began) / 1_000);
}

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import { markPulled, pullAttempts } from "../../src/worker/postgres/pull.ts";
import { settle, skipRemoteJobs } from "../../src/worker/postgres/settle.ts";
import { endChunk, loadChunk } from "../../src/worker/postgres/chunk.ts";
import { take } from "../../src/worker/postgres/take.ts";
import { beat, reap } from "../../src/worker/postgres/workers.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { answer, newWorker, runningBatch } from "./books.ts";

const million = 1_000_000;
const inChunk = 200;

/** Rows and entries of indexes that were read in all tables. */
async function reads(db: Postgres): Promise<number> {
  await db.query("SELECT pg_stat_force_next_flush()");
  const [row] = await db.query<{ rows: number }>(
    `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE schemaname = 'tandem')
       + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = 'tandem') AS rows`,
  );
  return Number(row?.rows);
}

/** Everything that a worker and a submitter do with a chunk; each as often as makes PostgreSQL keep its plan. */
async function driveChunk(
  db: Postgres,
  { batch, service, worker, slice: chunk }: { batch: number; service: number; worker: string; slice: number },
) {
  await beat(db, worker);
  const loaded = await loadChunk(db, { batch, slice: chunk, worker });
  const jobs = (loaded?.jobs ?? []).map(({ id }) => id);
  for (let at = 0; at < jobs.length; at += 20) {
    const some = jobs.slice(at, at + 20);
    const wanted = some.map((job) => ({ job, number: 1 }));
    const { granted } = await take(db, { worker, token: randomUUID(), batch, service, jobs: wanted });
    expect(granted).toEqual(some);
    await settle(
      db,
      worker,
      some.map((job) => answer(batch, job)),
    );
    await skipRemoteJobs(db, batch, some[0] ?? 0, "none");
    await reap(db, { deadAfterMs: 60_000 });
    await markPulled(db, batch, await pullAttempts(db, batch, { limit: 20 }));
  }
  expect(await endChunk(db, { batch, slice: chunk })).toBe(0);
}

test("no statement of a worker or a submitter reads more rows because a batch has a million jobs, also before PostgreSQL knows", async () => {
  const db = await openTest(await testDatabase(), 1);
  const worker = await newWorker(db);
  // The plans are made while the tables are small, where a scan is the best.
  const small = await runningBatch(db, { jobs: inChunk, concurrency: 100 });
  await driveChunk(db, { ...small, worker, slice: 1 });
  const { batch, service } = await runningBatch(db, { jobs: 1, concurrency: 100 });
  await db.query(
    `WITH ids AS (SELECT generate_series(2, $2) AS id), inputs AS (
       INSERT INTO tandem.input (batch, id, input) SELECT $1, id, '{"question":' || id || '}' FROM ids),
     slices AS (INSERT INTO tandem.slice (batch, id, deployment, service, jobs) SELECT $1, id, 'prod', $4, $3 FROM generate_series(2, $2 / $3) AS id)
     INSERT INTO tandem.job (batch, id, slice, target, case_id, input, repeat, turn) SELECT $1, id, (id - 1) / $3 + 1, 1, id, id, 1, 1 FROM ids`,
    [batch, million, inChunk, service],
  );
  const read: number[] = [];
  for (const chunk of [2, 2_500, 4_999]) {
    if (chunk === 4_999) await db.query("ANALYZE");
    const before = await reads(db);
    await driveChunk(db, { batch, service, worker, slice: chunk });
    read.push((await reads(db)) - before);
  }
  // Some sixty for each job, however many jobs there are.
  for (const rows of read) expect(rows).toBeLessThan(inChunk * 150);
});

import { randomUUID } from "node:crypto";
import { PgBoss } from "pg-boss";
import { expect, onTestFinished, test } from "vitest";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import {
  completeChunk,
  fetchChunks,
  giveChunkBack,
  putChunks,
  returnLostChunks,
  chunkQueue,
  touchFetched,
} from "../../src/worker/postgres/queues.ts";
import { closeChunks } from "../../src/worker/postgres/rejoin.ts";
import { addChunks } from "../../src/worker/postgres/submit.ts";
import { fileDatabase, openTest, testDatabase } from "../postgres.ts";
import { runningBatch } from "./books.ts";

const database = fileDatabase();

/** A batch with so many open chunks, and the queue of their kind. */
async function open(db: Postgres, chunks: number): Promise<{ batch: number; queue: string; all: number[] }> {
  const { batch, service } = await runningBatch(db, { jobs: 1 });
  const more = Array.from({ length: chunks - 1 }, (_none, index) => index + 2);
  await addChunks(
    db,
    batch,
    more.map((id) => ({ id, deployment: "prod", service, jobs: 1 })),
  );
  return { batch, queue: chunkQueue({ service, deployment: "prod", version: randomUUID() }), all: [1, ...more] };
}

/** As if no worker had given a sign for so long. */
const silentFor = (db: Postgres, queue: string, seconds: number): Promise<unknown> =>
  db.query(`UPDATE tandem_engine.job SET heartbeat_on = now() - $2 * interval '1 second' WHERE name = $1`, [
    queue,
    seconds,
  ]);

test("a slice is in its queue once, however often it is put there, and is one worker's at a time", async () => {
  const db = database();
  const { batch, queue, all } = await open(db, 3);
  expect(await fetchChunks(db, queue, 1)).toEqual([]);
  await putChunks(db, queue, batch, all);
  await putChunks(db, queue, batch, all);
  const first = await fetchChunks(db, queue, 1);
  expect(first).toMatchObject([{ batch, slice: 1, tries: 0 }]);
  await putChunks(db, queue, batch, all);
  const rest = await fetchChunks(db, queue, 9);
  expect(new Set(rest.map(({ slice: chunk }) => chunk))).toEqual(new Set([2, 3]));
  for (const fetched of [...first, ...rest]) await completeChunk(db, queue, fetched);
  expect(await db.query("SELECT FROM tandem_engine.job WHERE name = $1", [queue])).toEqual([]);
  await closeChunks(db, batch);
  await putChunks(db, queue, batch, all);
  expect(await fetchChunks(db, queue, 9)).toEqual([]);
});

test("a slice of a worker without a sign goes to another, and the first has no say in it any more", async () => {
  const db = database();
  const { batch, queue } = await open(db, 1);
  await putChunks(db, queue, batch, [1]);
  const [lost] = await fetchChunks(db, queue, 1);
  if (lost === undefined) throw new Error("nothing was there");
  await silentFor(db, queue, 11);
  await returnLostChunks(db);
  expect(await touchFetched(db, queue, [lost])).toEqual(new Set([lost.id]));
  await silentFor(db, queue, 13);
  await returnLostChunks(db);
  expect(await touchFetched(db, queue, [lost])).toEqual(new Set());
  const [again] = await fetchChunks(db, queue, 1);
  expect(again).toEqual({ ...lost, tries: 1 });
  if (again === undefined) throw new Error("nothing was there");
  await completeChunk(db, queue, lost);
  await giveChunkBack(db, queue, lost);
  expect(await fetchChunks(db, queue, 1)).toEqual([]);
  await giveChunkBack(db, queue, again);
  expect(await fetchChunks(db, queue, 1)).toEqual([{ ...lost, tries: 2 }]);
});

test("a queue takes open slices of its own service, and no other name", async () => {
  const db = database();
  const [one, other] = [await open(db, 1), await open(db, 1)];
  await putChunks(db, one.queue, other.batch, [1]);
  expect(await fetchChunks(db, one.queue, 1)).toEqual([]);
  for (const name of ["jobs", "slices-1-x'; DROP TABLE tandem.batch", `${one.queue}0`])
    await expect(putChunks(db, name, one.batch, [1]), name).rejects.toThrow(/no queue of slices is called/);
});

test("the engine itself hands out what was put by our functions, and they what it was given", async () => {
  const url = await testDatabase();
  const db = await openTest(url);
  const boss = new PgBoss({ connectionString: url, schema: "tandem_engine", migrate: false, schedule: false });
  boss.on("error", (error) => expect.fail(String(error)));
  await boss.start();
  onTestFinished(() => boss.stop({ graceful: false }));
  const { batch, queue } = await open(db, 2);
  await putChunks(db, queue, batch, [1]);
  expect(await boss.getQueue(queue)).toMatchObject({ heartbeatSeconds: 12, retryLimit: 1_000_000, policy: "standard" });
  const [byBoss] = await boss.fetch(queue, { includeMetadata: true });
  expect(byBoss).toMatchObject({ data: { batch, slice: 1 }, state: "active", retryCount: 0, heartbeatSeconds: 12 });
  const id = byBoss?.id ?? "";
  // What it has given out is ours to touch, and what we have let go of is its to give out again.
  expect(await touchFetched(db, queue, [{ id, tries: 0 }])).toEqual(new Set([id]));
  await giveChunkBack(db, queue, { id, tries: 0 });
  expect((await boss.fetch(queue, { includeMetadata: true }))[0]).toMatchObject({ id, retryCount: 1 });
  await boss.fail(queue, [{ id, retryCount: 1 }]);
  expect(await fetchChunks(db, queue, 1)).toEqual([{ id, tries: 2, batch, slice: 1 }]);
  await silentFor(db, queue, 13);
  await boss.supervise(queue);
  expect(await fetchChunks(db, queue, 1)).toEqual([{ id, tries: 3, batch, slice: 1 }]);
  await boss.deleteJob(queue, [{ id, retryCount: 3 }]);
  await boss.insert(queue, [{ data: { batch, slice: 2 } }, { data: { of: "somebody else" } }]);
  expect(await fetchChunks(db, queue, 9)).toMatchObject([{ tries: 0, batch, slice: 2 }]);
  expect(await db.query("SELECT state FROM tandem_engine.job WHERE name = $1", [queue])).toEqual([{ state: "active" }]);
});

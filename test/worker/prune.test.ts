import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { markPulled, pullAttempts } from "../../src/worker/postgres/pull.ts";
import { settle } from "../../src/worker/postgres/settle.ts";
import { setRemoteState } from "../../src/worker/postgres/submit.ts";
import { take } from "../../src/worker/postgres/take.ts";
import { remoteBatches } from "../../src/worker/postgres/watch.ts";
import { leaveWorker, reap } from "../../src/worker/postgres/workers.ts";
import { lookForOld, removeOld } from "../../src/worker/watch/prune.ts";
import { fileDatabase } from "../postgres.ts";
import { answer, newWorker, runningBatch } from "./books.ts";

const database = fileDatabase();
const dayMs = 86_400_000;

/** A batch of two jobs that began so many days ago. */
async function oldBatch(namespace: string, name: string, days: number): Promise<number> {
  const { batch } = await runningBatch(database(), { namespace, name, jobs: 2 });
  await database().query("UPDATE tandem.batch SET created_at = created_at - $2::bigint WHERE no = $1", [
    batch,
    days * dayMs,
  ]);
  return batch;
}

/** One job of a batch is sent. */
async function sent(batch: number): Promise<string> {
  const worker = await newWorker(database());
  const [limit] = await database().query<{ service: number }>(
    "SELECT service FROM tandem.batch_limit WHERE batch = $1",
    [batch],
  );
  const jobs = [{ job: 1, number: 1 }];
  await take(database(), { worker, token: "t", batch, service: limit?.service ?? 0, jobs });
  return worker;
}

test("batches that are old, at rest and brought go; what runs, is missed by somebody or in doubt stays, with the reason", async () => {
  const namespace = randomUUID();
  const db = database();
  const imported = await oldBatch(namespace, "brought", 40);
  await settle(db, await sent(imported), [answer(imported, 1)]);
  await markPulled(db, imported, await pullAttempts(db, imported, { limit: 10 }));
  const missed = await oldBatch(namespace, "missed", 40);
  await settle(db, await sent(missed), [answer(missed, 1)]);
  const doubted = await oldBatch(namespace, "doubted", 40);
  await leaveWorker(db, await sent(doubted));
  await reap(db, { deadAfterMs: 15_000 });
  for (const batch of [imported, missed, doubted]) await setRemoteState(db, batch, "stopped");
  await oldBatch(namespace, "running", 40);
  const young = await oldBatch(namespace, "young", 20);
  await setRemoteState(db, young, "finished");
  const other = await oldBatch("other team", `other-${namespace}`, 40);
  await setRemoteState(db, other, "finished");

  const scope = { namespace, ageMs: 30 * dayMs };
  const found = await lookForOld(db, scope);
  expect(found.going.map(({ name, done, jobs }) => ({ name, done, jobs }))).toEqual([
    { name: "brought", done: 1, jobs: 2 },
  ]);
  expect(found.staying).toEqual([
    { name: "missed", reason: "1 result that nobody has brought" },
    { name: "doubted", reason: "1 in doubt" },
    { name: "running", reason: "it is running" },
  ]);
  await removeOld(db, found, scope);
  const left = await remoteBatches(db, { namespace });
  expect(left.map(({ name }) => name).toSorted()).toEqual(["doubted", "missed", "running", "young"]);
  expect(await remoteBatches(db, { namespace: "other team", name: `other-${namespace}` })).toHaveLength(1);
});

test("a batch with which somebody goes on between the look and the removal stays", async () => {
  const namespace = randomUUID();
  const batch = await oldBatch(namespace, "late", 40);
  await setRemoteState(database(), batch, "finished");
  const scope = { namespace, ageMs: 30 * dayMs };
  const found = await lookForOld(database(), scope);
  await setRemoteState(database(), batch, "running");
  expect(await removeOld(database(), found, scope)).toMatchObject({
    going: [],
    staying: [{ name: "late", reason: "somebody resumes it" }],
  });
  expect(await remoteBatches(database(), { namespace })).toHaveLength(1);
});

test("workers that gave no sign for long go, unless something of theirs is in doubt", async () => {
  const db = database();
  const batch = await oldBatch(randomUUID(), "doubts", 40);
  const [gone, doubted, here] = [await newWorker(db, "gone"), await sent(batch), await newWorker(db, "here")];
  await leaveWorker(db, doubted);
  await reap(db, { deadAfterMs: 15_000 });
  await db.query("UPDATE tandem.worker SET seen_at = seen_at - $2::bigint WHERE id = ANY ($1::uuid[])", [
    [gone, doubted],
    40 * dayMs,
  ]);
  const scope = { namespace: randomUUID(), ageMs: 30 * dayMs };
  expect((await removeOld(db, await lookForOld(db, scope), scope)).workers).toBe(1);
  const left = await db.query<{ id: string }>("SELECT id FROM tandem.worker WHERE id = ANY ($1::uuid[])", [
    [gone, doubted, here],
  ]);
  expect(left.map(({ id }) => id).toSorted()).toEqual([doubted, here].toSorted());
});

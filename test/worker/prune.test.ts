import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { askForNight, endNight, enterDueTimes, homeSeen, takeDueNight } from "../../src/worker/postgres/nights.ts";
import { markPulled, pullAttempts } from "../../src/worker/postgres/pull.ts";
import { enterSchedule, nightsOf, schedulesOf } from "../../src/worker/postgres/schedules.ts";
import { settle } from "../../src/worker/postgres/settle.ts";
import { setRemoteState } from "../../src/worker/postgres/submit.ts";
import { take } from "../../src/worker/postgres/take.ts";
import { remoteBatches } from "../../src/worker/postgres/watch.ts";
import { leaveWorker, reap } from "../../src/worker/postgres/workers.ts";
import { oldAtWorkersText } from "../../src/cli/commands/workers/prune.text.ts";
import { nightOfWorker } from "../../src/worker/nights/night-process.ts";
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

test("a batch whose home was replaced goes with what nobody will bring, once a night was spent elsewhere", async () => {
  const [namespace, home, other] = [randomUUID(), randomUUID(), randomUUID()];
  const db = database();
  const [id] = await newSchedule(namespace, 3_600_000);
  await homeSeen(db, { id: home, name: "mill", host: "here" });
  await askForNight(db, namespace, "nightly");
  await takeDueNight(db, { schedule: id, home, token: randomUUID(), lostAfterMs: 60_000 });
  const night = { schedule: id, home };
  const { batch } = await runningBatch(db, { namespace, name: "nightly-1", jobs: 2, night });
  const { batch: young } = await runningBatch(db, { namespace, name: "by-hand", jobs: 2 });
  await settle(db, await sent(batch), [answer(batch, 1)]);
  await db.query("UPDATE tandem.batch SET created_at = created_at - $2::bigint WHERE no = $1", [batch, 40 * dayMs]);
  await db.query("UPDATE tandem.night_home SET seen_at = seen_at - 9000000 WHERE id = $1", [home]);
  await db.query("UPDATE tandem.night SET seen_at = seen_at - 9000000 WHERE schedule = $1", [id]);
  const scope = { namespace, ageMs: 30 * dayMs };
  const goingNow = async (): Promise<unknown> =>
    (await lookForOld(db, scope)).going.map(({ name, unpulled, replacedBy }) => ({ name, unpulled, replacedBy }));
  expect(await goingNow()).toEqual([]);

  await homeSeen(db, { id: other, name: "mill-2", host: "there" });
  const taken = await takeDueNight(db, { schedule: id, home: other, token: randomUUID(), lostAfterMs: 60_000 });
  expect(taken).toMatchObject({ instead: "mill", stopped: ["nightly-1"] });
  expect((await remoteBatches(db, { namespace })).map(({ name, state, reason }) => [name, state, reason])).toEqual([
    ["by-hand", "running", null],
    ["nightly-1", "stopping", "another home has taken over the nights of its schedule"],
  ]);
  if (taken !== null) await endNight(db, taken, { exitCode: 0, batch: "b", verdict: null, word: null });
  // Somebody has perhaps just resumed it there.
  expect(await goingNow()).toEqual([]);
  await db.query("UPDATE tandem.batch SET submitter_seen_at = submitter_seen_at - 3700000 WHERE no = $1", [batch]);
  expect(await goingNow()).toEqual([{ name: "nightly-1", unpulled: 1, replacedBy: "mill-2" }]);
  const found = await lookForOld(db, scope);
  expect(oldAtWorkersText(found)).toContain(
    "stopping, 1/2 jobs, with 1 result that nobody has brought: mill-2 has taken over the nights of its schedule",
  );
  await removeOld(db, found, scope);
  expect((await remoteBatches(db, { namespace })).map(({ no }) => no)).toEqual([young]);
});

test("a night knows its schedule and home by the environment that its worker gives it", () => {
  const home = randomUUID();
  expect(nightOfWorker({ TANDEM_NIGHT_OF_WORKER: `7 ${home}` })).toEqual({ schedule: 7, home });
  expect(nightOfWorker({ TANDEM_NIGHT_OF_WORKER: "1" })).toBeNull();
  expect(nightOfWorker({})).toBeNull();
});

/** A schedule of a namespace; gives its id and the database's time. */
async function newSchedule(namespace: string, takeOverMs: number | null): Promise<[id: number, dbNow: number]> {
  const schedule = {
    namespace,
    name: "nightly",
    cron: "30 1 * * *",
    zone: "UTC",
    suite: "suite.yaml",
    words: [],
    madeUpMs: 90 * dayMs,
    takeOverMs,
    submitter: "desk",
    files: [],
  };
  await enterSchedule(database(), schedule, false);
  const [{ id, dbNow } = { id: 0, dbNow: 0 }] = await schedulesOf(database(), namespace);
  return [id, dbNow];
}

test("old nights go but for the last due time, by which the next one is known, and for those that nobody was told of", async () => {
  const [namespace, home] = [randomUUID(), randomUUID()];
  const db = database();
  const [id, dbNow] = await newSchedule(namespace, null);
  await homeSeen(db, { id: home, name: "mill", host: "here" });
  const spend = async (): Promise<void> => {
    const night = await takeDueNight(db, { schedule: id, home, token: randomUUID(), lostAfterMs: 60_000 });
    if (night === null) throw new Error("a night is due");
    await endNight(db, night, { exitCode: 0, batch: "b", verdict: null, word: null });
  };
  const ago = (days: number): number => dbNow - days * dayMs;
  await enterDueTimes(db, { schedule: id, dueAt: [ago(60), ago(59)] });
  await spend();
  await enterDueTimes(db, { schedule: id, dueAt: [ago(50), ago(40)] });
  await askForNight(db, namespace, "nightly");
  await spend();
  const scope = { namespace, ageMs: 30 * dayMs };
  // Those of 50 and 40 days ago: missed and told by the one that was asked for; the latter is the last due time.
  await db.query("UPDATE tandem.night SET told = false WHERE schedule = $1 AND due_at = $2", [id, ago(50)]);
  expect((await lookForOld(db, scope)).nights).toBe(2);
  expect((await removeOld(db, await lookForOld(db, scope), scope)).nights).toBe(2);
  const left = await nightsOf(db, id, 9);
  expect(left.map(({ dueAt, byHand }) => (byHand ? "asked for" : dueAt))).toEqual(["asked for", ago(40), ago(50)]);
  expect((await schedulesOf(db, namespace))[0]).toMatchObject({ lastDueAt: ago(40), home: { name: "mill" } });
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

import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DatabaseLink } from "../../src/worker/journal/database-link.ts";
import { SettleDesk } from "../../src/worker/journal/settle-desk.ts";
import { Spool } from "../../src/worker/journal/spool.ts";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import { isAway, isOfData } from "../../src/worker/postgres/failure.ts";
import {
  markPulled,
  type PulledAttempt,
  pullAttempts,
  pullSkipped,
  remoteDoubts,
  resolveDoubts,
} from "../../src/worker/postgres/pull.ts";
import { endChunk, loadChunk } from "../../src/worker/postgres/chunk.ts";
import { holdAttempt, markTaken, settle, skipRemoteJobs } from "../../src/worker/postgres/settle.ts";
import { take } from "../../src/worker/postgres/take.ts";
import { remoteProgress, workersNow } from "../../src/worker/postgres/watch.ts";
import { beat, leaveWorker, reap } from "../../src/worker/postgres/workers.ts";
import { fileDatabase } from "../postgres.ts";
import { temporaryFolder } from "../store/batch.ts";
import { answer, type BookOptions, newWorker, runningBatch } from "./books.ts";

const database = fileDatabase();

/** A batch of which a worker has sent the first jobs. */
async function sentJobs(db: Postgres, count: number, options: BookOptions = {}) {
  const worker = await newWorker(db);
  const { batch, service } = await runningBatch(db, options);
  const jobs = Array.from({ length: count }, (_none, index) => ({ job: index + 1, number: 1 }));
  const { granted } = await take(db, { worker, token: randomUUID(), batch, service, jobs });
  expect(granted).toHaveLength(count);
  return { worker, batch, service };
}

/** Its worker is held for dead. */
async function die(db: Postgres, worker: string): Promise<void> {
  await leaveWorker(db, worker);
  await reap(db, { deadAfterMs: 60_000 });
}

const again = (db: Postgres, at: { worker: string; batch: number; service: number }, job: number, number: number) =>
  take(db, { ...at, token: randomUUID(), jobs: [{ job, number }] });

const entered = (db: Postgres, batch: number) =>
  db.query<{ job: number; number: number; kind: string; worker: string | null }>(
    "SELECT job, number, kind, worker FROM tandem.attempt WHERE batch = $1 ORDER BY job, number",
    [batch],
  );

const strays = (db: Postgres, batch: number) =>
  db.query("SELECT job, number, worker, kind FROM tandem.stray WHERE batch = $1 ORDER BY job, number", [batch]);

/** The desk of a worker, with what it has set aside. */
function deskOver(db: Postgres) {
  const reported: string[] = [];
  const note = (error: unknown): void => void reported.push(String(error));
  const desk = new SettleDesk({
    link: new DatabaseLink({ passes: isAway, onAway: note, onBack: () => undefined }),
    spool: new Spool(temporaryFolder()),
    settle: (worker, results) => settle(db, worker, results),
    hold: (worker, attempt) => holdAttempt(db, worker, attempt),
    isOfData,
    onRefused: (_batch, error) => note(error),
    onSetAside: (_path, error) => note(error),
    onDiskFault: note,
    onFailure: note,
  });
  return { desk, told: reported };
}

describe("a result", () => {
  test("counts as a try where its sender says so, whatever its kind; one of an earlier tandem by its kind", async () => {
    const db = database();
    const { worker, batch } = await sentJobs(db, 5, { jobs: 5, concurrency: 5 });
    const reported = { final: false } as const;
    await settle(db, worker, [
      answer(batch, 1, { ...reported, kind: "ambiguous", countsAsTry: false }),
      answer(batch, 2, { ...reported, kind: "rejected", countsAsTry: true }),
      answer(batch, 3, { ...reported, kind: "run-failed", countsAsTry: true }),
      answer(batch, 4, { ...reported, kind: "run-failed" }),
      answer(batch, 5, { ...reported, kind: "throttled" }),
    ]);
    const tries = await db.query("SELECT id, failures FROM tandem.job WHERE batch = $1 ORDER BY id", [batch]);
    expect(tries).toEqual([0, 1, 1, 1, 0].map((failures, at) => ({ id: at + 1, failures })));
  });

  test("is entered by a function that keeps its plan, is never compiled, and looks up by index alone", async () => {
    const settings = await database().query<{ name: string; settings: string[] }>(
      `SELECT proname AS name, proconfig AS settings FROM pg_proc
       WHERE pronamespace = 'tandem'::regnamespace AND proname IN ('settle', 'settle_and_take', 'take') ORDER BY 1`,
    );
    const [one, ...others] = settings.map(({ settings: all }) => all.toSorted());
    expect(one).toEqual(
      expect.arrayContaining(["enable_seqscan=off", "jit=off", "plan_cache_mode=force_generic_plan"]),
    );
    expect(others).toEqual([one, one]);
  });

  test("that the database does not take holds up no other, and its job is in doubt until somebody decides", async () => {
    const db = database();
    const { worker, batch, service } = await sentJobs(db, 3, { jobs: 3, inDoubt: "resend" });
    await db.query("INSERT INTO tandem.attempt (batch, job, number, kind, final) VALUES ($1, 2, 1, 'target', false)", [
      batch,
    ]);
    const { desk, told: reported } = deskOver(db);
    const landings = [1, 2, 3].map((job) => desk.add({ ...answer(batch, job), worker }));
    expect(await Promise.all(landings)).toEqual(["landed", "aside", "landed"]);
    expect(reported).toEqual([expect.stringContaining("duplicate key")]);
    // No policy sends it again by itself: its next answer may be as bad.
    await reap(db, { deadAfterMs: 60_000 });
    expect((await remoteDoubts(db, batch)).map(({ job }) => job)).toEqual([2]);
    expect(await endChunk(db, { batch, slice: 1 })).toBe(0);
    await resolveDoubts(db, batch, { policy: "resend" });
    const { granted } = await again(db, { worker, batch, service }, 2, 3);
    expect(granted).toEqual([2]);
    expect(await settle(db, worker, [answer(batch, 2, { number: 3 })])).toEqual(["landed"]);
  });

  test("of a live worker lands, frees its slot and decides its job", async () => {
    const db = database();
    const { worker, batch } = await sentJobs(db, 3);
    const results = [
      answer(batch, 1),
      answer(batch, 2, { kind: "run-failed", final: false }),
      answer(batch, 3, { kind: "throttled", final: false }),
    ];
    expect(await settle(db, worker, results)).toEqual(["landed", "landed", "landed"]);
    expect(await remoteProgress(db, batch)).toMatchObject({ done: 1, services: [{ inFlight: 0 }] });
    const jobs = await db.query(
      "SELECT attempts, failures, outcome FROM tandem.job WHERE batch = $1 AND id <= 3 ORDER BY id",
      [batch],
    );
    expect(jobs).toEqual([
      { attempts: 1, failures: 0, outcome: "ok" },
      { attempts: 1, failures: 1, outcome: null },
      { attempts: 1, failures: 0, outcome: null },
    ]);
  });

  test("that is sent again, in the same call or another, is known and entered once", async () => {
    const db = database();
    const { worker, batch } = await sentJobs(db, 2);
    const both = [answer(batch, 1), answer(batch, 2)];
    // The answer of the first call is lost, and it may still be running when it is sent again.
    const landings = await Promise.all([
      settle(db, worker, both),
      settle(db, worker, both),
      settle(db, worker, both.toReversed()),
    ]);
    expect(landings.flat().toSorted()).toEqual([...Array(4).fill("known"), "landed", "landed"]);
    expect(await settle(db, worker, [answer(batch, 1), answer(batch, 1)])).toEqual(["known", "known"]);
    expect(await entered(db, batch)).toHaveLength(2);
    expect(await strays(db, batch)).toEqual([]);
  });

  test("of a worker that was held for dead lands while nobody has sent again", async () => {
    const db = database();
    const { worker, batch, service } = await sentJobs(db, 2, { concurrency: 2 });
    await die(db, worker);
    expect(await remoteDoubts(db, batch)).toMatchObject([{ job: 1, worker, workerName: "worker" }, { job: 2 }]);
    // Its slots are free, and nobody gets its jobs.
    expect(await remoteProgress(db, batch)).toMatchObject({ services: [{ inFlight: 0, inDoubt: 2 }] });
    const other = await newWorker(db);
    expect(await again(db, { worker: other, batch, service }, 1, 1)).toMatchObject({ granted: [], refused: [1] });
    expect(await again(db, { worker: other, batch, service }, 3, 1)).toMatchObject({ granted: [3] });
    expect(await settle(db, worker, [answer(batch, 1)])).toEqual(["landed"]);
    // A new start of that worker finds the result of its old one on its disk.
    expect(await settle(db, other, [answer(batch, 2)])).toEqual(["landed"]);
    expect(await remoteDoubts(db, batch)).toEqual([]);
  });

  test("that comes after its job was sent again is a stray: kept, and not counted", async () => {
    const db = database();
    const { worker: frozen, batch, service } = await sentJobs(db, 1, { inDoubt: "resend" });
    await die(db, frozen);
    const other = await newWorker(db);
    expect(await again(db, { worker: other, batch, service }, 1, 2)).toMatchObject({ granted: [1] });
    await beat(db, frozen);
    expect(await settle(db, frozen, [answer(batch, 1)])).toEqual(["stray"]);
    expect(await settle(db, frozen, [answer(batch, 1)])).toEqual(["stray"]);
    expect(await settle(db, other, [answer(batch, 1, { number: 2 })])).toEqual(["landed"]);
    expect(await entered(db, batch)).toEqual([
      { job: 1, number: 1, kind: "in-doubt", worker: null },
      { job: 1, number: 2, kind: "ok", worker: other },
    ]);
    expect(await strays(db, batch)).toMatchObject([{ job: 1, number: 1, worker: frozen, kind: "ok" }]);
    expect(await remoteProgress(db, batch)).toMatchObject({ done: 1 });
  });

  test("of another worker than the one that has the job, of another attempt, or of no job is a stray", async () => {
    const db = database();
    const { batch } = await sentJobs(db, 1);
    const other = await newWorker(db);
    const results = [answer(batch, 1), answer(batch, 1, { number: 2 }), answer(batch, 99), answer(987_654, 1)];
    expect(await settle(db, other, results)).toEqual(["stray", "stray", "stray", "stray"]);
    expect(await entered(db, batch)).toEqual([]);
    expect(await remoteProgress(db, batch)).toMatchObject({ done: 0, services: [{ inFlight: 1 }] });
  });

  test("of an attempt that was given up is a stray, also when the same worker has sent again", async () => {
    const db = database();
    const { worker, batch, service } = await sentJobs(db, 1, { inDoubt: "resend" });
    await die(db, worker);
    await beat(db, worker);
    expect(await again(db, { worker, batch, service }, 1, 2)).toMatchObject({ granted: [1] });
    expect(await settle(db, worker, [answer(batch, 1)])).toEqual(["stray"]);
    expect(await settle(db, worker, [answer(batch, 1, { number: 2 })])).toEqual(["landed"]);
  });

  test("of several batches lands in one call", async () => {
    const db = database();
    const { worker, batch } = await sentJobs(db, 1);
    const two = await runningBatch(db);
    await again(db, { ...two, worker }, 1, 1);
    expect(await settle(db, worker, [answer(two.batch, 1), answer(batch, 1), answer(two.batch, 2)])).toEqual([
      "landed",
      "landed",
      "stray",
    ]);
  });

  test("keeps its body byte by byte: 20 MB, zeros, halves of a pair and what is no text", async () => {
    const db = database();
    const { worker, batch } = await sentJobs(db, 4);
    const bodies = [Buffer.alloc(20 * 1024 * 1024, "tandem "), Buffer.from([0, 255, 254, 0]), Buffer.alloc(0), null];
    const entry = JSON.stringify({ error: "zero \0 and \uD800" });
    await settle(
      db,
      worker,
      bodies.map((body, index) => answer(batch, index + 1, { body, entry })),
    );
    const pulled: PulledAttempt[] = [];
    for (;;) {
      const page = await pullAttempts(db, batch, { limit: 100 });
      if (page.length === 0) break;
      // The large one comes alone.
      expect(page).toHaveLength(pulled.length === 0 ? 1 : 3);
      pulled.push(...page);
      await markPulled(db, batch, page);
    }
    expect(pulled.map(({ body }, index) => body?.equals(bodies[index] ?? Buffer.of(1)) ?? null)).toEqual([
      true,
      true,
      true,
      null,
    ]);
    expect(pulled.map(({ entry: text }) => text)).toEqual([entry, entry, entry, entry]);
    await skipRemoteJobs(db, batch, 6, "zero \0 and half \uD800 of a pair");
    expect(await pullSkipped(db, batch)).toEqual([{ job: 6, reason: "zero \u{FFFD} and half \u{FFFD} of a pair" }]);
  });
});

describe("a worker that gives no sign of life", () => {
  test("is held for dead by the database's clock; one that beats is not", async () => {
    const db = database();
    const { worker, batch } = await sentJobs(db, 1);
    const other = await newWorker(db, "alive");
    const [seen] = await db.query<{ ms: number }>(
      "SELECT tandem.now_ms() - seen_at AS ms FROM tandem.worker WHERE id = $1",
      [worker],
    );
    const silent = seen?.ms ?? 0;
    await reap(db, { deadAfterMs: silent + 60_000 });
    expect(await remoteDoubts(db, batch)).toEqual([]);
    await db.query("UPDATE tandem.worker SET seen_at = seen_at - 20000 WHERE id IN ($1, $2)", [worker, other]);
    const reported = await beat(db, other);
    expect(Math.abs((reported?.dbNow ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(await reap(db, { deadAfterMs: 15_000 })).toBe(1);
    const states = (await workersNow(db)).filter(({ id }) => [worker, other].includes(id));
    expect(states).toMatchObject([
      { name: "alive", state: "on", inDoubt: 0 },
      { name: "worker", state: "gone", inFlight: 0, inDoubt: 1 },
    ]);
    expect(await reap(db, { deadAfterMs: 15_000 })).toBe(0);
    // It comes back, and is one of those who are there again.
    expect(await beat(db, worker)).toMatchObject({ state: "on" });
    expect(await beat(db, randomUUID())).toBeNull();
  });

  test("leaves its jobs to the policy: kept by hold, sent again by resend, ended by fail", async () => {
    const db = database();
    const outcomes: Record<string, unknown> = {};
    for (const inDoubt of ["hold", "resend", "fail"] as const) {
      const { worker, batch } = await sentJobs(db, 1, { inDoubt });
      await die(db, worker);
      const [job] = await db.query("SELECT attempts, outcome FROM tandem.job WHERE batch = $1 AND id = 1", [batch]);
      outcomes[inDoubt] = [
        job,
        (await remoteDoubts(db, batch)).length,
        (await pullAttempts(db, batch, { limit: 10 })).map(({ kind, final, entry }) => [kind, final, entry]),
      ];
    }
    expect(outcomes).toEqual({
      hold: [{ attempts: 0, outcome: null }, 1, []],
      resend: [{ attempts: 1, outcome: null }, 0, [["in-doubt", false, null]]],
      fail: [{ attempts: 1, outcome: "in-doubt" }, 0, [["in-doubt", true, null]]],
    });
  });

  test("leaves a run that the service has taken to whoever gets its slice, in no doubt", async () => {
    const db = database();
    const { worker, batch } = await sentJobs(db, 2);
    const run = { id: "run-1", url: "https://service/run-1", createdAt: null };
    const taken = { jobId: 1, number: 1, queuedAt: 0, sentAt: 12.5, run };
    expect(await markTaken(db, worker, batch, taken)).toBe(true);
    // It is asked for, and takes up no slot of requests.
    expect(await remoteProgress(db, batch)).toMatchObject({ services: [{ inFlight: 1, atService: 1 }] });
    const other = await newWorker(db);
    // While its worker lives, nobody else asks.
    expect(await loadChunk(db, { batch, slice: 1, worker: other })).toMatchObject({ busy: [1, 2], taken: [] });
    await die(db, worker);
    const loaded = await loadChunk(db, { batch, slice: 1, worker: other });
    expect(loaded).toMatchObject({ busy: [], held: [2], taken: [{ jobId: 1, number: 1, run }] });
    expect(loaded?.jobs.map(({ id }) => id)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10]);
    // The old one comes back too late.
    expect(await markTaken(db, worker, batch, taken)).toBe(false);
    expect(await settle(db, worker, [answer(batch, 1)])).toEqual(["stray"]);
    expect(await settle(db, other, [answer(batch, 1)])).toEqual(["landed"]);
  });

  test("leaves jobs in doubt that somebody decides later, all or some", async () => {
    const db = database();
    const { worker, batch } = await sentJobs(db, 3, { jobs: 3 });
    await die(db, worker);
    expect(await endChunk(db, { batch, slice: 1 })).toBe(0);
    expect(await loadChunk(db, { batch, slice: 1, worker })).toBeNull();
    expect(await resolveDoubts(db, batch, { policy: "fail", jobs: [1] })).toEqual([1]);
    expect(await resolveDoubts(db, batch, { policy: "resend" })).toEqual([1]);
    expect(await resolveDoubts(db, batch, { policy: "resend" })).toEqual([]);
    const loaded = await loadChunk(db, { batch, slice: 1, worker: await newWorker(db) });
    expect(loaded?.jobs.map(({ id, attempts }) => [id, attempts])).toEqual([
      [2, 1],
      [3, 1],
    ]);
  });
});

describe("a conversation", () => {
  test("is skipped as a whole behind a turn without an answer, and pulled as one entry", async () => {
    const db = database();
    const { worker, batch } = await sentJobs(db, 1, { jobs: 6, turns: 3 });
    await settle(db, worker, [answer(batch, 1, { kind: "rejected" })]);
    expect(await skipRemoteJobs(db, batch, 2, "turn 1 had no answer")).toBe(2);
    expect(await skipRemoteJobs(db, batch, 2, "again")).toBe(0);
    expect(await pullSkipped(db, batch)).toEqual([{ job: 2, reason: "turn 1 had no answer" }]);
    expect(await remoteProgress(db, batch)).toMatchObject({ jobs: 6, done: 3 });
  });

  test("that a dead worker left between a failed turn and the skipping of the next is skipped by the next worker", async () => {
    const db = database();
    const { worker, batch } = await sentJobs(db, 1, { jobs: 6, turns: 3 });
    await settle(db, worker, [answer(batch, 1, { kind: "rejected" })]);
    const loaded = await loadChunk(db, { batch, slice: 1, worker: await newWorker(db) });
    expect(loaded?.jobs.map(({ id, waitsFor }) => [id, waitsFor])).toEqual([
      [4, null],
      [5, 4],
      [6, 5],
    ]);
    expect(await pullSkipped(db, batch)).toMatchObject([{ job: 2 }]);
  });

  test("goes on with the answers that its earlier turns had, from workers or from before the upload", async () => {
    const db = database();
    const worker = await newWorker(db);
    const { batch, service } = await runningBatch(db, { jobs: 3, turns: 3 });
    await again(db, { worker, batch, service }, 1, 1);
    await settle(db, worker, [answer(batch, 1, { body: Buffer.from('{"answer":"früher"}') })]);
    const before = await runningBatch(db, { jobs: 1, turns: 2, job: { outcome: "ok", record: '{"answer":"vorher"}' } });
    await db.query(
      "INSERT INTO tandem.job (batch, id, slice, target, case_id, input, repeat, turn, waits_for) VALUES ($1, 2, 1, 1, 2, 1, 1, 2, 1)",
      [before.batch],
    );
    const loaded = await loadChunk(db, { batch, slice: 1, worker });
    expect(loaded?.earlier).toEqual(
      new Map([[1, { input: '{"question":1}', record: '{"answer":"früher"}', waitsFor: null }]]),
    );
    const resumed = await loadChunk(db, { batch: before.batch, slice: 1, worker });
    expect(resumed?.jobs.map(({ id }) => id)).toEqual([2]);
    expect(resumed?.earlier.get(1)?.record).toBe('{"answer":"vorher"}');
  });

  test("of which a turn is in doubt keeps the rest of the slice from nothing", async () => {
    const db = database();
    const { worker, batch, service } = await sentJobs(db, 1, { jobs: 6, turns: 3 });
    await die(db, worker);
    const other = await newWorker(db);
    expect(await endChunk(db, { batch, slice: 1 })).toBe(3);
    for (const job of [4, 5, 6]) {
      await again(db, { worker: other, batch, service }, job, 1);
      await settle(db, other, [answer(batch, job)]);
    }
    expect(await endChunk(db, { batch, slice: 1 })).toBe(0);
    // An end of the turn in doubt ends those that wait for it.
    await resolveDoubts(db, batch, { policy: "fail" });
    expect(await remoteProgress(db, batch)).toMatchObject({ done: 6, openSlices: 0 });
  });
});

describe("the pull", () => {
  test("gives every attempt until it is marked, whatever happens between, in the order of jobs and numbers", async () => {
    const db = database();
    const { worker, batch, service } = await sentJobs(db, 3);
    await settle(db, worker, [
      answer(batch, 3),
      answer(batch, 1, { kind: "throttled", final: false }),
      answer(batch, 2),
    ]);
    await again(db, { worker, batch, service }, 1, 2);
    await settle(db, worker, [answer(batch, 1, { number: 2 })]);
    const page = await pullAttempts(db, batch, { limit: 3 });
    expect(page.map(({ job, number }) => [job, number])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
    ]);
    // The submitter dies between its own commit and the mark: all come again.
    expect(await pullAttempts(db, batch, { limit: 3 })).toEqual(page);
    await markPulled(db, batch, page);
    await markPulled(db, batch, page);
    expect((await pullAttempts(db, batch, { limit: 3 })).map(({ job }) => job)).toEqual([3]);
    expect(await remoteProgress(db, batch)).toMatchObject({ unpulled: true });
    await markPulled(db, batch, [{ job: 3, number: 1 }]);
    expect(await remoteProgress(db, batch)).toMatchObject({ unpulled: false });
  });

  test("is woken when something is settled, stopped or decided", async () => {
    const db = database();
    const { worker, batch } = await sentJobs(db, 1);
    let heard = 0;
    await db.listen(`tandem_b${batch}`, () => (heard += 1));
    await settle(db, worker, [answer(batch, 1)]);
    await expect.poll(() => heard).toBe(1);
  });
});

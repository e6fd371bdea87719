import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import { markTaken, settle, settleAndTake, type SettledAttempt } from "../../src/worker/postgres/settle.ts";
import { addService, setRemoteState } from "../../src/worker/postgres/submit.ts";
import { type Granted, giveBack, take } from "../../src/worker/postgres/take.ts";
import { remoteProgress } from "../../src/worker/postgres/watch.ts";
import { noteAskedRuns } from "../../src/worker/postgres/asked-runs.ts";
import { leaveWorker, reap } from "../../src/worker/postgres/workers.ts";
import { fileDatabase } from "../postgres.ts";
import { answer, type BookOptions, newWorker, runningBatch } from "./books.ts";

const database = fileDatabase(16);

/** A batch at a service of its own, and three workers that send it. */
async function threeWorkers(options: BookOptions = {}) {
  const db = database();
  const made = await runningBatch(db, { concurrency: 6, jobs: 40, ...options });
  const { batch, service } = made;
  const workers = [await newWorker(db, "one"), await newWorker(db, "two"), await newWorker(db, "three")] as const;
  const numbers = new Map<number, number>();
  const ask = async (worker: string, ...jobs: number[]): Promise<Granted> => {
    const asked = jobs.map((job) => ({ job, number: (numbers.get(job) ?? 0) + 1 }));
    return take(db, { worker, token: randomUUID(), batch, service, jobs: asked });
  };
  const end = async (worker: string, job: number, more: Partial<SettledAttempt>) => {
    const number = (numbers.get(job) ?? 0) + 1;
    numbers.set(job, number);
    return settle(db, worker, [answer(batch, job, { number, countsAsTry: false, ...more })]);
  };
  const sound = (worker: string, job: number) => end(worker, job, { answeredBy: "service" });
  const gateway = (worker: string, job: number, status = 502) =>
    end(worker, job, {
      kind: "ambiguous",
      final: false,
      countsAsTry: true,
      answeredBy: { gateway: status },
      body: null,
    });
  const row = async () =>
    (await db.query<Record<string, unknown>>("SELECT * FROM tandem.service WHERE id = $1", [service]))[0];
  /** The time of the next look, by the database's clock, is now. */
  const due = () => dueNow(db, service);
  return { db, ...made, workers, ask, end, sound, gateway, row, due };
}

const dueNow = (db: Postgres, service: number) =>
  db.query("UPDATE tandem.service SET next_look_at = tandem.now_ms() WHERE id = $1", [service]);

/** The next look is not due, however slow this machine is. */
const notYet = ({ db, service }: Pick<Awaited<ReturnType<typeof threeWorkers>>, "db" | "service">) =>
  db.query("UPDATE tandem.service SET next_look_at = tandem.now_ms() + 60000 WHERE id = $1", [service]);

/** One of three workers has sent six jobs and gateways answer them. */
async function away(options: BookOptions = {}) {
  const made = await threeWorkers(options);
  const [one] = made.workers;
  await made.ask(one, 30);
  await made.sound(one, 30);
  await delay(2);
  const { granted } = await made.ask(one, 1, 2, 3, 4, 5, 6);
  expect(granted).toHaveLength(6);
  for (const job of granted) await made.gateway(one, job);
  await notYet(made);
  return made;
}

describe("a service that is away, over workers", () => {
  test("is away for all of them, once gateways have answered in a row: one request looks for it when it is due", async () => {
    const made = await away();
    const { workers, ask, due, gateway, row } = made;
    const [one, two, three] = workers;
    expect(await row()).toMatchObject({ away_status: 502, looks: 0 });
    for (const worker of workers)
      expect(await ask(worker, 7, 8)).toMatchObject({ granted: [], refused: [], away: { status: 502 }, stopped: null });
    await due();
    const all = await Promise.all([ask(one, 7, 8), ask(two, 9, 10), ask(three, 11, 12)]);
    const granted = all.flatMap((told) => told.granted);
    expect(granted).toHaveLength(1);
    await due();
    expect((await ask(two, 13)).granted).toEqual([]);
    const prober = workers[all.findIndex((told) => told.granted.length > 0)] ?? one;
    await gateway(prober, granted[0] ?? 0, 504);
    expect(await row()).toMatchObject({ away_status: 504, looks: 1, probe_job: null });
    await notYet(made);
    expect((await ask(two, 13)).granted).toEqual([]);
  });

  test("is back with its own answer to a look: tries are given back twice a job, and half as many may be in flight", async () => {
    const { db, batch, workers, ask, due, sound, row, gateway } = await away();
    const [, two, three] = workers;
    const failures = async () =>
      await db.query<{ failures: number; given_back: number }>(
        "SELECT failures, given_back FROM tandem.job WHERE batch = $1 AND id IN (1, 2) ORDER BY id",
        [batch],
      );
    expect(await failures()).toEqual([1, 1].map(() => ({ failures: 1, given_back: 0 })));
    for (let times = 1; times <= 3; times++) {
      await due();
      expect((await ask(two, 20 + times)).granted).toEqual([20 + times]);
      await sound(two, 20 + times);
      expect(await row()).toMatchObject({ away_since: null, streak: 0, reason: "the service is back" });
      expect(await failures()).toEqual(
        [1, 2].map(() => ({ failures: times > 2 ? 1 : 0, given_back: Math.min(times, 2) })),
      );
      await delay(2);
      await db.query(
        "UPDATE tandem.service SET learned_concurrency = NULL WHERE id = (SELECT service FROM tandem.target WHERE batch = $1)",
        [batch],
      );
      await ask(three, 1, 2, 7, 8, 9, 10);
      for (const job of [1, 2, 7, 8, 9, 10]) await gateway(three, job);
    }
    const [outages] = await db.query<{ n: number }>(
      "SELECT count(*)::integer AS n FROM tandem.outage o JOIN tandem.target t ON t.service = o.service WHERE t.batch = $1",
      [batch],
    );
    expect(outages?.n).toBe(3);
  });

  test("lets half of the requests leave when it is back", async () => {
    const { workers, ask, due, sound } = await away();
    await due();
    await ask(workers[1], 20);
    await sound(workers[1], 20);
    const told = await ask(workers[2], 1, 2, 3, 4, 5, 6);
    expect([told.granted.length, told.concurrency, told.away]).toEqual([3, 3, null]);
  });

  test("is looked for by another when the worker that did has died: its turn ends with its doubt", async () => {
    const { db, workers, ask, due } = await away();
    const [, two, three] = workers;
    await due();
    expect((await ask(two, 20)).granted).toEqual([20]);
    await due();
    expect((await ask(three, 21)).granted).toEqual([]);
    await leaveWorker(db, two);
    expect(await reap(db, { deadAfterMs: 60_000 })).toBe(1);
    expect((await ask(three, 21)).granted).toEqual([21]);
  });

  test("is looked for by another when the one that had leave gave it back", async () => {
    const { db, batch, workers, ask, due } = await away();
    const [, two, three] = workers;
    await due();
    await ask(two, 20);
    await giveBack(db, { worker: two, batch, jobs: [{ job: 20, number: 1 }] });
    expect((await ask(three, 21)).granted).toEqual([21]);
  });

  test("keeps no place for answers of gateways from the second one on, and none is lost for a single one", async () => {
    const { workers, ask, gateway, sound, row } = await threeWorkers();
    const [one, two] = workers;
    await ask(one, 1, 2, 3, 4, 5, 6);
    await gateway(one, 1);
    expect((await ask(two, 7)).granted).toEqual([7]);
    await gateway(one, 2);
    expect(await ask(two, 8)).toMatchObject({ granted: [], isSuspect: true, away: null });
    await gateway(two, 7);
    expect(await ask(two, 8)).toMatchObject({ granted: [] });
    // What was sent before the first of them tells how the service was then.
    await sound(one, 3);
    expect(await row()).toMatchObject({ streak: 3, latest: 0 });
  });

  test("is not away for one stray answer in many, nor for one row that is always answered so", async () => {
    const { workers, ask, gateway, sound, row } = await threeWorkers();
    const [one, two] = workers;
    for (let round = 0; round < 8; round++) {
      expect((await ask(one, 1)).granted).toEqual([1]);
      await gateway(one, 1);
      await delay(2);
      expect((await ask(two, 10 + round)).granted).toEqual([10 + round]);
      await sound(two, 10 + round);
      expect(await row()).toMatchObject({ streak: 0, away_since: null });
      await delay(2);
    }
  });

  test("is given up by a batch that it has never answered after five looks, of which the first answers are some", async () => {
    const { db, batch, workers, ask, gateway, due, row } = await threeWorkers();
    const [one, two] = workers;
    let sent = 0;
    for (let tries = 0; tries < 9; tries++) {
      await due();
      const { granted } = await ask(tries % 2 === 0 ? one : two, 1);
      if (granted.length === 0) break;
      sent += 1;
      await gateway(tries % 2 === 0 ? one : two, 1);
    }
    expect([sent, await row()]).toMatchObject([5, { looks: 5 }]);
    expect((await ask(two, 2)).refused).toEqual([2]);
    const progress = await remoteProgress(db, batch);
    expect(progress?.stopped).toMatchObject([{ reason: expect.stringContaining("a gateway answered 502") }]);
  });

  test("is waited for as long as the suite says, and once more at the end of that time", async () => {
    const made = await away();
    const { db, batch, service, workers, ask, gateway, name } = made;
    const [row] = await db.query<{ name: string }>("SELECT name FROM tandem.service WHERE id = $1", [service]);
    await addService(db, batch, { name: row?.name ?? name, concurrency: 6, rate: null, patienceMs: 400 });
    expect((await ask(workers[1], 20)).granted).toEqual([]);
    await delay(450);
    const last = await ask(workers[1], 20);
    expect(last).toMatchObject({ granted: [20], refused: [] });
    await gateway(workers[1], 20);
    expect(await ask(workers[2], 21)).toMatchObject({ granted: [], refused: [21], stoppedTargets: [1] });
  });

  test("that was given up is looked for at once by the batch that comes next", async () => {
    const { db, batch, service, workers, ask, gateway, due } = await threeWorkers();
    for (let tries = 0; tries < 5; tries++) {
      await due();
      await ask(workers[0], 1);
      await gateway(workers[0], 1);
    }
    await ask(workers[0], 1);
    await setRemoteState(db, batch, "stopped");
    const [row] = await db.query<{ name: string }>("SELECT name FROM tandem.service WHERE id = $1", [service]);
    const next = await runningBatch(db, { service: row?.name ?? "", jobs: 4 });
    await due();
    const told = await take(db, {
      worker: workers[1],
      token: "next",
      batch: next.batch,
      service,
      jobs: [{ job: 1, number: 1 }],
    });
    expect(told).toMatchObject({ granted: [1], refused: [] });
  });

  test("is understood where an older worker sends, which tells nobody who answered", async () => {
    const { workers, ask, due, end, row } = await away();
    await due();
    await ask(workers[1], 20);
    await end(workers[1], 20, { kind: "ambiguous", final: false });
    expect(await row()).toMatchObject({ looks: 0, probe_job: null });
    await due();
    expect((await ask(workers[1], 21)).granted).toEqual([21]);
    await end(workers[1], 21, {});
    expect(await row()).toMatchObject({ away_since: null });
  });

  test.each([[false], [true]])("locks nobody out, with budgets too (%s)", async (hasBudget) => {
    const budget = { requests: hasBudget ? 10_000 : null, failures: null, cost: null, durationMs: null };
    const { db, batch, service, workers, due } = await threeWorkers({ jobs: 60, budget });
    let turn = 0;
    const numbers = Array.from({ length: 61 }, () => 0);
    const isOpen = Array.from({ length: 61 }, () => true);
    await Promise.all(
      workers.map(async (worker, at) => {
        for (let round = 0; round < 60; round++) {
          const own = numbers.map((_, job) => job).filter((job) => job > 0 && job % 3 === at && isOpen[job] === true);
          const asked = own.slice(0, 4).map((job) => ({ job, number: (numbers[job] ?? 0) + 1 }));
          const { granted } = await take(db, { worker, token: randomUUID(), batch, service, jobs: asked });
          const results = granted.map((job) => {
            const isSound = (turn += 1) % 7 < 3;
            numbers[job] = (numbers[job] ?? 0) + 1;
            isOpen[job] = !isSound;
            const number = numbers[job] ?? 0;
            const kind = isSound ? ("ok" as const) : ("ambiguous" as const);
            const answeredBy = isSound ? ("service" as const) : { gateway: 502 };
            return answer(batch, job, { number, kind, final: isSound, countsAsTry: !isSound, answeredBy });
          });
          await due();
          if (results.length === 0) continue;
          const both = await settleAndTake(db, results, { worker, token: randomUUID(), batch, service, jobs: [] });
          expect(both.landings.every((landing) => landing === "landed")).toBe(true);
        }
      }),
    );
    const progress = await remoteProgress(db, batch);
    expect(progress?.done).toBe(isOpen.filter((open) => !open).length);
  });
});

/** A service that has taken runs of jobs 1 to 4 from the first worker and of 5 from the second. */
async function withRuns(options: BookOptions = {}) {
  const made = await threeWorkers(options);
  const { db, batch, service, workers, ask } = made;
  const [one, two] = workers;
  const taken = async (worker: string, ...jobs: number[]): Promise<void> => {
    await ask(worker, ...jobs);
    for (const jobId of jobs) {
      const run = { id: `run${jobId}`, url: null, createdAt: null };
      await markTaken(db, worker, batch, { jobId, number: 1, queuedAt: 0, sentAt: 0, run });
    }
  };
  await taken(one, 1, 2, 3, 4);
  await taken(two, 5);
  await delay(2);
  const inVain = (worker: string, ...jobs: number[]) => {
    const gateway = jobs.map((job) => ({ job, askedAt: Date.now() }));
    return noteAskedRuns(db, { worker, batch, service }, { soundAt: null, gateway, status: 502 });
  };
  const found = (worker: string, soundAt = Date.now()) =>
    noteAskedRuns(db, { worker, batch, service }, { soundAt, gateway: [], status: null });
  return { ...made, one, two, inVain, found };
}

describe("questions for runs, over workers", () => {
  test("tell that a service is away, and a request looks for it where nobody asks any more", async () => {
    const { db, service, two, ask, inVain, due } = await withRuns();
    expect(await inVain(two, 5)).toMatchObject({ isSuspect: false, away: null });
    expect(await inVain(two, 5)).toMatchObject({ isSuspect: true, away: { status: 502, isGivenUp: false } });
    await due();
    expect((await ask(two, 10)).granted).toEqual([]);
    await db.query("UPDATE tandem.service SET asked_at = 0 WHERE id = $1", [service]);
    expect((await ask(two, 10)).granted).toEqual([10]);
  });

  test("find it again, and are no tries of their jobs", async () => {
    const { db, batch, one, two, ask, inVain, found, row } = await withRuns();
    await inVain(one, 1, 2, 3);
    expect((await ask(two, 10)).away).toMatchObject({ status: 502 });
    await delay(2);
    expect(await found(two)).toMatchObject({ isSuspect: false, away: null });
    expect(await row()).toMatchObject({ away_since: null, streak: 0 });
    expect(await db.query("SELECT FROM tandem.job WHERE batch = $1 AND given_back > 0", [batch])).toEqual([]);
    expect((await ask(two, 10)).granted).toEqual([10]);
  });

  test("that were asked before the first answer of a gateway find nothing", async () => {
    const { one, two, inVain, found, row } = await withRuns();
    const before = Date.now() - 1_000;
    await inVain(one, 1, 2, 3);
    expect(await found(two, before)).toMatchObject({ away: { status: 502 } });
    expect(await row()).toMatchObject({ streak: 3 });
  });

  test("count for the worker alone whose runs they are, and no time to come", async () => {
    const { db, batch, service, one, two, inVain, found, row } = await withRuns();
    await inVain(two, 1, 2, 3, 4);
    expect(await row()).toMatchObject({ streak: 0 });
    await inVain(one, 1, 2, 3);
    const stranger = { worker: randomUUID(), batch, service };
    await noteAskedRuns(db, stranger, { soundAt: Date.now() + 1_000, gateway: [], status: null });
    expect(await row()).toMatchObject({ streak: 3 });
    await found(two, Date.now() + 3_600_000);
    const { sound_sent: soundAt } = (await row()) ?? {};
    expect(Number(soundAt)).toBeLessThan(Date.now() + 60_000);
    await delay(2);
    await inVain(one, 1, 2);
    expect(await row()).toMatchObject({ streak: 2, away_status: 502 });
  });

  test("give it up after as long as the suite says, also where nobody asks for leave", async () => {
    const { db, batch, service, one, inVain, name } = await withRuns();
    const [row] = await db.query<{ name: string }>("SELECT name FROM tandem.service WHERE id = $1", [service]);
    await addService(db, batch, { name: row?.name ?? name, concurrency: 6, rate: null, patienceMs: 200 });
    await inVain(one, 1, 2, 3);
    await delay(250);
    expect(await inVain(one, 1)).toMatchObject({ away: { isGivenUp: true } });
    const progress = await remoteProgress(db, batch);
    expect(progress?.stopped).toMatchObject([{ reason: expect.stringContaining("a gateway answered 502") }]);
  });

  test("of a service that has taken runs and never ended one are waited for as by one that has answered", async () => {
    const { db, batch, one, inVain, due } = await withRuns();
    for (let times = 0; times < 8; times += 1) {
      await due();
      await inVain(one, 1, 2);
    }
    expect((await remoteProgress(db, batch))?.stopped).toEqual([]);
  });
});

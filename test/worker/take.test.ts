import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import { learn } from "../../src/worker/postgres/learned.ts";
import { settle, settleAndTake, skipRemoteJobs, stopTarget } from "../../src/worker/postgres/settle.ts";
import { endChunk } from "../../src/worker/postgres/chunk.ts";
import { removeRemoteBatch, setRemoteState } from "../../src/worker/postgres/submit.ts";
import { giveBack, take } from "../../src/worker/postgres/take.ts";
import { remoteProgress, setWorkerState } from "../../src/worker/postgres/watch.ts";
import { beat, leaveWorker, reap } from "../../src/worker/postgres/workers.ts";
import { fileDatabase } from "../postgres.ts";
import { often } from "../often.ts";
import { answer, newWorker, runningBatch } from "./books.ts";

const database = fileDatabase(16);

const asked = (...jobs: number[]) => jobs.map((job) => ({ job, number: 1 }));
const span = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_none, index) => from + index);

/** A take with a token of its own. */
const ask = (db: Postgres, at: { worker: string; batch: number; service: number }, ...jobs: number[]) =>
  take(db, { ...at, token: randomUUID(), jobs: asked(...jobs) });

describe("one who takes", () => {
  test("gets the first of the jobs that are asked for, as many as may be in flight", async () => {
    const db = database();
    const worker = await newWorker(db);
    const { batch, service } = await runningBatch(db, { concurrency: 2 });
    const at = { worker, batch, service };
    const first = await ask(db, at, 3, 1, 2);
    expect(first).toMatchObject({ granted: [3, 1], refused: [], stopped: null, concurrency: 2, worker: "on" });
    const second = await ask(db, at, 2);
    expect(second).toMatchObject({ granted: [], refused: [] });
    expect(second.waitMs).toBeGreaterThan(0);
    expect(await settle(db, worker, [answer(batch, 1)])).toEqual(["landed"]);
    // No more are looked at than may leave; with a place left, the others are.
    expect(await ask(db, at, 2, 1)).toMatchObject({ granted: [2], refused: [] });
    await settle(db, worker, [answer(batch, 2)]);
    expect(await ask(db, at, 1)).toMatchObject({ granted: [], refused: [1], waitMs: 0 });
  });

  test("gets the same grants when the same call is sent again, and counts them once", async () => {
    const db = database();
    const worker = await newWorker(db);
    const budget = { requests: 100, failures: null, cost: null, durationMs: null };
    const { batch, service } = await runningBatch(db, { concurrency: 3, budget });
    const call = { worker, token: "once", batch, service, jobs: asked(1, 2, 3, 4) };
    // The answer of the first is lost, and it may still be running when it is sent again.
    const answers = await Promise.all([take(db, call), take(db, call), take(db, call)]);
    for (const { granted } of answers) expect(granted).toEqual([1, 2, 3]);
    expect(await remoteProgress(db, batch)).toMatchObject({ spent: { requests: 3 }, services: [{ inFlight: 3 }] });
  });

  test("is refused what another has, what is over, and what is of another attempt", async () => {
    const db = database();
    const [one, two] = [await newWorker(db), await newWorker(db)];
    const { batch, service } = await runningBatch(db, { concurrency: 8 });
    await ask(db, { worker: one, batch, service }, 1, 2);
    await settle(db, one, [answer(batch, 2)]);
    const jobs = [...asked(1, 2, 3), { job: 4, number: 2 }, { job: 99, number: 1 }];
    const got = await take(db, { worker: two, token: "a", batch, service, jobs });
    expect(got.granted).toEqual([3]);
    expect(got.refused.toSorted((a, b) => a - b)).toEqual([1, 2, 4, 99]);
  });

  test("gets nothing while the service has asked for a pause, from whomever", async () => {
    const db = database();
    const { batch, service } = await runningBatch(db);
    const at = { worker: await newWorker(db), batch, service };
    await learn(db, service, { pausedMs: 60_000, reason: "throttled" });
    // A shorter pause does not shorten it.
    await learn(db, service, { pausedMs: 10, reason: "throttled" });
    const got = await ask(db, at, 1);
    expect(got.granted).toEqual([]);
    expect(got.waitMs).toBeGreaterThan(50_000);
    expect(got.pausedMs).toBe(got.waitMs);
  });

  test("gets nothing when it is paused, draining or held for dead, and is told so", async () => {
    const db = database();
    const { batch, service } = await runningBatch(db);
    const worker = await newWorker(db);
    const at = { worker, batch, service };
    for (const state of ["paused", "draining"] as const) {
      await setWorkerState(db, worker, state);
      expect(await ask(db, at, 1)).toMatchObject({ granted: [], refused: [], worker: state });
      expect(await beat(db, worker)).toMatchObject({ state });
    }
    await setWorkerState(db, worker, "on");
    await leaveWorker(db, worker);
    expect(await ask(db, at, 1)).toMatchObject({ granted: [], worker: "gone" });
    await beat(db, worker);
    expect(await ask(db, at, 1)).toMatchObject({ granted: [1], worker: "on" });
  });

  test("gets nothing of a batch that is uploading or has ended, and nothing for a target that is stopped", async () => {
    const db = database();
    const { batch, service } = await runningBatch(db);
    const at = { worker: await newWorker(db), batch, service };
    await setRemoteState(db, batch, "uploading");
    expect(await ask(db, at, 1)).toMatchObject({ granted: [], stopped: null, waitMs: 1000 });
    await setRemoteState(db, batch, "stopped", "by hand");
    expect(await ask(db, at, 1)).toMatchObject({ granted: [], stopped: "by hand" });
    await setRemoteState(db, batch, "running");
    await stopTarget(db, batch, 1, "no such bot");
    await stopTarget(db, batch, 1, "later");
    expect(await ask(db, at, 1)).toMatchObject({ granted: [], refused: [1], stoppedTargets: [1], stopped: null });
    expect(await remoteProgress(db, batch)).toMatchObject({ stopped: [{ target: 1, reason: "no such bot" }] });
  });

  test("keeps a budget of more requests than fit into four bytes", async () => {
    const db = database();
    const budget = { requests: 3_000_000_000, failures: 3_000_000_000, cost: null, durationMs: null };
    const { batch, service } = await runningBatch(db, { budget });
    expect((await ask(db, { worker: await newWorker(db), batch, service }, 1)).granted).toEqual([1]);
  });

  test("ends for a batch that was removed meanwhile, and not for the worker", async () => {
    const db = database();
    const { batch, service } = await runningBatch(db, {
      budget: { requests: 5, failures: null, cost: null, durationMs: null },
    });
    const at = { worker: await newWorker(db), batch, service };
    expect(await ask(db, at, 1)).toMatchObject({ granted: [1] });
    await removeRemoteBatch(db, batch);
    expect(await ask(db, at, 2)).toMatchObject({
      granted: [],
      refused: [],
      stopped: "it was removed from the workers",
    });
    expect(await settle(db, at.worker, [answer(batch, 1)])).toEqual(["stray"]);
    expect(await giveBack(db, { worker: at.worker, batch, jobs: asked(1) })).toEqual([]);
    expect(await skipRemoteJobs(db, batch, 1, "why")).toBe(0);
    await stopTarget(db, batch, 1, "why");
    expect(await endChunk(db, { batch, slice: 1 })).toBe(0);
    for (const table of ["stray", "attempt", "unpulled", "sending", "skipped", "job"])
      expect(await db.query(`SELECT FROM tandem.${table} WHERE batch = $1`, [batch]), table).toHaveLength(0);
  });

  test("gives back what has not left, and takes it again under the same number", async () => {
    const db = database();
    const [worker, other] = [await newWorker(db), await newWorker(db)];
    const budget = { requests: 5, failures: null, cost: null, durationMs: null };
    const { batch, service } = await runningBatch(db, { budget });
    const at = { worker, batch, service };
    await ask(db, at, 1, 2);
    expect(await giveBack(db, { worker: other, batch, jobs: asked(1) })).toEqual([]);
    expect(await giveBack(db, { worker, batch, jobs: asked(1, 3) })).toEqual([1]);
    expect(await remoteProgress(db, batch)).toMatchObject({ spent: { requests: 1 } });
    expect(await ask(db, { ...at, worker: other }, 1)).toMatchObject({ granted: [1] });
  });
});

describe("a statement that arrives when its sender has gone on", () => {
  test("neither takes what nobody would know of nor gives back what has left meanwhile", async () => {
    const db = database();
    const worker = await newWorker(db);
    const { batch, service } = await runningBatch(db);
    const at = { worker, batch, service };
    const first = await take(db, { ...at, token: "first", jobs: asked(1), until: Date.now() + 20_000 });
    expect(first.granted).toEqual([1]);
    const until = first.dbNow - 1;
    expect(await giveBack(db, { worker, batch, jobs: asked(1), until: Date.now() + 20_000 })).toEqual([1]);
    const late = take(db, { ...at, token: "first", jobs: asked(1), until });
    await expect(late).rejects.toMatchObject({ code: "WORKERS_UNREACHABLE" });
    expect((await take(db, { ...at, token: "second", jobs: asked(1) })).granted).toEqual([1]);
    const lateBack = giveBack(db, { worker, batch, jobs: asked(1), until });
    await expect(lateBack).rejects.toMatchObject({ code: "WORKERS_UNREACHABLE" });
    expect(await settle(db, worker, [answer(batch, 1)])).toEqual(["landed"]);
  });
});

describe("one who comes back from the dead", () => {
  test("gives back what is in doubt of a call whose answer it never had, and nothing of another call", async () => {
    const db = database();
    const worker = await newWorker(db);
    const { batch, service } = await runningBatch(db);
    const at = { worker, batch, service };
    await take(db, { ...at, token: "lost", jobs: asked(1, 2) });
    await take(db, { ...at, token: "sent", jobs: asked(3) });
    await leaveWorker(db, worker);
    expect(await reap(db, { deadAfterMs: 60_000 })).toBe(3);
    await beat(db, worker);
    expect(await take(db, { ...at, token: "lost", jobs: asked(1, 2) })).toMatchObject({ granted: [], refused: [1, 2] });
    expect(await giveBack(db, { worker, batch, jobs: asked(1, 2, 3), token: "lost" })).toEqual([1, 2]);
    expect((await remoteProgress(db, batch))?.services).toMatchObject([{ inFlight: 0, inDoubt: 1 }]);
    expect((await ask(db, at, 1, 2, 3)).granted).toEqual([1, 2]);
  });
});

describe("the limits over all who take", () => {
  test("two batches of one service share the tightest limit, and have even parts of it", async () => {
    const db = database();
    const worker = await newWorker(db);
    const one = await runningBatch(db, { concurrency: 4, service: "shared" });
    const two = await runningBatch(db, { concurrency: 10, service: "shared" });
    expect(two.service).toBe(one.service);
    // While only one asks, it has all.
    const first = await ask(db, { ...two, worker }, ...span(1, 10));
    expect(first).toMatchObject({ granted: [1, 2, 3, 4], concurrency: 4 });
    expect((await ask(db, { ...one, worker }, 1)).granted).toEqual([]);
    await settle(
      db,
      worker,
      span(1, 3).map((job) => answer(two.batch, job)),
    );
    // Both ask now: three are free, and two of four are this one's part.
    expect((await ask(db, { ...one, worker }, ...span(1, 10))).granted).toEqual([1, 2]);
    expect((await ask(db, { ...two, worker }, ...span(5, 10))).granted).toEqual([5]);
    expect((await ask(db, { ...two, worker }, 6)).granted).toEqual([]);
  });

  test("two workers have even parts of a service, and one has what the other does not want", async () => {
    const db = database();
    const [one, two] = [await newWorker(db), await newWorker(db)];
    const at = await runningBatch(db, { jobs: 400, concurrency: 100 });
    // While only one asks, it has all.
    expect((await ask(db, { ...at, worker: one }, ...span(1, 200))).granted).toEqual(span(1, 100));
    expect((await ask(db, { ...at, worker: two }, ...span(201, 220))).granted).toEqual([]);
    const settled = (worker: string, from: number, to: number) =>
      settle(
        db,
        worker,
        span(from, to).map((job) => answer(at.batch, job)),
      );
    await settled(one, 1, 40);
    // The other wants 20: 80 are left of this one, and it has 60.
    expect((await ask(db, { ...at, worker: one }, ...span(101, 200))).granted).toEqual(span(101, 120));
    expect((await ask(db, { ...at, worker: two }, ...span(201, 220))).granted).toEqual(span(201, 220));
    // It wants more now, and none is free until the first gives way to half of them.
    expect((await ask(db, { ...at, worker: two }, ...span(221, 400))).granted).toEqual([]);
    await settled(one, 41, 80);
    expect((await ask(db, { ...at, worker: one }, ...span(121, 200))).granted).toEqual(span(121, 130));
    expect((await ask(db, { ...at, worker: two }, ...span(221, 400))).granted).toEqual(span(221, 250));
    // One that has not asked for two seconds wants nothing.
    await db.query("UPDATE tandem.asking SET asked_at = asked_at - 3000 WHERE worker = $1", [one]);
    await settled(one, 81, 130);
    expect((await ask(db, { ...at, worker: two }, ...span(251, 400))).granted).toEqual(span(251, 300));
  });

  test("who enters results gets the places that become free in the same commit, and once however often it is sent", async () => {
    const db = database();
    const worker = await newWorker(db);
    for (const requests of [null, 6]) {
      const budget = { requests, failures: null, cost: null, durationMs: null };
      const at = await runningBatch(db, { jobs: 10, concurrency: 3, budget });
      await ask(db, { ...at, worker }, 3, 1, 2);
      const request = { ...at, worker, token: "both", jobs: asked(4, 5, 6) };
      const results = [answer(at.batch, 2), answer(at.batch, 9), answer(at.batch, 1)];
      const first = await settleAndTake(db, results, request);
      expect(first).toMatchObject({ landings: ["landed", "stray", "landed"], told: { granted: [4, 5] } });
      const again = await settleAndTake(db, results, request);
      expect(again).toMatchObject({ landings: ["known", "stray", "known"], told: { granted: [4, 5] } });
      expect((await ask(db, { ...at, worker }, 7)).granted).toEqual([]);
      // Of a budget of six one is left, though two places are free.
      const end = await settleAndTake(db, [answer(at.batch, 5), answer(at.batch, 4)], {
        ...request,
        token: "next",
        jobs: asked(6, 7),
      });
      expect(end.told.granted).toEqual(requests === null ? [6, 7] : [6]);
    }
  });

  test("a batch that has ended limits nobody any longer", async () => {
    const db = database();
    const worker = await newWorker(db);
    const one = await runningBatch(db, { concurrency: 1, service: "ended" });
    const two = await runningBatch(db, { concurrency: 3, service: "ended" });
    await setRemoteState(db, one.batch, "finished");
    expect((await ask(db, { ...two, worker }, ...span(1, 10))).granted).toEqual([1, 2, 3]);
  });

  test("a cut counts once a second, growth is by one, and the configuration is never passed", async () => {
    const db = database();
    const { service } = await runningBatch(db, { concurrency: 8 });
    // Nothing was cut: there is nothing to grow from.
    expect(await learn(db, service, { concurrency: 9, reason: "recovering" })).toMatchObject({ concurrency: 8 });
    // Three workers hear of the same overload.
    for (const concurrency of [4, 2, 1])
      expect(await learn(db, service, { concurrency, reason: "throttled" })).toMatchObject({ concurrency: 4 });
    expect(await learn(db, service, { concurrency: 8, reason: "recovering" })).toMatchObject({ concurrency: 5 });
    for (const expected of [6, 7, 8, 8])
      expect(await learn(db, service, { concurrency: 9, reason: "recovering" })).toMatchObject({
        concurrency: expected,
      });
    await delay(1_010);
    expect(await learn(db, service, { concurrency: 2, reason: "throttled" })).toMatchObject({ concurrency: 2 });
  });

  test("a rate that was learned holds beside the configured one, and becomes only tighter", async () => {
    const db = database();
    const { batch, service } = await runningBatch(db, { concurrency: 10, rate: { count: 100, windowMs: 1_000 } });
    const at = { worker: await newWorker(db), batch, service };
    await learn(db, service, { rate: { count: 3, windowMs: 60_000 }, reason: "stated" });
    await learn(db, service, { rate: { count: 30, windowMs: 60_000 }, reason: "stated" });
    const got = await ask(db, at, ...span(1, 10));
    expect(got).toMatchObject({ granted: [1, 2, 3], rate: { count: 3, windowMs: 60_000 } });
    const more = await ask(db, at, ...span(4, 10));
    expect(more.granted).toEqual([]);
    expect(more.waitMs).toBeGreaterThan(58_000);
  });

  test("a new batch finds out anew what a service takes; one that goes on, or begins beside another, does not", async () => {
    const db = database();
    const one = await runningBatch(db, { concurrency: 8, service: "taught" });
    const rate = { count: 3, windowMs: 60_000 };
    await learn(db, one.service, { concurrency: 2, rate, reason: "throttled" });
    await setRemoteState(db, one.batch, "stopped");
    await setRemoteState(db, one.batch, "running");
    expect(await learn(db, one.service, { reason: "look" })).toMatchObject({ concurrency: 2, rate });
    await runningBatch(db, { concurrency: 8, service: "taught" }).then(({ batch }) =>
      setRemoteState(db, batch, "finished"),
    );
    expect(await learn(db, one.service, { reason: "look" })).toMatchObject({ concurrency: 2, rate });
    await setRemoteState(db, one.batch, "finished");
    await runningBatch(db, { concurrency: 8, service: "taught" });
    expect(await learn(db, one.service, { reason: "look" })).toMatchObject({ concurrency: 8, rate: null });
  });

  test("a rate of many in a long window is kept by fewer in a part of it", async () => {
    const db = database();
    const { batch, service } = await runningBatch(db, {
      jobs: 3_000,
      concurrency: 5_000,
      rate: { count: 64_000, windowMs: 3_600_000 },
    });
    const got = await ask(db, { worker: await newWorker(db), batch, service }, ...span(1, 3_000));
    expect(got.granted).toHaveLength(2_000);
  });
});

describe("budgets over all who take", () => {
  const budget = { requests: null, failures: null, cost: null, durationMs: null };

  test("no more requests leave than --budget, and those that were not used up come back", async () => {
    const db = database();
    const { batch, service } = await runningBatch(db, { budget: { ...budget, requests: 3 } });
    const worker = await newWorker(db);
    const at = { worker, batch, service };
    expect((await ask(db, at, 1, 2)).granted).toEqual([1, 2]);
    expect((await ask(db, at, 3, 4)).granted).toEqual([3]);
    // Those in flight may still come back.
    expect(await ask(db, at, 4)).toMatchObject({ granted: [], stopped: null, waitMs: 200 });
    await settle(db, worker, [answer(batch, 1, { kind: "throttled", final: false, spent: false }), answer(batch, 2)]);
    expect((await ask(db, at, 4, 5)).granted).toEqual([4]);
    await settle(db, worker, [answer(batch, 3), answer(batch, 4)]);
    expect(await ask(db, at, 5)).toMatchObject({ granted: [], stopped: "3 requests are spent (--budget)" });
    expect(await remoteProgress(db, batch)).toMatchObject({
      state: "stopping",
      reason: "3 requests are spent (--budget)",
    });
  });

  test("failures, cost and time end a batch for all workers, in the words of one machine", async () => {
    const db = database();
    const worker = await newWorker(db);
    const cases = [
      {
        limits: { failures: 1 },
        result: { kind: "ambiguous" as const, failure: true },
        reason: "1 jobs failed (--max-failures 1)",
      },
      { limits: { cost: 0.3 }, result: { cost: 0.30000001 }, reason: "0.3 is spent (--max-cost 0.3)" },
      {
        limits: { cost: 1 },
        result: { costUnknown: true },
        reason: "a reply did not tell the tokens by which it costs, so --max-cost cannot be kept",
      },
      { limits: { durationMs: 1 }, result: {}, reason: "the time is used up (--max-duration)" },
    ];
    for (const { limits, result, reason } of cases) {
      const { batch, service } = await runningBatch(db, { budget: { ...budget, ...limits }, service: reason });
      if (!("durationMs" in limits)) {
        expect((await ask(db, { worker, batch, service }, 1)).granted).toEqual([1]);
        await settle(db, worker, [answer(batch, 1, result)]);
      } else await delay(5);
      expect(await ask(db, { worker, batch, service }, 2)).toMatchObject({ granted: [], stopped: reason });
    }
  });
});

/** The most that lie in any window of so many milliseconds. */
function mostIn(times: readonly number[], windowMs: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.max(...sorted.map((from, index) => sorted.slice(index).filter((at) => at < from + windowMs).length));
}

describe("many connections at once", () => {
  test("never have more in flight than the limit, lose no job and send none twice, while workers die", async () => {
    const db = database();
    const jobs = often(150, 3_000);
    const { batch, service } = await runningBatch(db, { jobs, concurrency: 7, inDoubt: "resend" });
    const open = new Map(span(1, jobs).map((job) => [job, 1]));
    const sent = new Map<string, number>();
    let watched = 0;
    let most = 0;
    const watch = async (): Promise<void> => {
      const [row] = await db.query<{ count: number }>(
        "SELECT count(*) FROM tandem.sending WHERE service = $1 AND doubt_since IS NULL",
        [service],
      );
      watched += 1;
      most = Math.max(most, row?.count ?? 0);
    };
    const drive = async (): Promise<void> => {
      let worker = await newWorker(db);
      while (open.size > 0) {
        const wanted = [...open].slice(0, 20).map(([job, number]) => ({ job, number }));
        const { granted } = await take(db, {
          worker,
          token: randomUUID(),
          batch,
          service,
          jobs: wanted.toSorted(() => Math.random() - 0.5),
        });
        const numbers = new Map(wanted.map(({ job, number }) => [job, number]));
        for (const job of granted)
          sent.set(`${job}/${numbers.get(job)}`, (sent.get(`${job}/${numbers.get(job)}`) ?? 0) + 1);
        if (Math.random() < 0.05) {
          // It dies, and what it had in flight is entered as in doubt: its number goes up.
          await leaveWorker(db, worker);
          await reap(db, { deadAfterMs: 60_000 });
          for (const job of granted) if (open.has(job)) open.set(job, (numbers.get(job) ?? 0) + 1);
          worker = await newWorker(db);
        } else {
          const results = granted.map((job) =>
            answer(batch, job, { number: numbers.get(job) ?? 0, final: Math.random() < 0.8 }),
          );
          const landed = await settle(db, worker, results);
          expect(new Set(landed)).toEqual(new Set(granted.length === 0 ? [] : ["landed"]));
          for (const { job, number, final } of results) {
            open.delete(job);
            if (!final) open.set(job, number + 1);
          }
        }
        if (granted.length === 0) await delay(2);
      }
    };
    const watching = { goesOn: true };
    const watcher = (async () => {
      while (watching.goesOn) await watch();
    })();
    await Promise.all(span(1, 12).map(drive));
    watching.goesOn = false;
    await watcher;
    expect(watched).toBeGreaterThan(20);
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThanOrEqual(7);
    expect([...sent].filter(([, times]) => times > 1)).toEqual([]);
    expect(await remoteProgress(db, batch)).toMatchObject({
      jobs,
      done: jobs,
      services: [{ inFlight: 0, inDoubt: 0 }],
    });
  });

  test("never take more than the rate lets through in any window, and not much less", async () => {
    const db = database();
    const rate = { count: 20, windowMs: 400 };
    const { batch, service } = await runningBatch(db, { jobs: 200, concurrency: 500, rate });
    const times: number[] = [];
    const open = new Set(span(1, often(60, 200)));
    await Promise.all(
      span(1, 10).map(async () => {
        const worker = await newWorker(db);
        while (open.size > 0) {
          const { granted, refused, waitMs, dbNow } = await ask(
            db,
            { worker, batch, service },
            ...[...open].slice(0, 20),
          );
          for (const job of granted) times.push((open.delete(job), dbNow));
          for (const job of refused) open.delete(job);
          await delay(Math.min(waitMs, 50));
        }
      }),
    );
    expect(times).toHaveLength(often(60, 200));
    expect(mostIn(times, rate.windowMs)).toBeLessThanOrEqual(rate.count);
    expect(mostIn(times, rate.windowMs)).toBeGreaterThanOrEqual(rate.count * 0.7);
  });

  test.each([
    ["a batch", (db: Postgres, batch: number) => setRemoteState(db, batch, "stopped")],
    ["a target", (db: Postgres, batch: number) => stopTarget(db, batch, 1, "stopped")],
  ])(
    "have nothing on its way that is not seen when %s has been stopped: it waits for who saw it run",
    async (what, stop) => {
      const db = database();
      const { batch, service } = await runningBatch(db);
      const worker = await newWorker(db);
      const order: string[] = [];
      const stopping = await db.transaction(async (within) => {
        await within.query("SELECT tandem.take($1, 'slow', $2, $3, '{1}', '{1}')", [worker, batch, service]);
        const stopped = stop(db, batch).then(() => order.push("stopped"));
        await expect
          .poll(() =>
            db.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = $1", [batch]),
          )
          .toHaveLength(1);
        order.push("granted");
        return { stopped };
      });
      await stopping.stopped;
      expect(order).toEqual(["granted", "stopped"]);
      expect(await remoteProgress(db, batch)).toMatchObject({ services: [{ inFlight: 1 }] });
      const later = what === "a batch" ? { stopped: "stopped" } : { refused: [2], stoppedTargets: [1] };
      expect(await ask(db, { worker, batch, service }, 2)).toMatchObject({ granted: [], ...later });
    },
  );

  test("with a budget, several services and mixed statements never wait for each other in a circle", async () => {
    const db = database();
    const worker = await newWorker(db);
    const budget = { requests: 100_000, failures: null, cost: null, durationMs: null };
    const one = await runningBatch(db, { jobs: 40, concurrency: 30, budget, service: "a", inDoubt: "resend" });
    const free = await runningBatch(db, { jobs: 40, concurrency: 30, service: "a" });
    const two = await runningBatch(db, { jobs: 40, concurrency: 30, budget, service: "b", inDoubt: "fail" });
    const numbers = new Map<string, number>();
    const step = async (): Promise<void> => {
      const at = [one, two, free][Math.floor(Math.random() * 3)] ?? one;
      const jobs = span(1, 40)
        .filter(() => Math.random() < 0.3)
        .toSorted(() => Math.random() - 0.5);
      const wanted = jobs.map((job) => ({ job, number: numbers.get(`${at.batch}/${job}`) ?? 1 }));
      const { granted } = await take(db, { worker, token: randomUUID(), ...at, jobs: wanted });
      const both = [one, two, free].flatMap(({ batch }) =>
        granted.map((job) =>
          answer(batch, job, { number: numbers.get(`${batch}/${job}`) ?? 1, final: false, spent: false }),
        ),
      );
      const results = both.toSorted(() => Math.random() - 0.5);
      const carrying = Math.random() < 0.5 ? results.filter(({ batch }) => batch === at.batch) : [];
      if (carrying.length > 0)
        await settleAndTake(db, carrying, { worker, token: randomUUID(), ...at, jobs: wanted.toReversed() });
      const rest = results.filter((result) => !carrying.includes(result));
      expect(await settle(db, worker, rest)).toHaveLength(rest.length);
      const rows = await db.query<{ batch: number; id: number; attempts: number }>(
        "SELECT batch, id, attempts FROM tandem.job WHERE batch = ANY ($1)",
        [[one.batch, two.batch, free.batch]],
      );
      for (const { batch, id, attempts } of rows) numbers.set(`${batch}/${id}`, attempts + 1);
      if (Math.random() < 0.2) {
        await leaveWorker(db, worker);
        await reap(db, { deadAfterMs: 15_000 });
      }
      await beat(db, worker);
    };
    await Promise.all(
      span(1, 14).map(async () => {
        for (let round = 0; round < often(8, 100); round += 1) await step();
      }),
    );
    const [row] = await db.query<{ deadlocks: number }>(
      "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
    );
    expect(row?.deadlocks).toBe(0);
  });
});

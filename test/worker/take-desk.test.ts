import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { DatabaseLink } from "../../src/worker/journal/database-link.ts";
import { DatabaseClock, deadAfterMs, Lease, leaseMs, thisMoment } from "../../src/worker/journal/lease.ts";
import { type Attempt, type TakeCounter, TakeDesk } from "../../src/worker/journal/take-desk.ts";
import type { Granted } from "../../src/worker/postgres/take.ts";

const answer = (part: Partial<Granted>): Granted => ({
  granted: [],
  refused: [],
  stoppedTargets: [],
  waitMs: 0,
  stopped: null,
  pausedMs: 0,
  concurrency: 4,
  rate: null,
  worker: "on",
  isSuspect: false,
  away: null,
  workers: 1,
  dbNow: 0,
  ...part,
});

/** A desk over a database that answers as it is told. */
function desk(take: (token: string, asked: readonly Attempt[]) => Promise<Granted>) {
  const seen = { stopped: [] as string[], back: [] as Attempt[], failures: [] as unknown[] };
  const state = { mayLeave: true, inDoubt: [] as number[] };
  const made = new TakeDesk({
    link: new DatabaseLink({
      passes: (error) => error instanceof Error && error.message === "away",
      onAway: () => {},
      onBack: () => {},
    }),
    take,
    takeBack: (_token, attempts) =>
      Promise.resolve(state.inDoubt.filter((job) => attempts.some((each) => each.job === job))),
    mayLeave: () => state.mayLeave,
    giveBack: (attempts) => seen.back.push(...attempts),
    onFailure: (error) => seen.failures.push(error),
  });
  const counter = (): TakeCounter =>
    made.counter({ onOutcome: () => {}, onWaited: () => {}, onStopped: (reason) => seen.stopped.push(reason) });
  const chunk = counter();
  const ask = (job: number): Promise<boolean> => chunk.ask({ job, number: 1 });
  return { made, counter, slice: chunk, ask, seen, state };
}

describe("leave to send", () => {
  test("is asked for all who wait in one statement, and again for those who got none", async () => {
    const asked: number[][] = [];
    const { ask } = desk((_token, jobs) => {
      asked.push(jobs.map(({ job }) => job));
      const granted = jobs.slice(0, 2).map(({ job }) => job);
      return Promise.resolve(answer({ granted, waitMs: 1 }));
    });
    expect(await Promise.all([1, 2, 3, 4, 5].map(ask))).toEqual([true, true, true, true, true]);
    expect(asked).toEqual([[1, 2, 3, 4, 5], [3, 4, 5], [5]]);
  });

  test("is asked for with the same token when the answer was lost", async () => {
    const tokens: string[] = [];
    const { ask } = desk((token, jobs) => {
      tokens.push(token);
      if (tokens.length === 1) return Promise.reject(new Error("away"));
      return Promise.resolve(answer({ granted: jobs.map(({ job }) => job) }));
    });
    expect(await ask(1)).toBe(true);
    expect(tokens.length).toBe(2);
    expect(new Set(tokens).size).toBe(1);
  });

  test("that was lost until this worker was taken for dead is taken back, as nothing has left, and asked for again", async () => {
    const asked: number[][] = [];
    const { ask, state } = desk((_token, jobs) => {
      asked.push(jobs.map(({ job }) => job));
      if (asked.length === 1) return Promise.reject(new Error("away"));
      // The entry of the first job is in doubt; that of the second is another worker's.
      if (asked.length === 2) return Promise.resolve(answer({ refused: [1, 2] }));
      return Promise.resolve(answer({ granted: jobs.map(({ job }) => job) }));
    });
    state.inDoubt = [1];
    expect(await Promise.all([ask(1), ask(2)])).toEqual([true, false]);
    expect(asked).toEqual([[1, 2], [1, 2], [1]]);
  });

  test("that comes when others may take this worker for dead is given back, and nothing leaves", async () => {
    const { ask, seen, state } = desk((_token, jobs) => {
      state.mayLeave = false;
      return Promise.resolve(answer({ granted: jobs.map(({ job }) => job) }));
    });
    expect(await ask(7)).toBe(false);
    expect(seen.back).toEqual([{ job: 7, number: 1 }]);
  });

  test("is refused to all when the batch has stopped, and to all who come later", async () => {
    const { ask, seen } = desk(() => Promise.resolve(answer({ stopped: "5 requests are spent (--budget)" })));
    expect(await Promise.all([ask(1), ask(2)])).toEqual([false, false]);
    expect(await ask(3)).toBe(false);
    expect(seen.stopped).toEqual(["5 requests are spent (--budget)"]);
  });

  test("is refused to the job that another has, and to no other", async () => {
    const { ask } = desk((_token, jobs) =>
      Promise.resolve(answer({ refused: [2], granted: jobs.flatMap(({ job }) => (job === 2 ? [] : [job])) })),
    );
    expect(await Promise.all([ask(1), ask(2), ask(3)])).toEqual([true, false, true]);
  });

  test("is asked for all slices of a batch together", async () => {
    const asked: number[][] = [];
    const { ask, counter } = desk((_token, jobs) => {
      asked.push(jobs.map(({ job }) => job));
      return Promise.resolve(answer({ granted: jobs.map(({ job }) => job) }));
    });
    expect(await Promise.all([ask(1), counter().ask({ job: 2, number: 1 }), ask(3)])).toEqual([true, true, true]);
    expect(asked).toEqual([[1, 2, 3]]);
  });

  test("is asked for again at once when a place became free while the database was asked", async () => {
    let times = 0;
    const { made, ask } = desk((_token, jobs) => {
      times += 1;
      if (times > 1) return Promise.resolve(answer({ granted: jobs.map(({ job }) => job) }));
      made.nudge();
      return Promise.resolve(answer({ waitMs: 100 }));
    });
    let isGranted = false;
    void ask(1).then((answered) => (isGranted = answered));
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect(isGranted).toBe(true);
  });

  test("is not asked for before it has rested as long as it took: what comes meanwhile is asked for together", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
    const asked: number[][] = [];
    const { ask } = desk((_token, jobs) => {
      asked.push(jobs.map(({ job }) => job));
      vi.advanceTimersByTime(5);
      return Promise.resolve(answer({ granted: jobs.map(({ job }) => job) }));
    });
    await ask(1);
    const second = ask(2);
    await nextTurn();
    await nextTurn();
    const third = ask(3);
    vi.advanceTimersByTime(5);
    await Promise.all([second, third]);
    vi.useRealTimers();
    expect(asked).toEqual([[1], [2, 3]]);
  });

  test("goes with a statement that makes room, and is asked for by itself only for those who got none", async () => {
    const asked: number[][] = [];
    const { made, ask } = desk((_token, jobs) => {
      asked.push(jobs.map(({ job }) => job));
      return Promise.resolve(asked.length === 1 ? answer({ waitMs: 1_000 }) : answer({ granted: [3] }));
    });
    expect(made.carry()).toBeNull();
    const leaves = Promise.all([1, 2, 3].map(ask));
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    const carried = made.carry();
    expect(carried?.attempts.map(({ job }) => job)).toEqual([1, 2, 3]);
    // It is on its way: nobody else takes it along, and it is not asked beside it.
    expect(made.carry()).toBeNull();
    made.nudge();
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect(asked.length).toBe(1);
    carried?.answered(answer({ granted: [1], refused: [2], waitMs: 1 }));
    expect(await leaves).toEqual([true, false, true]);
    expect(asked).toEqual([[1, 2, 3], [3]]);
  });

  test("goes with no other statement while many ask the same service: results do not wait for it", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let times = 0;
    const { made, ask } = desk(() => {
      times += 1;
      vi.advanceTimersByTime(times === 1 ? 40 : 2);
      return Promise.resolve(answer({ waitMs: 1_000 }));
    });
    void ask(1);
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    };
    await turns();
    expect(made.carry()).toBeNull();
    made.nudge();
    await turns();
    expect(times).toBe(2);
    expect(made.carry()).not.toBeNull();
  });

  test("that went with a statement which was lost is asked for with the same token, and taken back where it was late", async () => {
    const tokens: string[] = [];
    const { made, ask, state } = desk((token) => {
      tokens.push(token);
      if (tokens.length === 1) return Promise.resolve(answer({ waitMs: 1_000 }));
      // The entry of the first job is in doubt since the statement that was lost.
      return Promise.resolve(tokens.length === 2 ? answer({ refused: [1] }) : answer({ granted: [1] }));
    });
    const leave = ask(1);
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    const carried = made.carry();
    state.inDoubt = [1];
    carried?.lost();
    expect(await leave).toBe(true);
    expect(tokens[1]).toBe(carried?.token);
    expect(new Set(tokens).size).toBe(3);
  });

  test("that came with another statement for a slice which has ended meanwhile is given back", async () => {
    const { made, slice: chunk, ask, seen } = desk(() => Promise.resolve(answer({ waitMs: 1_000 })));
    const leave = ask(1);
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    const carried = made.carry();
    chunk.close();
    expect(await leave).toBe(false);
    carried?.answered(answer({ granted: [1] }));
    await expect.poll(() => seen.back).toEqual([{ job: 1, number: 1 }]);
  });

  test.each([
    { workers: 3, looks: 50 },
    { workers: 100, looks: 10 },
    { workers: 1_000, looks: 5 },
  ])(
    "is asked for more rarely the more workers miss a place: $looks times in 5 s by each of $workers",
    async (given) => {
      let calls = 0;
      const { slice: chunk, ask } = desk(() => {
        calls += 1;
        return Promise.resolve(answer({ waitMs: 100, workers: given.workers }));
      });
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const leave = ask(1);
      for (let ms = 0; ms < 5_000; ms += 50) {
        await nextTurn();
        await nextTurn();
        vi.advanceTimersByTime(50);
      }
      vi.useRealTimers();
      chunk.close();
      expect(await leave).toBe(false);
      expect(calls).toBe(given.looks);
    },
  );

  test("that comes for a slice which has ended is given back; the other slices go on", async () => {
    const {
      slice: chunk,
      ask,
      counter,
      seen,
    } = desk((_token, jobs) => {
      chunk.close();
      return Promise.resolve(answer({ granted: jobs.map(({ job }) => job) }));
    });
    expect(await Promise.all([ask(1), counter().ask({ job: 2, number: 1 })])).toEqual([false, true]);
    expect(seen.back).toEqual([{ job: 1, number: 1 }]);
  });

  test("that cannot be asked for at all ends the worker", async () => {
    const { ask, seen } = desk(() => Promise.reject(new Error("no such function")));
    expect(await ask(1)).toBe(false);
    expect(seen.failures).toEqual([new Error("no such function")]);
  });
});

describe("the lease of a worker", () => {
  beforeEach(() => vi.useFakeTimers({ now: 1_000_000, toFake: ["Date", "performance"] }));
  afterEach(() => vi.useRealTimers());

  test("ends ten seconds after the last sign began, also when only the machine's own clock tells of the time", () => {
    const lease = new Lease();
    expect(lease.isHeld).toBe(false);
    lease.renewed(thisMoment());
    vi.advanceTimersByTime(leaseMs - 1);
    expect(lease.isHeld).toBe(true);
    vi.advanceTimersByTime(1);
    expect(lease.isHeld).toBe(false);
    lease.renewed(thisMoment());
    // Asleep: one of the two clocks stood still.
    vi.setSystemTime(Date.now() + leaseMs);
    expect(lease.isHeld).toBe(false);
  });

  test("is no longer for a clock that was set back", () => {
    const lease = new Lease();
    lease.renewed(thisMoment());
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(lease.isHeld).toBe(true);
    vi.advanceTimersByTime(leaseMs);
    expect(lease.isHeld).toBe(false);
  });

  test("goes with the database's clock, whatever time this machine is set to", () => {
    const clock = new DatabaseClock();
    const began = thisMoment();
    vi.advanceTimersByTime(40);
    expect(clock.patience()).toBeNull();
    clock.told(5_000_000, began);
    expect(clock.now()).toBe(5_000_020);
    expect(clock.patience()).toBe(5_020_020);
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(clock.now()).toBe(5_000_020);
    vi.advanceTimersByTime(1_000);
    expect(clock.now()).toBe(5_001_020);
  });

  test("judges nobody by the database's clock right after that was set, and a slow answer is no such thing", () => {
    const clock = new DatabaseClock();
    const tell = (time: number, tookMs: number): boolean => {
      const began = thisMoment();
      vi.advanceTimersByTime(tookMs);
      clock.told(time, began);
      return clock.isSettled;
    };
    expect(tell(5_000_000, 0)).toBe(true);
    // All of its four seconds were on one way.
    expect(tell(5_004_000, 4_000)).toBe(true);
    expect(tell(5_004_000 + 3_600_000, 10)).toBe(false);
    vi.advanceTimersByTime(deadAfterMs);
    expect(clock.isSettled).toBe(false);
    vi.advanceTimersByTime(1);
    expect(clock.isSettled).toBe(true);
  });
});

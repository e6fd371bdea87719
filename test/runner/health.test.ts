import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Outcome } from "../../src/client/outcome.ts";
import { defaultWaits } from "../../src/runner/backoff.ts";
import type { PaceEntry } from "../../src/runner/journal.ts";
import { type AccountSide, Health } from "../../src/runner/health.ts";
import type { Rate } from "../../src/suite/suite.ts";
import { suite } from "../store/batch.ts";
import { quietSide } from "./account-side.ts";
import { outcome } from "./outcome.ts";

const start = 1_800_000_000_000;

beforeEach(() => vi.useFakeTimers({ now: start, toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

/** Traffic to a service with nothing learned before, and what it told. */
function traffic(
  given: {
    concurrency?: number;
    rate?: Rate | null;
    learned?: PaceEntry;
    sent?: number[];
    waitForServiceMs?: number;
  } = {},
) {
  const { concurrency = 8, rate = null, learned = null, sent = [], waitForServiceMs } = given;
  const [prod] = suite.deployments;
  if (prod === undefined) throw new Error("the suite has no deployment");
  const changes: PaceEntry[] = [];
  const longWaits: number[] = [];
  const made = new Health({
    deployments: [{ ...prod, concurrency, rate }],
    endpoint: "video-bots",
    journal: { sentSince: () => sent, lastPace: () => learned },
    random: () => 0.999,
    waits: defaultWaits,
    now: Date.now(),
  });
  const side: AccountSide = {
    deployment: "prod",
    onEnded: () => {},
    onChange: (entry) => changes.push(entry),
    onLongWait: (askedMs) => longWaits.push(askedMs),
    ...quietSide,
    waitForServiceMs: waitForServiceMs ?? null,
    onGivenUp: (reason) => (givenUp = reason),
  };
  made.join(side);
  let givenUp: string | null = null;
  /** The answer to a request that was queued then. */
  const answer = (part: Partial<Outcome>, queuedAt: number, jobId = 0): string | null => {
    givenUp = null;
    made.answered(outcome(part), { jobId, queuedAt, answeredAt: Date.now(), more: true }, side);
    return givenUp;
  };
  let jobId = 0;
  /** One request that is queued now and answered after 10 ms, with so many in flight, itself included. */
  const ask = (part: Partial<Outcome>, { busy = 1 } = {}): string | null => {
    const queuedAt = Date.now();
    jobId += 1;
    for (let others = 1; others < busy; others++) made.take(-others, queuedAt);
    made.take(jobId, queuedAt);
    vi.setSystemTime(queuedAt + 10);
    const end = answer(part, queuedAt, jobId);
    for (let ended = 0; ended < busy; ended++) made.ended(side, true);
    return end;
  };
  return { made, side, ask, answer, changes, longWaits };
}

const wait = (made: Health): number => made.waitMs(Date.now());
const later = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
const full = { kind: "throttled", limit: { kind: "concurrency", count: 4 }, retryAfterMs: 240_000 } as const;

describe("a service that cannot be reached", () => {
  const refused = { kind: "not-sent", error: "ECONNREFUSED" } as const;

  test("is looked for by one request at a time, and given up after five when it never answered", () => {
    const { made, ask, answer } = traffic();
    ask(refused);
    expect(wait(made)).toBeGreaterThan(0);
    later(wait(made) + 1);
    made.take(1_000, Date.now());
    expect(wait(made)).toBe(Number.POSITIVE_INFINITY);
    answer({ kind: "ok" }, Date.now(), 1_000);
    expect(wait(made)).toBe(0);
    const other = traffic();
    const ends = [1, 2, 3, 4, 5].map(() => {
      later(60_000);
      return other.ask(refused);
    });
    expect(ends).toEqual([null, null, null, null, "ECONNREFUSED"]);
  });

  test("is named as what is waited for, since when and for how much longer, until it answers", () => {
    const { made, side, ask } = traffic({ waitForServiceMs: 1_800_000 });
    expect(made.stall(Date.now(), side)).toBeNull();
    ask(refused);
    later(60_000);
    const why = "prod cannot be reached";
    expect(made.stall(Date.now(), side)).toEqual({ why, forMs: 60_000, nextMs: null, leftMs: 1_740_000 });
    ask({ kind: "ok" });
    expect(made.stall(Date.now(), side)).toBeNull();
  });

  test("counts what was in flight together as one, also while a rate holds everything back", () => {
    const { answer } = traffic({ rate: { count: 1, windowMs: 60_000 } });
    const queuedAt = Date.now();
    later(10);
    const together = Array.from({ length: 20 }, (_, jobId) => answer(refused, queuedAt, jobId));
    expect(together.filter((reason) => reason !== null)).toEqual([]);
  });

  /** Asks whenever it may, until it is given up; the milliseconds that this took. */
  function outage({ made, ask }: ReturnType<typeof traffic>): number {
    const from = Date.now();
    while (ask(refused) === null) later(wait(made));
    return Date.now() - from;
  }

  test("is waited for as long as the restart of a router takes when it has answered before", () => {
    const given = traffic();
    given.ask({ kind: "ok", status: 200 });
    const ms = outage(given);
    expect(ms).toBeGreaterThanOrEqual(300_000);
    expect(ms).toBeLessThan(301_000);
  });

  test("is waited for as long as the suite says, also when it has never answered", () => {
    const ms = outage(traffic({ waitForServiceMs: 1_800_000 }));
    expect(ms).toBeGreaterThanOrEqual(1_800_000);
    expect(ms).toBeLessThan(1_801_000);
  });
});

test("times from a clock that was ahead do not keep a window shut", () => {
  const { made } = traffic({ rate: { count: 1, windowMs: 60_000 }, sent: [start + 365 * 86_400_000] });
  expect(wait(made)).toBeGreaterThan(59_000);
  expect(wait(made)).toBeLessThanOrEqual(61_000);
});

describe("a service that throttles", () => {
  test("is left alone for as long as it says", () => {
    const { made, ask } = traffic();
    ask({ kind: "throttled", retryAfterMs: 51_123.4 });
    expect(wait(made)).toBeCloseTo(51_123.4, 0);
  });

  test("is left alone for as long as it says each time, however short and however often", () => {
    const { made, ask } = traffic();
    for (const retryAfterMs of Array.from({ length: 12 }, (_, time) => 60 + time * 20)) {
      ask({ kind: "throttled", retryAfterMs });
      expect(wait(made)).toBeCloseTo(retryAfterMs, 0);
      later(wait(made));
    }
  });

  test("is not asked at once again and again, even if it says so", () => {
    const { made, ask } = traffic();
    const waits = Array.from({ length: 8 }, () => {
      ask({ kind: "throttled", retryAfterMs: 0 });
      const ms = wait(made);
      later(ms);
      return ms;
    });
    expect(waits[0]).toBeGreaterThan(0);
    expect(waits[7]).toBeGreaterThan(5_000);
  });

  test("is asked again within the hour, whatever it says, and that is told once", () => {
    const { made, ask, answer, longWaits } = traffic();
    const queuedAt = Date.now();
    ask({ kind: "throttled", retryAfterMs: 3.2e10 });
    answer({ kind: "throttled", retryAfterMs: 3.2e10 }, queuedAt);
    expect(wait(made)).toBeLessThanOrEqual(3_600_000);
    expect(longWaits).toEqual([3.2e10]);
  });

  test("with all its runs taken is asked again as soon as one of ours ends", () => {
    const { made, ask, answer } = traffic();
    ask(full, { busy: 3 });
    expect(made.account.limit).toBe(4);
    expect(wait(made)).toBeGreaterThan(0);
    expect(wait(made)).toBeLessThanOrEqual(2_000);
    answer({ kind: "ok" }, start);
    expect(wait(made)).toBe(0);
  });

  test("although no more than the stated number is sent shares the account: half is tried", () => {
    const { made, ask } = traffic();
    ask(full);
    later(5_000);
    ask(full);
    expect(made.account.limit).toBe(2);
  });
});

describe("limits of this machine", () => {
  test("make us wait longer and longer, and never give up", () => {
    const { made, ask } = traffic();
    const waits = Array.from({ length: 20 }, () => {
      expect(ask({ kind: "not-sent", localLimit: true, error: "EMFILE" })).toBeNull();
      const ms = wait(made);
      later(ms);
      return ms;
    });
    expect(waits[0]).toBeLessThanOrEqual(250);
    expect(waits.at(-1)).toBeGreaterThan(15_000);
    expect(made.account.limit).toBe(1);
  });
});

test("what was learned before a restart holds", () => {
  const learned: PaceEntry = {
    deployment: "prod",
    endpoint: "video-bots",
    at: start,
    concurrency: 2,
    ceiling: 3,
    rate: { count: 6, windowMs: 60_000 },
    reason: "the service stated its limit",
  };
  const { made, ask } = traffic({ learned });
  expect(made.account.limit).toBe(2);
  expect(made.account.rate).toEqual({ count: 6, windowMs: 60_000 });
  for (let i = 0; i < 50; i++) ask({ kind: "ok" }, { busy: 3 });
  expect(made.account.limit).toBe(3);
});

describe("deployments that send with the same key to the same address", () => {
  function shared(rates: (Rate | null)[]) {
    const [prod] = suite.deployments;
    if (prod === undefined) throw new Error("the suite has no deployment");
    const made = new Health({
      deployments: rates.map((rate, index) => ({ ...prod, name: `d${index}`, concurrency: 8, rate })),
      endpoint: "video-bots",
      journal: { sentSince: () => [], lastPace: () => null },
      random: () => 0.999,
      waits: defaultWaits,
      now: Date.now(),
    });
    const woken: string[] = [];
    const changes: PaceEntry[] = [];
    const sides = rates.map((_, index): AccountSide => {
      const deployment = `d${index}`;
      const onEnded = (): void => void woken.push(deployment);
      return { deployment, onEnded, onChange: (entry) => changes.push(entry), onLongWait: () => {}, ...quietSide };
    });
    for (const side of sides) made.join(side);
    return { made, sides, woken, changes };
  }

  test("share the windows of the tightest of their rates", () => {
    const { made } = shared([{ count: 10, windowMs: 60_000 }, { count: 2, windowMs: 60_000 }, null]);
    for (const jobId of [1, 2]) {
      expect(wait(made)).toBe(0);
      made.take(jobId, Date.now());
    }
    expect(wait(made)).toBeGreaterThan(59_000);
  });

  test("wait for an absent service each as long as it says, whoever of them looks for it", () => {
    const { made, sides } = shared([null, null]);
    const givenUp: { side: string; atMs: number }[] = [];
    const from = Date.now();
    for (const [index, side] of sides.entries()) {
      side.waitForServiceMs = [5_000, 60_000][index] ?? null;
      side.onGivenUp = () => {
        givenUp.push({ side: side.deployment, atMs: Date.now() - from });
        made.leave(side);
      };
    }
    const [first = expect.unreachable(), second = expect.unreachable()] = sides;
    while (givenUp.length < 2) {
      later(wait(made));
      const queuedAt = Date.now();
      made.take(1, queuedAt);
      const sent = { jobId: 1, queuedAt, answeredAt: queuedAt, more: true };
      made.answered(outcome({ kind: "not-sent", error: "ECONNREFUSED" }), sent, second);
      made.ended(second, true);
      if (givenUp.length > 0) continue;
      const left = [first, second].map((side) => made.stall(Date.now(), side)?.leftMs);
      expect(left).toEqual([5_000, 60_000].map((ms) => ms - Math.max(0, Date.now() - from)));
    }
    // Each has its last look at the end of its time.
    expect(givenUp).toEqual([
      { side: "d0", atMs: 5_000 },
      { side: "d1", atMs: 60_000 },
    ]);
  });

  test("share what one of them learns, and each is woken when a request of another ends", () => {
    const { made, sides, woken, changes } = shared([null, null]);
    const [first] = sides;
    if (first === undefined) throw new Error("no side");
    for (let jobId = 1; jobId <= 4; jobId++) made.take(jobId, Date.now());
    // The smallest of what is set holds for all together.
    expect(made.account.limit).toBe(8);
    const now = Date.now();
    const sent = { jobId: 1, queuedAt: now, answeredAt: now, more: true };
    made.answered(outcome({ ...full, retryAfterMs: 0 }), sent, first);
    expect(made.account.limit).toBe(4);
    expect(changes).toMatchObject([{ deployment: "d0", concurrency: 4, ceiling: 4 }]);
    expect(wait(made)).toBe(Number.POSITIVE_INFINITY);
    made.ended(first, true);
    expect(woken).toEqual(["d1"]);
    later(5_000);
    expect(wait(made)).toBe(0);
  });
});

describe("a request that may not leave", () => {
  test("a look for a lost service that was not allowed to leave is left to the next request", () => {
    const { made, ask } = traffic();
    ask({ kind: "not-sent", error: "ECONNREFUSED" });
    later(wait(made) + 1);
    made.take(1_000, Date.now());
    expect(wait(made)).toBe(Number.POSITIVE_INFINITY);
    made.gaveBack(1_000);
    expect(wait(made)).toBe(0);
  });
});

describe("several who send to one target, such as the chunks of a worker", () => {
  /** Two of them, of which the first was refused a row while the second had requests in flight. */
  function chunks() {
    const { made } = traffic();
    const [first, second] = [1, 2].map((): AccountSide => ({
      deployment: "prod",
      onEnded: () => {},
      onChange: () => {},
      onLongWait: () => {},
      ...quietSide,
      targetIds: new Set([7]),
    }));
    if (first === undefined || second === undefined) throw new Error("no side");
    for (const side of [first, second]) made.join(side);
    for (const jobId of [1, 2]) made.take(jobId, Date.now());
    made.accepted(7, 10);
    const told = { rows: 0, stops: 0 };
    const refuse = (side: AccountSide, jobId: number, sentAt: number): unknown =>
      made.refused(
        {
          side,
          jobId,
          caseId: jobId,
          targetId: 7,
          sentAt,
          ofKey: true,
          onRow: () => (told.rows += 1),
          onStop: () => (told.stops += 1),
        },
        false,
      );
    expect(refuse(first, 1, 20)).toBe("unknown");
    return { made, first, second, told, refuse };
  }

  test("a row that was refused last waits for what others are answered", () => {
    const { made, first, told } = chunks();
    expect(made.nothingLeft(first)).toBe(true);
    expect(told.rows).toBe(0);
    made.accepted(7, 30);
    expect(told.rows).toBe(1);
    expect(made.nothingLeft(first)).toBe(false);
  });

  test("a key that is refused from then on costs none of them a row", () => {
    const { made, first, second, told, refuse } = chunks();
    expect(made.nothingLeft(first)).toBe(true);
    for (const jobId of [2, 3, 4, 5]) refuse(second, jobId, 20 + jobId);
    for (let inFlight = 2; inFlight > 0; inFlight -= 1) made.ended(second, true);
    expect(told).toEqual({ rows: 0, stops: 1 });
  });

  test("a row is at fault when nobody is left whose answers could tell otherwise", () => {
    const { made, first, second, told } = chunks();
    expect(made.nothingLeft(second)).toBe(false);
    expect(made.nothingLeft(first)).toBe(true);
    expect(told.rows).toBe(1);
    const others = chunks();
    expect(others.made.nothingLeft(others.first)).toBe(true);
    others.made.leave(others.second);
    expect(others.made.nothingLeft(others.first)).toBe(true);
    expect(others.told.rows).toBe(1);
  });

  test("a first job waits while another one of its target looks for the service, until that has answered", () => {
    const { made } = traffic();
    const side = (isFirstSent: boolean): AccountSide => ({
      deployment: "prod",
      onEnded: () => {},
      onChange: () => {},
      onLongWait: () => {},
      ...quietSide,
      targetIds: new Set([7]),
      isFirst: () => true,
      isFirstSent: () => isFirstSent,
    });
    const [first, second] = [side(true), side(false)];
    for (const each of [first, second]) made.join(each);
    expect(made.isAskedBeside(second)).toBe(true);
    made.take(1, Date.now());
    const now = Date.now();
    const sent = { jobId: 1, queuedAt: now, answeredAt: now, more: false };
    made.answered(outcome({ kind: "ambiguous", status: 502 }), sent, first);
    expect([made.isOpen, made.isAskedBeside(second)]).toEqual([true, false]);
    expect(made.waitMs(now)).toBeGreaterThan(0);
  });

  test("what one that has left was refused is not decided", () => {
    const { made, first, second, told } = chunks();
    made.leave(first);
    made.nothingLeft(second);
    made.accepted(7, 30);
    expect(told).toEqual({ rows: 0, stops: 0 });
  });
});

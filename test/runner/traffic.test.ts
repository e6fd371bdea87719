import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Outcome } from "../../src/client/outcome.ts";
import { usualWaits } from "../../src/runner/backoff.ts";
import type { PaceEntry } from "../../src/runner/books.ts";
import { Traffic } from "../../src/runner/traffic.ts";
import type { Rate } from "../../src/suite/suite.ts";
import { suite } from "../store/batch.ts";
import { outcome } from "./outcome.ts";

const start = 1_800_000_000_000;

beforeEach(() => vi.useFakeTimers({ now: start, toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

/** Traffic to a service with nothing learned before, and what it told. */
function traffic(given: { concurrency?: number; rate?: Rate | null; learned?: PaceEntry } = {}) {
  const { concurrency = 8, rate = null, learned = null } = given;
  const [prod] = suite.deployments;
  if (prod === undefined) throw new Error("the suite has no deployment");
  const changes: PaceEntry[] = [];
  const longWaits: number[] = [];
  const made = new Traffic({
    deployment: { ...prod, concurrency, rate },
    endpoint: "video-bots",
    books: { sentSince: () => [], lastPace: () => learned },
    random: () => 0.999,
    waits: usualWaits,
    onChange: (entry) => changes.push(entry),
    onLongWait: (askedMs) => longWaits.push(askedMs),
  });
  let jobId = 0;
  /** One request that is queued now and answered after `ms`. */
  const ask = (part: Partial<Outcome>, { ms = 10, busy = 1 } = {}): string | null => {
    const queuedAt = Date.now();
    made.take(++jobId, queuedAt);
    vi.setSystemTime(queuedAt + ms);
    return made.answered(outcome(part), { jobId, queuedAt, busy, more: true });
  };
  return { made, ask, changes, longWaits };
}

const wait = (made: Traffic): number => made.waitMs(Date.now(), 0);
const later = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
const full = { kind: "throttled", limit: { kind: "concurrency", count: 4 }, retryAfterMs: 240_000 } as const;

describe("a service that cannot be reached", () => {
  const refused = { kind: "not-sent", error: "ECONNREFUSED" } as const;

  test("is looked for by one request at a time, and given up after five when it never answered", () => {
    const { made, ask } = traffic();
    ask(refused);
    expect(wait(made)).toBeGreaterThan(0);
    later(wait(made) + 1);
    made.take(1_000, Date.now());
    expect(made.waitMs(Date.now(), 1)).toBe(Number.POSITIVE_INFINITY);
    made.answered(outcome({ kind: "ok" }), { jobId: 1_000, queuedAt: Date.now(), busy: 1, more: true });
    expect(made.waitMs(Date.now(), 1)).toBe(0);
    const other = traffic();
    const ends = [1, 2, 3, 4, 5].map(() => {
      later(60_000);
      return other.ask(refused);
    });
    expect(ends).toEqual([null, null, null, null, "ECONNREFUSED"]);
  });

  test("counts what was in flight together as one, also while a rate holds everything back", () => {
    const { made } = traffic({ rate: { count: 1, windowMs: 60_000 } });
    const queuedAt = Date.now();
    later(10);
    const together = Array.from({ length: 20 }, (_, jobId) =>
      made.answered(outcome(refused), { jobId, queuedAt, busy: 20 - jobId, more: true }),
    );
    expect(together.filter((reason) => reason !== null)).toEqual([]);
  });

  test("is waited for longer when it has answered before", () => {
    const { ask } = traffic();
    ask({ kind: "ok", status: 200 });
    const ends = Array.from({ length: 10 }, () => {
      later(60_000);
      return ask(refused);
    });
    expect(ends.findIndex((reason) => reason !== null)).toBe(9);
  });
});

describe("a service that throttles", () => {
  test("is left alone for as long as it says", () => {
    const { made, ask } = traffic();
    ask({ kind: "throttled", retryAfterMs: 51_123.4 });
    expect(wait(made)).toBeCloseTo(51_123.4, 0);
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
    const { made, ask, longWaits } = traffic();
    const queuedAt = Date.now();
    ask({ kind: "throttled", retryAfterMs: 3.2e10 });
    made.answered(outcome({ kind: "throttled", retryAfterMs: 3.2e10 }), { jobId: 9, queuedAt, busy: 1, more: true });
    expect(wait(made)).toBeLessThanOrEqual(3_600_000);
    expect(longWaits).toEqual([3.2e10]);
  });

  test("with all its runs taken is asked again as soon as one of ours ends", () => {
    const { made, ask } = traffic();
    ask(full, { busy: 3 });
    expect(made.limit).toBe(4);
    expect(wait(made)).toBeGreaterThan(0);
    expect(wait(made)).toBeLessThanOrEqual(2_000);
    made.answered(outcome({ kind: "ok" }), { jobId: 99, queuedAt: start, busy: 2, more: true });
    expect(wait(made)).toBe(0);
  });

  test("although no more than the stated number is sent shares the account: half is tried", () => {
    const { made, ask } = traffic();
    ask(full);
    later(5_000);
    ask(full);
    expect(made.limit).toBe(2);
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
    expect(made.limit).toBe(1);
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
  expect(made.limit).toBe(2);
  expect(made.rate).toEqual({ count: 6, windowMs: 60_000 });
  for (let i = 0; i < 50; i++) ask({ kind: "ok" }, { busy: 3 });
  expect(made.limit).toBe(3);
});

import { describe, expect, test } from "vitest";
import { Concurrency } from "../../src/runner/concurrency.ts";

describe("adaptive concurrency", () => {
  test("opens connections over a second and then allows what was configured", () => {
    const concurrency = new Concurrency(640, 0);
    expect(concurrency.limit(0)).toBe(8);
    expect(concurrency.limit(500)).toBe(320);
    expect(concurrency.rampWaitMs(500)).toBeGreaterThan(0);
    expect(concurrency.limit(1_000)).toBe(640);
    expect(concurrency.rampWaitMs(1_000)).toBe(0);
  });

  test("opens fewer of them in less time, at most 250 a second", () => {
    const concurrency = new Concurrency(64, 0);
    expect(concurrency.limit(0)).toBe(8);
    expect(concurrency.limit(128)).toBe(32);
    expect(concurrency.limit(256)).toBe(64);
    expect(concurrency.rampWaitMs(256)).toBe(0);
  });

  test("a small concurrency needs no ramp", () => {
    expect(new Concurrency(4, 0).limit(0)).toBe(4);
  });

  test("is halved once for each event of overload, down to one", () => {
    const concurrency = new Concurrency(16, 0);
    expect(concurrency.cut(2_000)).toBe(true);
    expect(concurrency.cut(2_100)).toBe(false);
    expect(concurrency.current).toBe(8);
    for (const at of [4_000, 6_000, 8_000, 10_000]) concurrency.cut(at);
    expect(concurrency.current).toBe(1);
  });

  test("what left before a cut does not cut again, however late its answer comes", () => {
    const concurrency = new Concurrency(16, 0);
    concurrency.cut(2_000);
    expect(concurrency.cut(60_000, { queuedAt: 1_999 })).toBe(false);
    expect(concurrency.cut(60_000, { queuedAt: 59_000 })).toBe(true);
    expect(concurrency.current).toBe(4);
  });

  test("a restart keeps the limit that was stated", () => {
    const concurrency = new Concurrency(16, 0);
    concurrency.startAt(2, 4);
    for (let i = 0; i < 1_000; i++) concurrency.succeeded(10_000 + i, true);
    expect(concurrency.current).toBe(4);
  });

  test("a stated limit is a ceiling that growth does not pass", () => {
    const concurrency = new Concurrency(16, 0);
    concurrency.cut(2_000, { stated: 4 });
    expect(concurrency.current).toBe(4);
    for (let i = 0; i < 1_000; i++) concurrency.succeeded(10_000 + i, true);
    expect(concurrency.current).toBe(4);
  });

  test("grows by one for each full round of successes, only while it is used to the full", () => {
    const concurrency = new Concurrency(10, 0);
    concurrency.cut(2_000);
    expect(concurrency.current).toBe(5);
    for (let i = 0; i < 100; i++) concurrency.succeeded(3_000, false);
    expect(concurrency.current).toBe(5);
    const grown = Array.from({ length: 5 }, () => concurrency.succeeded(3_000, true));
    expect(grown).toEqual([false, false, false, false, true]);
    expect(concurrency.current).toBe(6);
  });

  test("where it was refused is remembered: it grows slowly around there, gives up a tenth when refused there again, and half elsewhere", () => {
    const concurrency = new Concurrency(64, 0);
    let now = 0;
    const round = (): void => {
      now += 200;
      for (let i = concurrency.current; i > 0; i--) concurrency.succeeded(now, true);
    };
    /** Rounds until it is so many. */
    const roundsTo = (wanted: number): number => {
      let rounds = 0;
      for (; concurrency.current < wanted && rounds < 1_000; rounds++) round();
      return rounds;
    };
    const cut = (): number => {
      concurrency.cut((now += 1_000));
      return concurrency.current;
    };
    expect([cut(), cut()]).toEqual([32, 16]);
    // Fast where it was never refused, up to nine tenths of 32.
    expect(roundsTo(21)).toBe(5);
    // A limit elsewhere: half again.
    expect(cut()).toBe(10);
    expect(roundsTo(18)).toBe(8);
    // One every 5 s from there on.
    expect(roundsTo(21)).toBe(75);
    expect(cut()).toBe(18);
    // Refused once more before it grew, the service takes less.
    expect(cut()).toBe(9);
    // The service takes more than it did: fast again beyond a tenth more.
    roundsTo(19);
    expect(roundsTo(40)).toBeLessThan(60);
  });

  test("never stands still for ever: what is refused once is tried again, one too", () => {
    const concurrency = new Concurrency(2, 0);
    concurrency.cut(2_000);
    expect(concurrency.succeeded(3_000, true)).toBe(false);
    expect(concurrency.succeeded(7_000, true)).toBe(true);
    expect(concurrency.current).toBe(2);
  });

  test("does not grow for a while after a server error", () => {
    const concurrency = new Concurrency(2, 0);
    concurrency.cut(2_000);
    concurrency.serverError(3_000);
    expect(concurrency.succeeded(4_000, true)).toBe(false);
    expect(concurrency.succeeded(13_001, true)).toBe(true);
  });
});

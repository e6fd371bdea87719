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

  test("does not grow for a while after a server error", () => {
    const concurrency = new Concurrency(2, 0);
    concurrency.cut(2_000);
    concurrency.serverError(3_000);
    expect(concurrency.succeeded(4_000, true)).toBe(false);
    expect(concurrency.succeeded(13_001, true)).toBe(true);
  });
});

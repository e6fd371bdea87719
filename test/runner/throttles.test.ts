import { describe, expect, test } from "vitest";
import { Throttles } from "../../src/runner/throttles.ts";

describe("a job that is throttled last", () => {
  /** Rows 1 to `bad` are refused with 429 again and again, with others answered between. */
  function refusedRows(bad: number): {
    throttles: Throttles;
    ask: (jobId: number, status: number, isLast?: boolean) => string;
  } {
    const throttles = new Throttles();
    let time = 0;
    const ask = (jobId: number, status: number, isLast = false): string => {
      time += 2;
      return throttles.throttled(jobId, { queuedAt: time - 1, now: time, status, isLast, isLong: false });
    };
    for (let times = 0; times < 5; times++)
      for (let jobId = 1; jobId <= bad; jobId++) {
        throttles.sound(1_000, (time += 1));
        ask(jobId, 429);
      }
    return { throttles, ask };
  }
  const onlyLeft =
    (...ids: number[]) =>
    (isOneOf: (id: number) => boolean): boolean =>
      !ids.every(isOneOf);

  test("is a row that is refused where as many are known to be refused in the same way, and an outage else", () => {
    const { throttles, ask } = refusedRows(2);
    expect(throttles.isLast(7, 429, onlyLeft(7))).toBe(true);
    expect(throttles.isLast(7, 503, onlyLeft(7))).toBe(false);
    // Others that were never asked may tell more, and so may the service where more are in doubt than are known.
    expect(throttles.isLast(7, 429, onlyLeft(7, 8))).toBe(false);
    for (const jobId of [8, 9]) ask(jobId, 429);
    expect(throttles.isLast(7, 429, onlyLeft(7, 8))).toBe(true);
    expect(throttles.isLast(7, 429, onlyLeft(7, 8, 9))).toBe(false);
  });

  test("is asked five times, and fails then", () => {
    const { ask } = refusedRows(1);
    expect([1, 2, 3, 4, 5].map(() => ask(7, 429, true))).toEqual(["last", "last", "last", "last", "row"]);
  });

  test("is not refused by itself once one that was throttled gets through", () => {
    const { throttles, ask } = refusedRows(2);
    ask(7, 429);
    throttles.sound(7, 10_000);
    expect(throttles.isLast(8, 429, onlyLeft(8))).toBe(false);
  });
});

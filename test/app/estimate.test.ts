import { describe, expect, test } from "vitest";
import { expectedMs } from "../../src/app/plan/estimate.ts";

const known = { jobs: 100, concurrency: 4, rate: null, meanMs: 2_000, chain: 1 };
const tenAMinute = { count: 10, windowMs: 60_000 };

describe("how long jobs take", () => {
  test("is what runs at once, when nothing else limits", () => {
    expect(expectedMs(known)).toBe(50_000);
    expect(expectedMs({ ...known, jobs: 1 })).toBe(2_000);
    expect(expectedMs({ ...known, jobs: 0, meanMs: null })).toBe(0);
  });

  test("is never less than the rate allows: the first window leaves at once", () => {
    expect(expectedMs({ ...known, rate: tenAMinute })).toBe(9 * 60_000 + 2_000);
    expect(expectedMs({ ...known, jobs: 10, rate: tenAMinute })).toBe(5_000);
    expect(expectedMs({ ...known, jobs: 11, rate: tenAMinute, meanMs: null })).toBe(60_000);
  });

  test("is never less than the turns of a conversation one after the other", () => {
    expect(expectedMs({ ...known, jobs: 20, chain: 12 })).toBe(24_000);
  });

  test("is not known without a rate that binds and without an earlier run", () => {
    expect(expectedMs({ ...known, meanMs: null })).toBeNull();
    expect(expectedMs({ ...known, jobs: 10, rate: tenAMinute, meanMs: null })).toBeNull();
  });
});

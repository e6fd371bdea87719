import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FirstJobs } from "../../src/runner/first-jobs.ts";
import { outcome } from "./outcome.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Nobody else asks its service. */
const alone = { isAskedByOthers: () => false };

/** First jobs 1 (of one) and 2 (of two), with what was told of them. */
function begun(fault: string | null = null, next: () => boolean = () => false) {
  const reported: string[] = [];
  const first = new FirstJobs({
    prefers: () => true,
    examine: () => Promise.resolve(fault),
    onRefused: (reason) => reported.push(reason),
    onOpen: () => reported.push("open"),
  });
  first.add(1, "one", next);
  first.add(2, "two", next);
  first.begin();
  return { first, told: reported };
}

describe("the first jobs of targets", () => {
  test("hold the others back until each has answered and the answers were looked at", async () => {
    const { first, told: reported } = begun();
    expect([1, 3].map((id) => first.mayBegin({ id }, alone))).toEqual([true, false]);
    expect(first.mayBegin({ id: 1 }, { isAskedByOthers: () => true })).toBe(false);
    first.settled(1, { outcome: outcome({ kind: "ok" }), decision: "finish" });
    expect(reported).toEqual([]);
    first.settled(2, { outcome: outcome({ kind: "ok" }), decision: "finish" });
    await first.examined;
    expect(reported).toEqual(["open"]);
    expect(first.mayBegin({ id: 3 }, alone)).toBeNull();
  });

  test("that are refused end the run with the names of the targets, once all have told", () => {
    const { first, told: reported } = begun();
    first.settled(2, { outcome: outcome({ kind: "target" }), decision: "stop-target" });
    expect(reported).toEqual([]);
    first.settled(1, { outcome: outcome({ kind: "ok" }), decision: "finish" });
    expect(reported).toEqual(["stopped after one row: two rejected it"]);
    expect(first.refusal).toBe(reported[0]);
    expect(first.mayBegin({ id: 3 }, alone)).toBe(false);
  });

  test("whose service is not reached are told as such, and as nothing sent where that holds for all", () => {
    const away = begun();
    away.first.settled(1, { outcome: outcome({ kind: "not-sent" }), decision: "wait" });
    away.first.settled(2, { outcome: outcome({ kind: "not-sent" }), decision: "stop-deployment" });
    away.first.unreached(["one"]);
    expect(away.told).toEqual(["nothing was sent: two, one were not reached"]);
    const both = begun();
    both.first.settled(1, { outcome: outcome({ kind: "target" }), decision: "stop-target" });
    both.first.settled(2, { outcome: outcome({ kind: "not-sent" }), decision: "stop-deployment" });
    expect(both.told).toEqual(["stopped after one row: one rejected it; two was not reached"]);
  });

  test("whose answers nobody can grade end the run with the reason", async () => {
    const { first, told: reported } = begun("no scorer can grade it");
    for (const job of [1, 2]) first.settled(job, { outcome: outcome({ kind: "ok" }), decision: "finish" });
    await first.examined;
    expect(reported).toEqual(["stopped after one row: no scorer can grade it"]);
  });

  test("that take too long hold nobody back, but for those whose service cannot be reached", async () => {
    const { first, told: reported } = begun();
    first.settled(2, { outcome: outcome({ kind: "not-sent" }), decision: "wait" });
    await vi.advanceTimersByTimeAsync(61_000);
    expect(reported).toEqual([]);
    first.settled(2, { outcome: outcome({ kind: "ok" }), decision: "finish" });
    await first.examined;
    expect(reported).toEqual(["open"]);
  });

  test("that are wrong requests are followed by two more of the target before that is a refusal", () => {
    let added = 0;
    const next = (): boolean => {
      first.add(10 + added, "two", next);
      added += 1;
      return true;
    };
    const { first, told: reported } = begun(null, next);
    first.settled(1, { outcome: outcome({ kind: "ok" }), decision: "finish" });
    for (const job of [2, 10, 11]) {
      expect(reported).toEqual([]);
      first.settled(job, { outcome: outcome({ kind: "rejected", error: "tone is required" }), decision: "finish" });
    }
    expect(reported).toEqual(["stopped after one row: two (tone is required) rejected it"]);
  });

  test("hold nobody back where there are none", () => {
    const first = new FirstJobs({
      prefers: () => true,
      examine: () => Promise.resolve(null),
      onRefused: () => {},
      onOpen: () => {},
    });
    first.begin();
    expect(first.mayBegin({ id: 3 }, alone)).toBeNull();
  });

  test("an examination that fails ends the run, and tells the failure", async () => {
    const reported: string[] = [];
    const first = new FirstJobs({
      prefers: () => true,
      examine: () => Promise.reject(new Error("disk full")),
      onRefused: (reason) => reported.push(reason),
      onOpen: () => {},
    });
    first.add(1, "one", () => false);
    first.begin();
    first.settled(1, { outcome: outcome({ kind: "ok" }), decision: "finish" });
    await expect(first.examined).rejects.toThrow("disk full");
    expect(reported).toEqual(["stopped after one row: the first answers could not be looked at"]);
  });
});

import { describe, expect, test } from "vitest";
import { queueLine, remainingMs, shortDuration } from "../../src/cli/progress/queue-line.ts";
import { fit, displayWidth } from "../../src/report/text/width.ts";
import { queueSnapshot as queue } from "./queue-snapshot.ts";

describe("the line of an endpoint queue", () => {
  test("says how far it is, how fast, and how long it will take", () => {
    expect(queueLine(queue())).toBe("prod/video-bots  300/1,200 (25 %)  2.0/s  7m 30s left  4 in flight");
  });

  test("tells a wait for the limit, retries, throttling and errors by kind apart", () => {
    const text = queueLine(
      queue({
        waiting: 2,
        pausedMs: 4_200,
        retries: 3,
        throttled: 5,
        errors: { throttled: 5, ambiguous: 2, "run-failed": 1 },
      }),
    );
    expect(text).toContain(
      "2 to retry  waiting for the limit, next in 5s  3 retries  5 throttled  2 ambiguous  1 run-failed",
    );
  });

  test("says why it waits, since when and how long it will, instead of when it will end", () => {
    const stall = { why: "prod answers 502 (bad gateway)", forMs: 192_000, nextMs: 45_000, leftMs: 1_608_000 };
    const rate = { count: 1, windowMs: 1_000 };
    expect(queueLine(queue({ stall, pausedMs: 45_000, rate, waiting: 1 }))).toContain(
      "prod answers 502 (bad gateway) for 3m 12s: tried again in 45s, given up in 26m 48s  4 in flight  1 to retry",
    );
    const unserved = { why: "no worker serves it", forMs: 60_000, nextMs: null, leftMs: null };
    expect(queueLine(queue({ stall: unserved }))).toContain("2.0/s  no worker serves it for 1m 0s  4 in flight");
  });

  test("says why it stopped instead of when it will end, in one line that nothing can break out of", () => {
    const text = queueLine(queue({ stopped: "403 \u001b[2J said\nmore" }));
    expect(text).toContain("stopped: 403 ␛[2J said");
    expect(text).not.toContain("left");
  });

  test("does not repeat a long reason, which was told when it came", () => {
    const reason = "POST https://nope.invalid/v2/video-bots was not sent: ENOTFOUND: the host name is not known";
    const text = queueLine(queue({ stopped: reason }));
    expect(text).toContain("stopped, for the reason told above");
    expect(text.length).toBeLessThan(100);
  });

  test("does not wait for the jobs of a stopped target", () => {
    expect(queueLine(queue({ leftOut: 600 }))).toContain("2m 30s left");
    expect(queueLine(queue({ done: 600, leftOut: 600 }))).toContain("600/1,200 (50 %)  2.0/s  600 stopped");
  });

  test("is cut by what is seen, not by code units", () => {
    const cut = fit(queueLine(queue({ name: "தமிழ்-👩🏽‍🌾-日本語/video-bots" })), 40);
    expect(displayWidth(cut)).toBeLessThanOrEqual(40);
    expect(cut).toContain("👩🏽‍🌾");
  });

  test("never promises an end sooner than the rate allows", () => {
    const paced = queue({ rate: { count: 10, windowMs: 60_000 }, perSecond: 10, total: 104, done: 0, inFlight: 4 });
    expect(remainingMs(paced)).toBe(594_000);
    expect(remainingMs(queue({ perSecond: 0 }))).toBeNull();
    expect(remainingMs({ ...paced, perSecond: 0 })).toBe(594_000);
  });

  test("shows slow paces by the minute, and durations in two units", () => {
    expect(queueLine(queue({ perSecond: 0.1 }))).toContain("6.0/m");
    expect([400, 59_000, 61_000, 3_900_000].map(shortDuration)).toEqual(["1s", "59s", "1m 1s", "1h 5m"]);
  });
});

import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type * as Progress from "../../src/cli/progress/interrupts.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import type { Watched } from "../../src/runner/runner.ts";
import type { QueueSnapshot } from "../../src/runner/tally.ts";

let Interrupts: (typeof Progress)["Interrupts"];

beforeEach(async () => {
  vi.useFakeTimers();
  // With a steady clock of its own: that of another test goes by other timers.
  vi.resetModules();
  ({ Interrupts } = await import("../../src/cli/progress/interrupts.ts"));
});
afterEach(() => vi.useRealTimers());

/** A runner with requests in flight that end within a time, and what a person is told of an interrupt. */
function watching(inFlight: number, withinMs: number) {
  const notes: string[] = [];
  const calls: string[] = [];
  const state = { inFlight, endsAt: Date.now() + withinMs };
  const lane = (): QueueSnapshot => ({
    lane: "prod/video-bots",
    deployment: "prod",
    total: 10,
    done: 0,
    failed: 0,
    inFlight: state.inFlight,
    finishesWithinMs: Math.max(0, state.endsAt - Date.now()),
    waiting: 0,
    leftOut: 0,
    retries: 0,
    throttled: 0,
    errors: {},
    limit: 4,
    rate: null,
    pausedMs: 0,
    stall: null,
    perSecond: 1,
    stopped: null,
  });
  const runner: Watched = {
    stop: (reason) => void calls.push(`stop: ${reason}`),
    abort: () => void calls.push("abort"),
    snapshot: () => [lane()],
  };
  const terminal: Terminal = {
    print: () => {},
    annotate: () => {},
    note: (text) => void notes.push(text),
    show: () => {},
    live: false,
    color: { out: false, err: false },
    columns: 80,
    rows: null,
    liveColumns: 80,
    style: (_, text) => text,
  };
  const interrupts = new Interrupts(terminal);
  onTestFinished(() => interrupts.close());
  interrupts.watch(runner);
  return { interrupts, notes, calls, state };
}

describe("the countdown after an interrupt", () => {
  test("says every ten seconds how many are in flight and for how long at the most, and nothing once they have ended", () => {
    const { interrupts, notes, calls, state } = watching(3, 45_000);
    process.emit("SIGINT");
    expect(calls).toEqual(["stop: interrupted"]);
    expect(interrupts.exitCode).toBe(130);
    vi.advanceTimersByTime(10_000);
    state.inFlight = 1;
    vi.advanceTimersByTime(10_000);
    state.inFlight = 0;
    vi.advanceTimersByTime(60_000);
    expect(notes).toEqual([
      "Interrupted: nothing more is sent; finishing 3 in flight, for at most 45s. Press Ctrl-C again to give up on them.",
      "Finishing 3 in flight, for at most 35s.",
      "Finishing 1 in flight, for at most 25s.",
    ]);
    expect(calls).toEqual(["stop: interrupted"]);
  });

  test("is that of the first of two signals that come at once: somebody passed Ctrl-C on; a later one gives up", () => {
    const { calls } = watching(3, 45_000);
    process.emit("SIGINT");
    vi.advanceTimersByTime(20);
    process.emit("SIGINT");
    expect(calls).toEqual(["stop: interrupted"]);
    vi.advanceTimersByTime(120);
    process.emit("SIGINT");
    expect(calls).toEqual(["stop: interrupted", "abort"]);
  });

  test("of SIGTERM tells its own patience, and gives up when that has ended", () => {
    const { interrupts, notes, calls } = watching(2, 600_000);
    process.emit("SIGTERM");
    expect(interrupts.exitCode).toBe(143);
    vi.advanceTimersByTime(25_000);
    expect(notes).toEqual([
      "Interrupted: nothing more is sent; finishing 2 in flight, for at most 20s.",
      "Finishing 2 in flight, for at most 10s.",
      "Giving up on the 2 in flight; they stay in doubt, or with the service where it has taken them.",
    ]);
    expect(calls).toEqual(["stop: interrupted", "abort"]);
  });
});

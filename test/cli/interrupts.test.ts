import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type * as Progress from "../../src/cli/progress/interrupts.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import type { Watched } from "../../src/runner/runner.ts";
import type { QueueSnapshot } from "../../src/runner/tally.ts";
import { queueSnapshot } from "./queue-snapshot.ts";

let Interrupts: (typeof Progress)["Interrupts"];

beforeEach(async () => {
  vi.useFakeTimers();
  // With a steady clock of its own: that of another test goes by other timers.
  vi.resetModules();
  ({ Interrupts } = await import("../../src/cli/progress/interrupts.ts"));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface Circumstances {
  graceMs?: number;
  isShown?: boolean;
  /** Processes that may pass a signal on. */
  above?: number;
  settled?: Promise<void>;
  writesReports?: boolean;
}

/** A runner with requests in flight that end within a time, and what a person is told of an interrupt. */
function watching(inFlight: number, withinMs: number, circumstances: Circumstances = {}) {
  const { graceMs = 600_000, isShown = false, above = 0, settled, writesReports = false } = circumstances;
  const notes: string[] = [];
  const calls: string[] = [];
  const state = { inFlight, endsAt: Date.now() + withinMs };
  const queue = (): QueueSnapshot =>
    queueSnapshot({
      total: 10,
      done: 0,
      inFlight: state.inFlight,
      finishesWithinMs: Math.max(0, state.endsAt - Date.now()),
      perSecond: 1,
    });
  const runner: Watched = {
    stop: (reason) => void calls.push(`stop: ${reason}`),
    abort: () => void calls.push("abort"),
    snapshot: () => [queue()],
    ...(settled !== undefined && { settled: () => settled }),
  };
  const terminal: Terminal = {
    print: () => {},
    annotate: () => {},
    note: (text) => void notes.push(text),
    warn: (text) => void notes.push(text),
    fail: ({ message }) => void notes.push(message),
    show: () => {},
    live: false,
    color: { out: false, err: false },
    columns: 80,
    rows: null,
    liveColumns: 80,
    style: (_, text) => text,
  };
  const mayBePassedOn = async (): Promise<boolean> => above > 0;
  const interrupts = new Interrupts({ terminal, graceMs, isShown, mayBePassedOn, writesReports });
  onTestFinished(() => interrupts.close());
  interrupts.watch(runner);
  return { interrupts, notes, calls, state };
}

/** As people do between two signals. */
const wait = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe("an interrupt", () => {
  test("says every ten seconds how many are in flight, for how long at the most and what a second one does, and nothing once they have ended", async () => {
    const { interrupts, notes, calls, state } = watching(3, 45_000);
    process.emit("SIGINT");
    expect(calls).toEqual(["stop: interrupted"]);
    expect(interrupts.exitCode).toBe(130);
    await wait(10_000);
    state.inFlight = 1;
    await wait(10_000);
    state.inFlight = 0;
    await wait(60_000);
    expect(notes).toEqual([
      "Interrupted: nothing more is sent; finishing 3 in flight, for at most 45s. Press Ctrl-C again to give up on them.",
      "Finishing 3 in flight, for at most 35s. Press Ctrl-C again to give up on them.",
      "Finishing 1 in flight, for at most 25s. Press Ctrl-C again to give up on them.",
    ]);
    expect(calls).toEqual(["stop: interrupted"]);
  });

  test("shows the same with the progress on a live screen, where nothing is said from time to time", async () => {
    const { interrupts, notes, state } = watching(3, 45_000, { isShown: true });
    expect(interrupts.lines()).toEqual([]);
    process.emit("SIGTERM");
    await wait(20_000);
    expect(notes).toHaveLength(1);
    expect(interrupts.lines()).toEqual(["stopping  3 in flight, 25s at most  Another SIGTERM gives up on them."]);
    state.inFlight = 0;
    expect(interrupts.lines()).toEqual([]);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 130],
  ] as const)("%s waits for what is in flight as long as the grace, and gives up then", async (signal, code) => {
    const { interrupts, notes, calls } = watching(2, 3_600_000);
    process.emit(signal);
    expect(interrupts.exitCode).toBe(code);
    expect(notes[0]).toMatch(/^Interrupted: nothing more is sent; finishing 2 in flight, for at most 10m 0s\. \w/);
    await wait(599_000);
    expect(calls).toEqual(["stop: interrupted"]);
    await wait(2_000);
    expect(notes.at(-1)).toBe(
      "Giving up on the 2 in flight; they stay in doubt, or with the service where it has taken them.",
    );
    expect(calls).toEqual(["stop: interrupted", "abort"]);
  });

  test("gives up at a second one, of whatever kind", async () => {
    const { calls } = watching(2, 60_000);
    process.emit("SIGINT");
    await wait(150);
    process.emit("SIGTERM");
    expect(calls).toEqual(["stop: interrupted", "abort"]);
  });

  test("says of one that may have been passed on how many more it takes", async () => {
    const { calls, notes } = watching(2, 60_000, { above: 1 });
    process.emit("SIGTERM");
    await wait(1_000);
    process.emit("SIGTERM");
    await wait(1_000);
    expect(calls).toEqual(["stop: interrupted"]);
    expect(notes.at(-1)).toBe(
      "SIGTERM came again. It may be the first one, passed on by what started tandem; one more gives up on the 2 in flight.",
    );
    process.emit("SIGTERM");
    await wait(1_000);
    expect(calls).toEqual(["stop: interrupted", "abort"]);
  });

  test("ends the process when nothing is in flight any more, once what has arrived is entered", async () => {
    const exits: unknown[] = [];
    vi.spyOn(process, "exit").mockImplementation((code) => {
      exits.push(code);
      return undefined as never;
    });
    const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
    const { state } = watching(2, 60_000, { settled });
    process.emit("SIGTERM");
    await wait(150);
    state.inFlight = 0;
    process.emit("SIGTERM");
    await wait(5_000);
    expect(exits).toEqual([]);
    settle();
    await wait(0);
    expect(exits).toEqual([143]);
  });
});

test("reports that take longer than a minute after a signal are left, once nothing is in flight", async () => {
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  const { notes, state } = watching(1, 100_000, { writesReports: true });
  process.emit("SIGTERM");
  await vi.advanceTimersByTimeAsync(70_000);
  expect(exit).not.toHaveBeenCalled();
  state.inFlight = 0;
  await vi.advanceTimersByTimeAsync(40_000);
  expect(exit).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(exit).toHaveBeenCalledWith(143);
  expect(notes.at(-1)).toContain("tandem report");
});

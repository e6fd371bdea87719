import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { CountedSignals } from "../../../src/cli/signals/counted-signals.ts";
import type { EndingSignal } from "../../../src/cli/signals/ending-signals.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What was counted, and what was taken for passed on. */
function counting({ isBelow }: { isBelow: boolean }) {
  const reported: string[] = [];
  const signals = new CountedSignals({
    onSignal: (signal, number) => void reported.push(`${number} ${signal}`),
    onRepeat: (signal) => void reported.push(`again ${signal}`),
    mayBePassedOn: async () => isBelow,
  });
  onTestFinished(() => signals.close());
  const come = async (signal: EndingSignal, thenMs = 500): Promise<void> => {
    process.emit(signal);
    await vi.advanceTimersByTimeAsync(thenMs);
  };
  return { reported, come };
}

describe("signals that ask for an end", () => {
  test("count one by one where nobody above may pass them on, whatever they are", async () => {
    const { reported, come } = counting({ isBelow: false });
    for (const signal of ["SIGINT", "SIGTERM", "SIGINT"] as const) await come(signal);
    expect(reported).toEqual(["1 SIGINT", "2 SIGTERM", "3 SIGINT"]);
  });

  test("that come at the same time are one", async () => {
    const { reported, come } = counting({ isBelow: false });
    for (const signal of ["SIGINT", "SIGINT", "SIGTERM"] as const) await come(signal, 20);
    expect(reported).toEqual(["1 SIGINT"]);
  });

  test.each([20, 150, 2_000, 60_000])("count once when they are passed on after %i ms", async (ms) => {
    const { reported, come } = counting({ isBelow: true });
    await come("SIGINT", ms);
    await come("SIGINT");
    expect(reported.filter((line) => !line.startsWith("again"))).toEqual(["1 SIGINT"]);
  });

  test("count again after one that may have been passed on", async () => {
    const { reported, come } = counting({ isBelow: true });
    for (const signal of ["SIGINT", "SIGTERM", "SIGINT", "SIGINT", "SIGTERM"] as const) await come(signal);
    expect(reported).toEqual(["1 SIGINT", "again SIGTERM", "2 SIGINT", "again SIGINT", "3 SIGTERM"]);
  });

  test("a closed terminal is told by the shell and by the system: it is never a second one", async () => {
    const { reported, come } = counting({ isBelow: false });
    for (const signal of ["SIGHUP", "SIGHUP", "SIGTERM"] as const) await come(signal);
    expect(reported).toEqual(["1 SIGHUP", "2 SIGTERM"]);
  });
});

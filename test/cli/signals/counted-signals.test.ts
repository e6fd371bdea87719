import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { CountedSignals, type SignalGroup } from "../../../src/cli/signals/counted-signals.ts";
import type { EndingSignal } from "../../../src/cli/signals/ending-signals.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Above = Awaited<ReturnType<SignalGroup["above"]>>;

/** Signals below so many processes that may pass them on: what was counted, and what was taken for passed on. */
async function counting({ count, repeatsToGroup = false }: Partial<Above> & { count: number }) {
  const reported: string[] = [];
  let hear: ((signal: EndingSignal) => void) | null = null;
  const signals = new CountedSignals({
    onSignal: (signal, number) => void reported.push(`${number} ${signal}`),
    onRepeat: (signal, more) => void reported.push(`again ${signal}, ${more} more`),
    group: {
      above: async () => ({ count, repeatsToGroup }),
      witness: (onSignal) => {
        hear = onSignal;
        return { close: () => (hear = null) };
      },
    },
  });
  onTestFinished(() => signals.close());
  /** To this process alone. */
  const alone = async (signal: EndingSignal = "SIGINT"): Promise<void> => {
    process.emit(signal);
    await vi.advanceTimersByTimeAsync(0);
  };
  /** To the whole group, as from a terminal. */
  const toGroup = async (signal: EndingSignal = "SIGINT"): Promise<void> => {
    await alone(signal);
    hear?.(signal);
  };
  const later = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
  return { told: reported, alone, toGroup, later };
}

describe("signals that ask for an end", () => {
  test("count one by one where nobody above may pass them on, whatever they are", async () => {
    const { told: reported, alone, later } = await counting({ count: 0 });
    for (const signal of ["SIGINT", "SIGTERM", "SIGINT"] as const) {
      await alone(signal);
      await later(150);
    }
    expect(reported).toEqual(["1 SIGINT", "2 SIGTERM", "3 SIGINT"]);
  });

  test("that come at the same time are one", async () => {
    const { told: reported, alone, later } = await counting({ count: 0 });
    await alone();
    await later(20);
    await alone();
    await alone("SIGTERM");
    expect(reported).toEqual(["1 SIGINT"]);
  });

  test.each([0, 150, 2_000, 60_000])(
    "count once when they are passed on %i ms after the group got them",
    async (ms) => {
      const { told: reported, toGroup, alone, later } = await counting({ count: 1 });
      await toGroup();
      await later(ms);
      await alone();
      await later(1_000);
      expect(reported.filter((line) => !line.startsWith("again"))).toEqual(["1 SIGINT"]);
    },
  );

  test("that the group gets again count at once, and those that are passed on of both do not", async () => {
    const { told: reported, toGroup, alone, later } = await counting({ count: 1 });
    await toGroup();
    await later(500);
    await alone();
    await later(500);
    await toGroup();
    expect(reported).toEqual(["1 SIGINT", "again SIGINT, 1 more", "2 SIGINT"]);
    await later(500);
    await alone();
    await later(500);
    expect(reported.slice(3)).toEqual(["again SIGINT, 1 more"]);
    await later(500);
    await toGroup();
    expect(reported.slice(4)).toEqual(["3 SIGINT"]);
  });

  test("that come to this process alone count when there are more than those above can have passed on, of whatever kind", async () => {
    const { told: reported, alone, later } = await counting({ count: 2 });
    for (const signal of ["SIGINT", "SIGTERM", "SIGINT", "SIGTERM"] as const) {
      await alone(signal);
      await later(500);
    }
    expect(reported).toEqual(["1 SIGINT", "again SIGTERM, 2 more", "again SIGINT, 1 more", "2 SIGTERM"]);
  });

  test("are not known by the group where somebody above tells the group once more", async () => {
    const { told: reported, toGroup, later } = await counting({ count: 1, repeatsToGroup: true });
    await toGroup();
    await later(2_000);
    await toGroup();
    await later(500);
    expect(reported).toEqual(["1 SIGINT", "again SIGINT, 1 more"]);
  });

  test("a closed terminal is told by the shell and by the system: it is never a second one", async () => {
    const { told: reported, alone, toGroup, later } = await counting({ count: 0 });
    for (const ms of [150, 5_000]) {
      await alone("SIGHUP");
      await later(ms);
      await toGroup("SIGHUP");
    }
    expect(reported).toEqual(["1 SIGHUP"]);
    await later(150);
    await alone("SIGTERM");
    expect(reported).toEqual(["1 SIGHUP", "2 SIGTERM"]);
  });
});

import { expect, test } from "vitest";
import { type WatchedNight, watchNights } from "../../src/app/history/watched-series.ts";

const facts: WatchedNight["facts"] = {
  id: 1,
  name: "nightly",
  createdAt: 0,
  datasetHash: "d",
  expectedHash: "e",
  suiteHash: "s",
  scorers: "c",
  prices: "p",
  selection: "",
  against: null,
  targets: new Map([["test", "configuration"]]),
};

/** A night of so many runs, of which the first were looked at; each costs the same, but for a hundredth. */
function night(day: number, { paid, looked }: { paid: number; looked: number }): WatchedNight {
  const cost = paid * 0.01 * (1 + 0.01 * Math.sin(day * 7));
  const target = {
    target: "test",
    runsTried: looked,
    cases: 0,
    runsSkipped: 0,
    unfinished: 0,
    stopped: null,
    runsWithoutAnswer: 0,
    edited: 0,
    runsPaid: paid,
    latency: null,
    cost,
  };
  return {
    facts: { ...facts, id: day, createdAt: day * 86_400_000 },
    kept: {
      verdict: "pass",
      verdicts: [],
      word: "pass",
      validity: null,
      decision: { maxErrorShare: 0.05 },
      targets: [{ ...target, errorGroups: [], scores: [] }],
      candidates: [],
      gates: [],
      worse: [],
      stopping: null,
    },
  };
}

const costAlarms = (nights: readonly WatchedNight[]): number =>
  watchNights(nights, { nights: 365, asked: [] }).series.find(({ thing }) => thing === "cost")?.alarms.length ?? 0;

test("a night that stops early is neither dearer nor cheaper, however many of its runs were looked at", () => {
  const whole = Array.from({ length: 30 }, (_, day) => night(day, { paid: 400, looked: 400 }));
  const stopped = Array.from({ length: 20 }, (_, day) => night(30 + day, { paid: 120, looked: 60 + (day % 3) }));
  expect(costAlarms([...whole, ...stopped])).toBe(0);
  const dearer = stopped.map(({ facts: of, kept }) => ({
    facts: of,
    kept:
      kept === null
        ? null
        : { ...kept, targets: kept.targets.map((each) => ({ ...each, cost: 2 * (each.cost ?? 0) })) },
  }));
  expect(costAlarms([...whole, ...dearer])).toBeGreaterThan(0);
});

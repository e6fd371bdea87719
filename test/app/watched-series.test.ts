import { expect, test } from "vitest";
import { nightChanges } from "../../src/app/history/night-changes.ts";
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
  sameBot: 0,
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
      told: { invalid: null, quotesError: false, unconfirmed: null },
      decision: { maxErrorShare: 0.05 },
      targets: [{ ...target, errorGroups: [], scores: [] }],
      candidates: [],
      gates: [],
      worse: [],
      stopping: null,
      lostTags: [],
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

test("a fall that the judge made is no alarm of the bot, and the nights before it stay as they were", () => {
  const score = { metric: "helpful", of: "pass", cases: 100, interval: null } as const;
  const graded = (day: number, judge: string | null): WatchedNight => {
    const { facts: of, kept } = night(day, { paid: 100, looked: 100 });
    const mean = (day < 20 ? 0.9 : 0.7) + (day % 3) / 100;
    const [target] = kept?.targets ?? [];
    if (kept === null || target === undefined) throw new Error("there is no night");
    return {
      facts: { ...of, ...(judge !== null && { judges: new Map([["helpful", judge]]) }) },
      kept: { ...kept, targets: [{ ...target, scores: [{ ...score, mean }] }] },
    };
  };
  const alarms = (nights: readonly WatchedNight[]) =>
    watchNights(nights, { nights: 365, asked: [] }).series.find(({ thing }) => thing === "metric")?.alarms ?? [];
  const days = Array.from({ length: 40 }, (_, day) => day);
  expect(alarms(days.map((day) => graded(day, null)))).toHaveLength(1);
  expect(alarms(days.map((day) => graded(day, day < 20 ? "before" : "since")))).toEqual([]);
  // The bot's own fall, later, is still seen.
  const later = days.map((day) => graded(day, day < 5 ? "before" : "since"));
  expect(alarms(later)).toHaveLength(1);
  const [now, then] = [graded(20, "since").facts, graded(19, "before").facts];
  expect(nightChanges(now, then)).toEqual(["the judge helpful"]);
});

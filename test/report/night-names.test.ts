import { expect, test } from "vitest";
import type { HistoryAlarm } from "../../src/report/shape/alarm.ts";
import { changedWords } from "../../src/report/say/nights.ts";
import { nightDay, nightLabel, nightMoments, nightTarget, runName } from "../../src/report/say/night-names.ts";

const at = (day: number, hour: number, second = 0): number => new Date(2026, 10, day, hour, 5, second).getTime();
const night = (moment: number, time: string | null = null) => ({
  batch: "desk-1",
  at: moment,
  day: "2026-11-03",
  time,
});
const labels = (times: readonly number[]): string[] => nightMoments(times).map(nightLabel);

test("a night is called by its day, with a time where a day has several, and seconds where a minute has", () => {
  expect(labels([at(3, 2), at(4, 2), at(4, 3), at(5, 2), at(5, 2, 30)])).toEqual([
    "2026-11-03",
    "2026-11-04 02:05",
    "2026-11-04 03:05",
    "2026-11-05 02:05:00",
    "2026-11-05 02:05:30",
  ]);
  // Two runs that were started together.
  expect(labels([at(5, 2, 30), at(5, 2, 30), at(5, 2, 31), at(5, 2, 30)])).toEqual([
    "2026-11-05 02:05:30",
    "2026-11-05 02:05:30 (2)",
    "2026-11-05 02:05:31",
    "2026-11-05 02:05:30 (3)",
  ]);
  expect(nightDay(night(at(3, 2)), { at: at(4, 2) })).toBe("3 November");
  expect(nightDay(night(at(3, 2), "02:05"), { at: at(4, 2) })).toBe("3 November, 02:05");
  expect(nightDay(night(at(3, 2)), { at: new Date(2027, 1, 1).getTime() })).toBe("3 November 2026");
});

test("a run has one name, by its day and time, and a target in it another", () => {
  const other = { at: at(4, 2) };
  expect(runName(at(3, 2), other.at)).toBe("run of 3 Nov 02:05");
  expect(runName(at(3, 14), new Date(2027, 1, 1).getTime())).toBe("run of 3 Nov 2026 14:05");
  expect(nightTarget("prod", null, night(at(3, 2)), other)).toBe("prod of 3 November");
  expect(nightTarget("prod", "desk", night(at(3, 2)), other)).toBe("prod of desk, 3 November");
});

test("a mark in a picture of nights is one sentence: what moved, from where to where, when, and if it is over", () => {
  const [changed, later] = [night(at(3, 2)), { ...night(at(5, 2)), batch: "desk-3" }];
  const alarm: Omit<HistoryAlarm, "sentence"> = {
    target: "test",
    thing: "metric",
    metric: "correct",
    state: "still",
    direction: "lower",
    isWorse: true,
    before: 86,
    since: 69,
    changed,
    earliest: changed,
    latest: changed,
    noticed: changed,
    until: null,
  };
  const said = (given: Partial<HistoryAlarm>): string => changedWords({ ...alarm, ...given }, (value) => `${value} %`);
  const fell = "`correct` of test fell from 86 % to 69 % on 3 November (averages of runs)";
  expect(said({})).toBe(`Worse: ${fell}`);
  expect(said({ noticed: later })).toBe(`Worse: ${fell}, noticed on 5 November`);
  expect(said({ until: later })).toBe(`Worse: ${fell}; over on 5 November`);
  expect(said({ direction: "higher", isWorse: false, before: 69, since: 86 })).toMatch(
    /^Better: .* rose from 69 % to 86 % /,
  );
});

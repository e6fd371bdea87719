import { expect, test } from "vitest";
import { nightDay, nightLabels, nightName, nightTarget } from "../../src/report/words/night-names.ts";

const at = (day: number, hour: number, second = 0): number => new Date(2026, 10, day, hour, 5, second).getTime();
const night = (moment: number, label = "2026-11-03") => ({ batch: "desk-1", at: moment, label });

test("a night is called by its day, with a time where a day has several, and seconds where a minute has", () => {
  expect(nightLabels([at(3, 2), at(4, 2), at(4, 3), at(5, 2), at(5, 2, 30)])).toEqual([
    "2026-11-03",
    "2026-11-04 02:05",
    "2026-11-04 03:05",
    "2026-11-05 02:05:00",
    "2026-11-05 02:05:30",
  ]);
  expect(nightDay(night(at(3, 2)), { at: at(4, 2) })).toBe("3 November");
  expect(nightDay(night(at(3, 2), "2026-11-03 02:05"), { at: at(4, 2) })).toBe("3 November, 02:05");
  expect(nightDay(night(at(3, 2)), { at: new Date(2027, 1, 1).getTime() })).toBe("3 November 2026");
});

test("a night has one name beside those of other suites, and so has a target in it", () => {
  const other = { at: at(4, 2) };
  expect(nightName("desk", night(at(3, 2)), other)).toBe("desk, night of 3 November");
  expect(nightTarget("prod", null, night(at(3, 2)), other)).toBe("prod of 3 November");
  expect(nightTarget("prod", "desk", night(at(3, 2)), other)).toBe("prod of desk, 3 November");
});

import { expect, test } from "vitest";
import { figure, notMeasured } from "./figure.ts";
import { figureTable, measuredFigures, withMeasured, worseThanBefore, writtenTable } from "./measured.ts";
import { sections, guarded } from "./sections.ts";

const rate = { name: "rate", reach: 0.3, aim: 0.5, unit: "", digits: 2, more: true, tolerance: 0.2 };
const cpu = { name: "cpu", reach: 3, aim: 2, unit: "", digits: 2, tolerance: 0.1 };

test("the table of docs/reference/performance.md is made of the list", () => {
  expect(writtenTable()).toBe(figureTable(measuredFigures()));
});

test("the list has ratios to hold, of sections that there are", () => {
  expect(measuredFigures().filter(({ guard }) => guard !== undefined).length).toBeGreaterThan(5);
  expect(Object.keys(sections)).toEqual(expect.arrayContaining(guarded));
});

test("a ratio that is worse by more than its tolerance is named, whichever way is good", () => {
  const before = withMeasured([], [figure(rate, 0.4), figure(cpu, 2.5)], "2026-11-26");
  expect(worseThanBefore(before, [figure(rate, 0.33), figure(cpu, 2.7)])).toEqual([]);
  expect(worseThanBefore(before, [figure(rate, 0.31), figure(cpu, 2.8)])).toEqual([
    "rate: 0.31, where it was 0.4 (at the least 0.320)",
    "cpu: 2.8, where it was 2.5 (at the most 2.750)",
  ]);
  expect(worseThanBefore(before, [figure({ ...rate, name: "new" }, 0.01)])).toEqual([]);
});

test("a section that is measured again takes the place of its figures, and what could not be measured stays as it was", () => {
  const before = withMeasured([], [figure(rate, 0.4), figure(cpu, 2.5)], "2026-11-25");
  const now = [figure(rate, 0.5), figure({ ...rate, name: "between" }, 1), notMeasured("cpu", "3", "2", "--quick")];
  expect(withMeasured(before, now, "2026-11-26").map(({ name, measured, on }) => [name, measured, on])).toEqual([
    ["rate", "0.50", "2026-11-26"],
    ["between", "1.00", "2026-11-26"],
    ["cpu", "2.50", "2026-11-25"],
  ]);
});

import { describe, expect, test } from "vitest";
import type { ReportMetric } from "../../src/report/shape/model.ts";
import {
  changeFigure,
  changeRange,
  limitFigure,
  measure,
  scoreFigure,
  sidesFigures,
  sizeOfChange,
} from "../../src/report/say/figures.ts";

const seconds: ReportMetric = {
  name: "seconds",
  scorer: "seconds",
  type: "latency",
  primary: false,
  lowerIsBetter: true,
  passes: false,
  relative: false,
  unit: "s",
  min: null,
  max: null,
};

describe("figures of a time", () => {
  test("are shown with so many digits that they differ by the difference that is shown", () => {
    for (let baseline = 0.09; baseline < 2.5; baseline += 0.00713) {
      for (const share of [0.9237, 0.9981, 1.0413, 1.31]) {
        const now = baseline * share;
        const by = baseline - now;
        const [before, after] = sidesFigures({ baseline, now, difference: by }, seconds);
        const shown = Number.parseFloat(before) - Number.parseFloat(after);
        // A half may be rounded either way.
        const either = [shown - 1e-9, shown + 1e-9].map((value) => sizeOfChange(value, seconds));
        expect(either, `${before} ${after}`).toContain(sizeOfChange(by, seconds));
      }
    }
    // 0.110 s and 0.101 s would be 0.009 s apart.
    expect(sidesFigures({ baseline: 0.10951, now: 0.10118, difference: 0.00833 }, seconds)).toEqual([
      "0.1095 s",
      "0.1012 s",
    ]);
  });

  test("have their usual digits where their difference is another one, such as the median of differences", () => {
    expect(sidesFigures({ baseline: 0.10951, now: 0.10118, difference: 0.002 }, seconds)).toEqual([
      "0.110 s",
      "0.101 s",
    ]);
  });

  test("are candidate minus baseline, and their range goes from the lower to the higher number", () => {
    expect(changeRange({ lower: -0.004, upper: 0.021 }, seconds)).toBe("-0.02 to +0.004");
    expect(changeRange({ lower: -1.12, upper: -1.08 }, seconds)).toBe("+1.08 to +1.12");
    expect(changeFigure(-0.02, seconds)).toBe("+0.02 s");
    expect(changeRange({ lower: -0.04, upper: 0.02 }, { ...seconds, lowerIsBetter: false })).toBe("-0.040 to +0.020");
    expect(changeRange({ lower: -0.35, upper: -0.27 }, { ...seconds, relative: true })).toBe("× 1.27 to × 1.35");
  });
});

test("a change beside the limit has so many digits that it agrees with the verdict", () => {
  const rate: ReportMetric = { ...seconds, passes: true, unit: null, lowerIsBetter: false };
  const beside = (change: number, limit: number, metric: ReportMetric): string =>
    changeFigure(change, metric, { unit: false, limit });
  expect([-0.0495, -0.04996, -0.0504, -0.05, -0.042].map((change) => beside(change, 0.05, rate))).toEqual([
    "-4.95",
    "-4.996",
    "-5.04",
    "-5.0",
    "-4.2",
  ]);
  expect(changeRange({ lower: -0.04996, upper: 0.02 }, rate, 0.05)).toBe("-4.996 to +2.0");
  const scale: ReportMetric = { ...rate, passes: false, min: 0, max: 100 };
  expect([0.05, 5, 2.25].map((limit) => limitFigure(limit, scale))).toEqual(["0.05", "5", "2.25"]);
  expect([-4.96, -5.04].map((change) => beside(change, 5, scale))).toEqual(["-4.96", "-5.04"]);
  expect(beside(-0.096, 0.1, { ...seconds, lowerIsBetter: true })).toBe("+0.096");
});

test("one of a unit is said in the singular", () => {
  const size = { ...measure("value"), unit: "graphemes" };
  expect([1, 3].map((value) => scoreFigure(value, size))).toEqual(["1 grapheme", "3 graphemes"]);
  expect(changeFigure(-1, size)).toBe("-1 grapheme");
  expect(limitFigure(1, size)).toBe("1 grapheme");
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { driftBegan, driftRatio, driftStatistics } from "../../src/stats/judged/drift.ts";
import {
  judgeChangedSince,
  flipsOf,
  gradeNoise,
  isNoisy,
  weeklyThreshold,
} from "../../src/stats/judged/grade-watch.ts";

interface Vector {
  inputs: {
    anchors: number;
    referenceFlips: number;
    referenceVerdicts: number;
    flipsByNight: number[];
    threshold: number;
  };
  expected: { likelihoodRatio: number[]; statistic: number[]; alarmAtNight: number };
  tolerance: number;
}

const file = new URL("../fixtures/judges.json", import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, "utf8")) as {
  vectors: (Vector & { id: string; function: string })[];
};
const known = vectors.filter((vector) => vector.function === "judgeDrift");

describe("the drift of a judge", () => {
  test("has a reference value", () => {
    expect(known.length).toBeGreaterThan(0);
  });

  test.each(known.map((vector) => [vector.id, vector] as const))("%s", (_, { inputs, expected, tolerance }) => {
    const nights = inputs.flipsByNight.map((flips) => ({ flips, grades: inputs.anchors }));
    const reference = { flips: inputs.referenceFlips, verdicts: inputs.referenceVerdicts };
    const near = (got: number, wanted: number): void => {
      expect(Math.abs(got - wanted) / Math.max(1, wanted)).toBeLessThan(tolerance);
    };
    nights.forEach((night, at) => near(driftRatio(night, reference), expected.likelihoodRatio[at] ?? 0));
    const ratios = nights.map((each) => driftRatio(each, reference));
    const statistics = driftStatistics(ratios);
    statistics.forEach((statistic, at) => near(statistic, expected.statistic[at] ?? 0));
    expect(statistics.findIndex((statistic) => statistic >= inputs.threshold) + 1).toBe(expected.alarmAtNight);
    // The flips began to be many in the seventh night.
    expect(driftBegan(ratios.slice(0, expected.alarmAtNight))).toBe(6);
  });

  // The mean of the ratio over what the same judge does is 1: what the promise of false alarms stands on.
  test.each([
    [30, { flips: 0, verdicts: 300 }],
    [40, { flips: 6, verdicts: 400 }],
    [7, { flips: 3, verdicts: 50 }],
  ])("is a fair bet on %i grades", (grades, reference) => {
    const [a, b] = [reference.flips + 0.5, reference.verdicts - reference.flips + 0.5];
    // The chances one by one, by their recursion.
    let chance = 1;
    for (let i = 0; i < grades; i++) chance *= (b + i) / (a + b + i);
    let [mean, total] = [0, 0];
    for (let flips = 0; flips <= grades; flips++) {
      mean += chance * driftRatio({ flips, grades }, reference);
      total += chance;
      chance *= ((grades - flips) / (flips + 1)) * ((a + flips) / (b + grades - flips - 1));
    }
    expect(total).toBeCloseTo(1, 9);
    expect(mean).toBeCloseTo(1, 9);
  });

  test("a time without an answer says nothing, one that flips everything says all", () => {
    const reference = { flips: 0, verdicts: 300 };
    expect(driftRatio({ flips: 0, grades: 0 }, reference)).toBe(1);
    expect(driftStatistics([driftRatio({ flips: 30, grades: 30 }, reference)])[0]).toBeGreaterThan(weeklyThreshold);
    const all = Array.from({ length: 400 }, () => driftRatio({ flips: 30, grades: 30 }, reference));
    expect(driftStatistics(all).at(-1)).toBe(Number.MAX_VALUE);
  });
});

describe("a judge that is asked the same every week", () => {
  const fails = Array.from({ length: 30 }, () => 0);
  const passes = Array.from({ length: 30 }, () => 1);
  const usual = [...fails, ...passes];
  /** The usual grades with the first so many fails passed. */
  const lenient = (count: number): number[] => [...passes.slice(0, count), ...fails.slice(count), ...passes];
  const steady = { flips: 0, verdicts: 80 };
  /** Where the first grades are those of a night: its check tells nothing of them. */
  const changedSince = (watched: Parameters<typeof gradeNoise>[0]) =>
    judgeChangedSince({ ...watched, isChecked: false });

  test("has changed since its check when more grades are others than it changed when it was asked twice then", () => {
    const since = (count: number, noise = steady) =>
      judgeChangedSince({ asked: [usual, lenient(count)], noise, isChecked: true });
    expect([since(0), since(2), since(6), since(20)]).toEqual([null, null, 1, 1]);
    // That changed its mind as often in the check, or was not asked twice there.
    expect([since(6, { flips: 12, verdicts: 80 }), since(20, { flips: 0, verdicts: 0 })]).toEqual([null, null]);
  });

  test("is known by two times, and no alarm before the third", () => {
    expect(changedSince({ asked: [usual], noise: steady })).toBeNull();
    expect(changedSince({ asked: [usual, lenient(20)], noise: steady })).toBeNull();
    expect(changedSince({ asked: [usual, usual, lenient(20)], noise: steady })).toBe(2);
  });

  test("has changed when 7 of 60 grades are others, and not by 2", () => {
    expect(flipsOf(usual, lenient(7))).toEqual({ higher: 7, lower: 0, of: 60 });
    expect(changedSince({ asked: [usual, usual, lenient(7)], noise: steady })).toBe(2);
    expect(changedSince({ asked: [usual, usual, lenient(2)], noise: steady })).toBeNull();
    const strict = [...fails, ...fails.slice(0, 7), ...passes.slice(7)];
    expect(changedSince({ asked: [usual, usual, usual, strict], noise: steady })).toBe(3);
  });

  test("has changed when it is a little other for some weeks, since the first of them", () => {
    const calm = [usual, usual, usual, usual];
    const weeks = [lenient(3), lenient(3), lenient(3)];
    expect(changedSince({ asked: [...calm, ...weeks.slice(0, 1)], noise: steady })).toBeNull();
    expect(changedSince({ asked: [...calm, ...weeks], noise: steady })).toBe(4);
  });

  test("leaves out what it graded otherwise the second time, and what got no grade", () => {
    expect(changedSince({ asked: [usual, lenient(4), lenient(7)], noise: steady })).toBeNull();
    const silent = usual.map(() => null);
    expect(changedSince({ asked: [usual, usual, silent], noise: steady })).toBeNull();
    expect(flipsOf(usual, silent)).toEqual({ higher: 0, lower: 0, of: 0 });
  });

  test("is noisy when it contradicts itself in more than a tenth, and no alarm then", () => {
    const noisy = { asked: [usual, lenient(6), lenient(30)], noise: { flips: 9, verdicts: 80 } };
    expect(gradeNoise(noisy)).toBeCloseTo(15 / 140, 12);
    expect(isNoisy(noisy)).toBe(true);
    expect(changedSince(noisy)).toBeNull();
    expect(gradeNoise({ asked: [usual], noise: { flips: 0, verdicts: 0 } })).toBeNull();
  });

  test("counts values that differ by more than .15 of the scale, either way", () => {
    expect(flipsOf([0.5, 0.5, 0.5, 0.5], [0.65, 0.66, 0.35, 0.3])).toEqual({ higher: 1, lower: 1, of: 4 });
  });
});

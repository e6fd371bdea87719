import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { anchorChange, anchorCharts, ownNoise } from "../../src/stats/judged/anchor-charts.ts";
import { driftBegan, driftRatio, driftStatistics, driftThreshold } from "../../src/stats/judged/drift.ts";

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
    const nights = inputs.flipsByNight.map((flips) => ({ flips, anchors: inputs.anchors }));
    const reference = { flips: inputs.referenceFlips, verdicts: inputs.referenceVerdicts };
    const near = (got: number, wanted: number): void => {
      expect(Math.abs(got - wanted) / Math.max(1, wanted)).toBeLessThan(tolerance);
    };
    nights.forEach((night, at) => near(driftRatio(night, reference), expected.likelihoodRatio[at] ?? 0));
    const ratios = nights.map((each) => driftRatio(each, reference));
    const statistics = driftStatistics(ratios);
    statistics.forEach((statistic, at) => near(statistic, expected.statistic[at] ?? 0));
    expect(inputs.threshold).toBe(driftThreshold);
    expect(statistics.findIndex((statistic) => statistic >= driftThreshold) + 1).toBe(expected.alarmAtNight);
    // The flips began to be many in the seventh night.
    expect(driftBegan(ratios.slice(0, expected.alarmAtNight))).toBe(6);
  });

  // The mean of the ratio over what the same judge does is 1: what the promise of false alarms stands on.
  test.each([
    [30, { flips: 0, verdicts: 300 }],
    [40, { flips: 6, verdicts: 400 }],
    [7, { flips: 3, verdicts: 50 }],
  ])("is a fair bet on %i anchors", (anchors, reference) => {
    const [a, b] = [reference.flips + 0.5, reference.verdicts - reference.flips + 0.5];
    // The chances one by one, by their recursion.
    let chance = 1;
    for (let i = 0; i < anchors; i++) chance *= (b + i) / (a + b + i);
    let [mean, total] = [0, 0];
    for (let flips = 0; flips <= anchors; flips++) {
      mean += chance * driftRatio({ flips, anchors }, reference);
      total += chance;
      chance *= ((anchors - flips) / (flips + 1)) * ((a + flips) / (b + anchors - flips - 1));
    }
    expect(total).toBeCloseTo(1, 9);
    expect(mean).toBeCloseTo(1, 9);
  });

  test("a night without an answer says nothing, one that flips everything says all", () => {
    const reference = { flips: 0, verdicts: 300 };
    expect(driftRatio({ flips: 0, anchors: 0 }, reference)).toBe(1);
    expect(driftStatistics([driftRatio({ flips: 30, anchors: 30 }, reference)])[0]).toBeGreaterThan(driftThreshold);
    const all = Array.from({ length: 400 }, () => driftRatio({ flips: 30, anchors: 30 }, reference));
    expect(driftStatistics(all).at(-1)).toBe(Number.MAX_VALUE);
  });
});

describe("the noise of a judge", () => {
  const nights = (flipsAt: readonly number[][], usual: number[]) =>
    flipsAt.map((flips) => usual.map((value, place) => (flips.includes(place) ? 1 - value : value)));

  test("is the share of its verdicts that are other than usual, in the nights of reference alone", () => {
    const usual = [1, 1, 1, 0, 0];
    const flipsAt = [[0], [], [3], ...Array.from({ length: 7 }, () => [])];
    const judge = { frozen: usual, range: null, nights: nights(flipsAt, usual) };
    expect(ownNoise(judge)).toBeCloseTo(2 / 50, 12);
    expect(ownNoise({ ...judge, nights: [...judge.nights, ...nights([[0, 1, 2, 3, 4]], usual)] })).toBeCloseTo(
      0.04,
      12,
    );
    expect(ownNoise({ ...judge, nights: judge.nights.slice(0, 2) })).toBeNull();
  });

  test("counts values either way, beyond a part of their range, and nothing where none was said", () => {
    const said = [0.5, 0.5, 0.7, 0.3, 0.6].map((value) => [value, null]);
    expect(ownNoise({ frozen: [0.5, 0.5], range: 1, nights: said })).toBeCloseTo(2 / 5, 12);
    expect(ownNoise({ frozen: [1], range: null, nights: [[null], [null], [null]] })).toBeNull();
  });
});

describe("the charts of a judge", () => {
  /** Ten nights in which it says the same, then further ones. */
  const judgeOf = (
    usual: readonly number[],
    later: readonly (readonly (number | null)[])[],
    range: number | null = null,
  ) => ({ nights: [...Array.from({ length: 10 }, () => usual), ...later], frozen: usual, range });
  const fails = Array.from({ length: 30 }, () => 0);
  const passes = Array.from({ length: 30 }, () => 1);

  test("begin with the night after those of reference", () => {
    expect(anchorCharts(judgeOf([...fails, ...passes], []))).toBeNull();
    const charts = anchorCharts(judgeOf([...fails, ...passes], [[...fails, ...passes]]));
    expect(charts).toMatchObject({
      up: { anchors: 30, reference: { flips: 0, verdicts: 300 }, nights: [{ flips: 0, anchors: 30 }] },
      down: { anchors: 30, reference: { flips: 0, verdicts: 300 }, nights: [{ flips: 0, anchors: 30 }] },
    });
  });

  test("count what newly passes and what newly fails apart, and leave out what got no verdict", () => {
    const night = [1, 1, 1, null, ...fails.slice(4), 0, null, ...passes.slice(2)];
    const charts = anchorCharts(judgeOf([...fails, ...passes], [night]));
    expect(charts?.up.nights).toEqual([{ flips: 3, anchors: 29 }]);
    expect(charts?.down.nights).toEqual([{ flips: 1, anchors: 29 }]);
  });

  test("take the verdict of most nights of reference for the usual one, in a tie that of when they were frozen", () => {
    const reference = Array.from({ length: 10 }, (_, night) => [
      night < 6 ? 1 : 0,
      night < 5 ? 1 : 0,
      night < 5 ? 1 : 0,
    ]);
    const charts = anchorCharts({ nights: [...reference, [0, 0, 0]], frozen: [0, 0, 1], range: null });
    expect(charts?.up).toMatchObject({ reference: { flips: 5, verdicts: 10 }, nights: [{ flips: 0, anchors: 1 }] });
    expect(charts?.down).toMatchObject({ reference: { flips: 9, verdicts: 20 }, nights: [{ flips: 2, anchors: 2 }] });
  });

  test("count a score that differs by more than .15 of its range from the middle of the nights of reference", () => {
    // On a scale from 1 to 5 that is .6.
    const charts = anchorCharts(judgeOf([3, 3, 3, 3], [[3.6, 3.61, 2.4, 2.3]], 4));
    expect(charts?.up.nights).toEqual([{ flips: 1, anchors: 4 }]);
    expect(charts?.down.nights).toEqual([{ flips: 1, anchors: 4 }]);
  });

  test("tell the mean change of the last night with its interval, anchors of one question together", () => {
    const judge = judgeOf([...fails, ...passes], [[...passes.slice(0, 6), ...fails.slice(6), ...passes]]);
    const own = Array.from({ length: 60 }, (_, place) => `k${place}`);
    const found = anchorChange(judge, own);
    expect(found).toMatchObject({ mean: 0.1, anchors: 60 });
    // The paired t interval: a deviation of .302532, 59 degrees of freedom.
    expect(found?.interval?.low).toBeCloseTo(0.1 - (2.000995 * 0.302532) / Math.sqrt(60), 4);
    const inPairs = anchorChange(
      judge,
      own.map((_, place) => `k${Math.floor(place / 2)}`),
    );
    expect(inPairs?.interval?.low).toBeLessThan(found?.interval?.low ?? 0);
    expect(anchorChange({ nights: [[null]], frozen: [1], range: null }, ["k"])).toBeNull();
  });
});

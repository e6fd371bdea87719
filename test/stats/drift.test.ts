import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
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
    const statistics = driftStatistics(nights, reference);
    statistics.forEach((statistic, at) => near(statistic, expected.statistic[at] ?? 0));
    expect(inputs.threshold).toBe(driftThreshold);
    expect(statistics.findIndex((statistic) => statistic >= driftThreshold) + 1).toBe(expected.alarmAtNight);
    // The flips began to be many in the seventh night.
    expect(driftBegan(nights, expected.alarmAtNight - 1, reference)).toBe(6);
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
    expect(driftStatistics([{ flips: 30, anchors: 30 }], reference)[0]).toBeGreaterThan(driftThreshold);
    expect(
      driftStatistics(
        Array.from({ length: 400 }, () => ({ flips: 30, anchors: 30 })),
        reference,
      ).at(-1),
    ).toBe(Number.MAX_VALUE);
  });
});

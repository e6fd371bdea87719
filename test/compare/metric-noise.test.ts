import { expect, test } from "vitest";
import type { MetricNumbers } from "../../src/compare/tallies/metric-tally.ts";
import { type NoiseSummary, noiseOf, repeatsFor } from "../../src/compare/metrics/metric-noise.ts";

const noise: NoiseSummary = {
  variance: 0.2,
  within: { baseline: 0.05, candidate: 0.05 },
  runs: { baseline: 1, candidate: 1 },
  share: 0.5,
};

test("more runs of both sides shrink their noise, not the difference between cases", () => {
  // 0.1 between cases and 0.1 of runs: three quarters are left with two runs, never less than half.
  expect(repeatsFor(noise, 0.75, false)).toBeCloseTo(2);
  expect(repeatsFor(noise, 0.5, false)).toBeNull();
});

test("the noise of a pin stays as it is, however often the candidate runs", () => {
  expect(repeatsFor(noise, 0.875, true)).toBeCloseTo(2);
  expect(repeatsFor(noise, 0.75, true)).toBeNull();
});

test("clusters multiply the variance between cases; that of runs stays as it is, so that repeats bring less", () => {
  const differences = Float64Array.from({ length: 240 }, (_, i) => (i % 2 === 0 ? 0.4 : -0.4));
  const side = { runs: 480, missing: 0, unscored: 0, counted: 480, squares: 24, freedom: 240 };
  const numbers = { baseline: side, candidate: side } as MetricNumbers;
  const alone = noiseOf(numbers, differences);
  const clustered = noiseOf(numbers, differences, 2.5);
  // 0.05 of each side's two runs, of 0.16 in all; with clusters of 0.4.
  expect(alone?.share).toBeCloseTo(0.1 / 0.16, 2);
  expect(clustered?.share).toBeCloseTo(0.1 / 0.4, 2);
  expect(alone && repeatsFor(alone, 0.5, false)).toBeCloseTo(10, 0);
  expect(clustered && repeatsFor(clustered, 0.5, false)).toBeNull();
});

test("sides that ran unequally often need as many runs each as take the noise of both to what is needed", () => {
  // All of it is noise: 0.1 from two runs of the baseline, 0.2 from one of the candidate; 0.4 / R is half of 0.3.
  const unequal = {
    ...noise,
    variance: 0.3,
    within: { baseline: 0.2, candidate: 0.2 },
    runs: { baseline: 2, candidate: 1 },
  };
  expect(repeatsFor(unequal, 0.5, false)).toBeCloseTo(0.4 / 0.15, 9);
});

import { expect, test } from "vitest";
import { type NoiseSummary, repeatsFor } from "../../src/compare/metric-noise.ts";

const noise: NoiseSummary = {
  variance: 0.2,
  within: { baseline: 0.05, candidate: 0.05 },
  runs: { baseline: 1, candidate: 1 },
  share: 0.5,
};

test("more runs of both sides shrink their noise, not the difference between cases", () => {
  // 0.1 between cases and 0.1 of runs: three quarters are left with twice the runs, never less than half.
  expect(repeatsFor(noise, 0.75, false)).toBeCloseTo(2);
  expect(repeatsFor(noise, 0.5, false)).toBeNull();
});

test("the noise of a pin stays as it is, however often the candidate runs", () => {
  expect(repeatsFor(noise, 0.875, true)).toBeCloseTo(2);
  expect(repeatsFor(noise, 0.75, true)).toBeNull();
});

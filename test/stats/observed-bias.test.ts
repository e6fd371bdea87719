import { describe, expect, test } from "vitest";
import { clusterSlope, welchByClusters } from "../../src/stats/agreement/observed-bias.ts";
import { tInterval, tTest } from "../../src/stats/paired/t-estimate.ts";

describe("a slope over clusters", () => {
  const points = Array.from({ length: 20 }, (_, i) => ({
    x: 0.1 * i - 1 + ((i * 7) % 5) * 0.13,
    y: 0.3 * (0.1 * i - 1) + (((i * 11) % 7) - 3) * 0.1,
    cluster: String(Math.floor(i / 2)),
    weight: 1 + (i % 3),
  }));

  test("is that of the sandwich of matrices, with weights and clusters", () => {
    // (X'WX)^-1 (sum of s s') (X'WX)^-1 with G / (G - 1) (n - 1) / (n - 2), computed apart with the whole matrices.
    const found = clusterSlope(points);
    expect(found.mean).toBeCloseTo(0.2698675198456961, 12);
    expect(found.se).toBeCloseTo(0.08214708532618044, 12);
    expect(found.df).toBe(9);
  });

  test("says nothing of one length, of two cases, or of one cluster", () => {
    expect(clusterSlope(points.map((point) => ({ ...point, x: 0.7 })))).toMatchObject({
      mean: null,
      reason: "no variation",
    });
    expect(clusterSlope(points.slice(0, 2)).mean).toBeNull();
    expect(clusterSlope(points.map((point) => ({ ...point, cluster: "all" }))).mean).toBeNull();
  });
});

describe("two groups by their clusters", () => {
  const group = (values: number[], size = 1) =>
    values.map((value, at) => ({ value, cluster: `${values.length} ${Math.floor(at / size)}` }));

  test("are Welch's t test where every case is its own cluster", () => {
    const found = welchByClusters(group([1, 2, 3, 4, 6]), group([2, 2, 3, 5, 7, 9, 9]));
    // Means 3.2 and 5.2857; variances 3.7 and 67 / 7; Welch-Satterthwaite by hand.
    const [va, vb] = [3.7 / 5, 67 / 7 / 7];
    expect(found.mean).toBeCloseTo(3.2 - 37 / 7, 12);
    expect(found.se).toBeCloseTo(Math.sqrt(va + vb), 12);
    expect(found.df).toBeCloseTo((va + vb) ** 2 / (va ** 2 / 4 + vb ** 2 / 6), 9);
    expect(tTest(found, 0).twoSided).toBeGreaterThan(0.1);
    expect(tInterval(found, 0.95)?.low).toBeLessThan(0);
  });

  test("tell no more by turns that are alike", () => {
    const values = [1, 2, 3, 4, 6, 7];
    const twice = values.flatMap((value) => [value, value]);
    const found = welchByClusters(group(twice, 2), group(values.map((value) => value + 1)));
    const once = welchByClusters(group(values), group(values.map((value) => value + 1)));
    expect(found.se).toBeCloseTo(once.se ?? 0, 12);
  });

  test("need two clusters each", () => {
    expect(welchByClusters(group([1]), group([1, 2]))).toMatchObject({ se: null });
    expect(welchByClusters([], group([1, 2]))).toMatchObject({ mean: null, reason: "a group has no case" });
  });
});

import { describe, expect, test } from "vitest";
import { clusterSlope } from "../../src/stats/agreement/observed-bias.ts";

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
      reason: { kind: "no-variation" },
    });
    expect(clusterSlope(points.slice(0, 2)).mean).toBeNull();
    expect(clusterSlope(points.map((point) => ({ ...point, cluster: "all" }))).mean).toBeNull();
  });
});

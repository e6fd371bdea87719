import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { beyondNoise } from "../../src/stats/paired/beyond-noise.ts";
import { bcaInterval, percentileInterval, resampleMean } from "./oracles/bootstrap.ts";
import { clusterEstimate } from "../../src/stats/paired/cluster-t.ts";
import { clusterTotals } from "../../src/stats/clusters.ts";
import { energyDistances } from "../../src/stats/resampling/labellings.ts";
import { meanDifferences } from "./oracles/mean-differences.ts";
import { mcNemarOneSided } from "../../src/stats/paired/mcnemar.ts";
import { quantile } from "../../src/stats/quantile.ts";
import { relabelTally } from "../../src/stats/resampling/relabel.ts";
import { tInterval } from "../../src/stats/paired/t-estimate.ts";

const wavy = (n: number): Float64Array => Float64Array.from({ length: n }, (_, index) => Math.sin(index * index) + 0.1);

describe("the bootstrap", () => {
  test("of values without skew gives about the interval of Student's t, above 20,000 rows by blocks", () => {
    for (const n of [400, 30_000]) {
      const clustered = clusterTotals(wavy(n), null);
      const resampled = resampleMean(clustered, { seed: "x" });
      const byT = tInterval(clusterEstimate(clustered), 0.95);
      expect(resampled?.note === null).toBe(n === 400);
      if (resampled === null || byT === null) throw new Error("there is an interval");
      const width = byT.high - byT.low;
      for (const found of [bcaInterval(resampled, 0.95).interval, percentileInterval(resampled.replicates, 0.95)]) {
        expect(Math.abs(found.low - byT.low) / width).toBeLessThan(0.05);
        expect(Math.abs(found.high - byT.high) / width).toBeLessThan(0.05);
      }
    }
  });

  test("is the same for the same seed, bit for bit, and another for another", () => {
    const clustered = clusterTotals(wavy(25_000), null);
    const of = (seed: string): number[] => [...(resampleMean(clustered, { seed, resamples: 200 })?.replicates ?? [])];
    expect(of("one")).toEqual(of("one"));
    expect(of("one")).not.toEqual(of("other"));
  });

  test("resamples whole clusters", () => {
    const clusters = Int32Array.from({ length: 200 }, (_, index) => Math.floor(index / 20));
    const clustered = clusterTotals(
      Float64Array.from(clusters, (cluster) => (cluster < 5 ? 0 : 1)),
      clusters,
    );
    const replicates = resampleMean(clustered, { seed: "x", resamples: 500 })?.replicates ?? [];
    expect([...replicates].every((value) => Number.isInteger(Math.round(value * 1e9) / 1e8))).toBe(true);
  });

  test("values that are all alike give a point, and no case gives nothing", () => {
    const alike = resampleMean(clusterTotals(new Float64Array(9).fill(0.3), null), { seed: "x" });
    expect(alike && bcaInterval(alike, 0.95).interval.high).toBeCloseTo(0.3, 12);
    expect(alike?.acceleration).toBe(0);
    expect(resampleMean(clusterTotals(new Float64Array(0), null), { seed: "x" })).toBeNull();
  });
});

test("a quantile lies between its neighbours, and no value has none", () => {
  const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 });
  fc.assert(
    fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (given, p) => {
      const sorted = Float64Array.from(given).toSorted();
      const found = quantile(sorted, p) ?? NaN;
      const at = (sorted.length - 1) * p;
      expect(found).toBeGreaterThanOrEqual(sorted[Math.floor(at)] ?? NaN);
      expect(found).toBeLessThanOrEqual(sorted[Math.ceil(at)] ?? NaN);
    }),
  );
  expect(quantile([], 0.5)).toBeNull();
});

describe("relabelling within cases", () => {
  test("one run on each side is the sign-flip test", () => {
    const tally = relabelTally();
    for (const d of [0.1, 0.4, -0.2, 0.3, 0.5]) tally.add(meanDifferences([d], [0]), null);
    expect(tally.test("x")).toMatchObject({ patterns: 32, exact: true, twoSided: { count: 6, p: 0.1875 } });
  });

  test("cases of a cluster get one labelling: copies of a case prove no more than the case", () => {
    const of = (copies: number, clustered: boolean): number | null => {
      const tally = relabelTally();
      for (let cluster = 0; cluster < 3; cluster++) {
        for (let copy = 0; copy < copies; copy++) {
          tally.add(meanDifferences([1, 0.8], [0.1, 0.2]), clustered ? cluster : null);
        }
      }
      return tally.test("x").greater.p;
    };
    expect(of(3, true)).toBe(of(1, false));
    expect(of(3, false)).toBeLessThan(of(3, true) ?? 0);
  });

  slowTest("many cases are drawn, are the same for the same seed, and find what is there", () => {
    const drawn = (shift: number, count: number): ReturnType<ReturnType<typeof relabelTally>["test"]> => {
      const tally = relabelTally();
      for (let index = 0; index < count; index++) {
        const noise = (run: number): number => Math.sin((index * 3 + run) ** 2) / 2;
        const at = [noise(0), noise(1), noise(2) + shift];
        tally.add(
          energyDistances({ baseline: 2, candidate: 1 }, (one, other) => Math.abs((at[one] ?? 0) - (at[other] ?? 0))),
          null,
        );
      }
      return tally.test("x");
    };
    const found = drawn(1, 60);
    expect(found).toEqual(drawn(1, 60));
    expect(found).toMatchObject({ exact: false, patterns: 10_000, greater: { p: 1 / 10_000 } });
    expect(drawn(0, 60).greater.p).toBeGreaterThan(0.01);
    expect(drawn(1, 21_000).greater.p).toBe(1 / 10_000);
  });

  test("cases that say the same under every labelling do not stop the others from being counted exactly", () => {
    const tally = relabelTally();
    for (let index = 0; index < 500; index++) tally.add(Float64Array.of(0.2, 0.2, 0.2), null);
    for (let index = 0; index < 5; index++) tally.add(Float64Array.of(1, 0, 0), null);
    const found = tally.test("x");
    expect(found).toMatchObject({ exact: true, patterns: 243, greater: { count: 1 } });
    expect(found.statistic).toBeCloseTo((500 * 0.2 + 5) / 505, 12);
  });

  test("one run each has no noise to go by, and no case has no p", () => {
    expect(energyDistances({ baseline: 1, candidate: 1 }, () => 1)).toHaveLength(0);
    expect(relabelTally().test("x")).toMatchObject({ statistic: null, greater: { p: null }, twoSided: { p: null } });
  });

  test("of many runs the first six of each side take part", () => {
    const numbers = new Set<number>();
    const values = energyDistances({ baseline: 9, candidate: 8 }, (one, other) => {
      numbers.add(one).add(other);
      return 0;
    });
    expect(values).toHaveLength(924);
    expect([...numbers].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14]);
  });
});

describe("structure beyond its noise", () => {
  test("is McNemar's exact test where every case is its own", () => {
    const values = Float64Array.from([
      ...Array<number>(30).fill(1),
      ...Array<number>(12).fill(-1),
      ...Array<number>(200).fill(0),
    ]);
    expect(beyondNoise(values, null, "x")).toBe(mcNemarOneSided({ raw: 30, noise: 12 }));
  });

  test("counts a conversation once, however many turns changed", () => {
    const clusters = Int32Array.from({ length: 40 }, (_, index) => Math.floor(index / 10));
    expect(beyondNoise(new Float64Array(40).fill(1), clusters, "x")).toBe(1 / 16);
    const uneven = Float64Array.from(clusters, (cluster, index) => (cluster === 0 && index > 3 ? 0 : 1));
    expect(beyondNoise(uneven, clusters, "x")).toBe(1 / 16);
  });

  test("nothing different is no change", () => {
    expect(beyondNoise(new Float64Array(10), null, "x")).toBe(1);
    expect(beyondNoise(new Float64Array(0), null, "x")).toBe(1);
  });
});

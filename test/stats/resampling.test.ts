import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { beyondNoise } from "../../src/stats/paired/beyond-noise.ts";
import { energyDistances } from "../../src/stats/resampling/labellings.ts";
import { meanDifferences } from "./oracles/mean-differences.ts";
import { mcNemarOneSided } from "../../src/stats/paired/mcnemar.ts";
import { quantile } from "../../src/stats/quantile.ts";
import { relabelTally } from "../../src/stats/resampling/relabel.ts";

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
    expect(beyondNoise(values, "x")).toBe(mcNemarOneSided({ raw: 30, noise: 12 }));
  });

  test("counts a conversation once, however many turns changed", () => {
    expect(beyondNoise(Float64Array.of(10, 10, 10, 10), "x")).toBe(1 / 16);
    expect(beyondNoise(Float64Array.of(4, 10, 10, 10), "x")).toBe(1 / 16);
  });

  test("nothing different is no change", () => {
    expect(beyondNoise(new Float64Array(10), "x")).toBe(1);
    expect(beyondNoise(new Float64Array(0), "x")).toBe(1);
  });
});

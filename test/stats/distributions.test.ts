import betaCdfOracle from "@stdlib/stats-base-dists-beta-cdf";
import betaQuantileOracle from "@stdlib/stats-base-dists-beta-quantile";
import binomialCdfOracle from "@stdlib/stats-base-dists-binomial-cdf";
import normalCdfOracle from "@stdlib/stats-base-dists-normal-cdf";
import normalQuantileOracle from "@stdlib/stats-base-dists-normal-quantile";
import tCdfOracle from "@stdlib/stats-base-dists-t-cdf";
import tQuantileOracle from "@stdlib/stats-base-dists-t-quantile";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { betaTails } from "../../src/stats/distributions/beta.ts";
import { betaCdf, tCdf } from "./oracles/cumulative.ts";
import { betaQuantile } from "./oracles/beta-quantile.ts";
import { binomialAtLeast, binomialCdf, binomialPmf } from "../../src/stats/distributions/binomial.ts";
import { noncentralTSurvival } from "../../src/stats/distributions/noncentral-t.ts";
import { normalCdf, normalQuantile, normalSurvival } from "../../src/stats/distributions/normal.ts";
import { tQuantile, tSurvival } from "../../src/stats/distributions/student-t.ts";

const real = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });
const chance = real(1e-9, 1 - 1e-9);
const size = fc.integer({ min: 1, max: 5000 });

/** Distance of two values: relative, or absolute if they are about 0. */
function apart(found: number, expected: number): number {
  return Math.abs(found - expected) / Math.max(1e-3, Math.abs(expected));
}

describe("distributions agree with @stdlib", () => {
  test("normal", () => {
    fc.assert(
      fc.property(real(-30, 30), (x) => {
        expect(apart(normalCdf(x), normalCdfOracle(x, 0, 1))).toBeLessThan(1e-9);
      }),
    );
    fc.assert(
      fc.property(chance, (p) => {
        expect(apart(normalQuantile(p), normalQuantileOracle(p, 0, 1))).toBeLessThan(1e-9);
      }),
    );
  });

  test("Student's t", () => {
    fc.assert(
      fc.property(real(-50, 50), real(0.5, 5000), (t, df) => {
        expect(apart(tCdf(t, df), tCdfOracle(t, df))).toBeLessThan(1e-9);
      }),
    );
    fc.assert(
      fc.property(real(0.001, 0.999), real(1, 5000), (p, df) => {
        expect(apart(tQuantile(p, df), tQuantileOracle(p, df))).toBeLessThan(1e-7);
      }),
    );
  });

  test("binomial", () => {
    const trial = size.chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
    fc.assert(
      fc.property(trial, real(0.001, 0.999), ([k, n], p) => {
        expect(apart(binomialCdf(k, n, p), binomialCdfOracle(k, n, p))).toBeLessThan(1e-9);
      }),
    );
  });

  test("beta", () => {
    const shape = real(0.05, 500);
    fc.assert(
      fc.property(real(0, 1), shape, shape, (x, a, b) => {
        expect(apart(betaCdf(x, a, b), betaCdfOracle(x, a, b))).toBeLessThan(1e-8);
      }),
    );
    const usual = real(0.5, 100);
    fc.assert(
      fc.property(real(0.001, 0.999), usual, usual, (p, a, b) => {
        expect(apart(betaQuantile(p, a, b), betaQuantileOracle(p, a, b))).toBeLessThan(1e-6);
      }),
    );
  });
});

/** Computed with mpmath at 40 digits. */
const far = [
  ["normal, 8 deviations", normalSurvival(8), 6.220960574271784e-16],
  ["normal, 37 deviations", normalSurvival(37), 5.725571222524574e-300],
  ["t of 3 degrees, 1e4", tSurvival(1e4, 3), 1.102657751147905e-12],
  ["t of a million degrees, 7", tSurvival(7, 1e6), 1.28061205568704e-12],
  ["t of 10,000 degrees, 7", tSurvival(7, 1e4), 1.362015780339914e-12],
  ["t of 20,000 degrees, 12", tSurvival(12, 20_000), 2.30751882918679e-33],
  ["t of 10,001 degrees, 2", tSurvival(2, 10_001), 0.02276362898095038],
  ["binomial, 3 or more of 5 at 1e-8", binomialAtLeast(3, 5, 9.181536126518552e-9), 7.740090455347188e-24],
  ["beta, 1 - 2e-11 of 2 and 50", betaQuantile(0.9999999999818746, 2, 50), 0.4269653682384925],
  ["beta, 1e-12 of 10,000 and 2", betaQuantile(1.3772295909487328e-12, 10_000, 2), 0.9969279370294462],
] as const;

describe("far out and for huge sizes", () => {
  test.each(far)("%s", (_, found, expected) => {
    expect(apart(found / expected, 1)).toBeLessThan(1e-11);
  });

  test("the ends of the scale are numbers: 0, 1 and what is infinitely far", () => {
    expect([normalCdf(Infinity), normalCdf(-Infinity), tCdf(Infinity, 3), tSurvival(2, Infinity)]).toEqual([
      1,
      0,
      1,
      normalSurvival(2),
    ]);
    for (const found of [normalQuantile(1), tQuantile(1, 1), tQuantile(1, 1e300)]) {
      expect(found).toBeGreaterThan(8);
      expect(Number.isFinite(found)).toBe(true);
    }
    expect(normalQuantile(0)).toBe(-normalQuantile(1));
    expect(tQuantile(0, 4)).toBe(-tQuantile(1, 4));
  });

  test("both tails of one number add up to 1, and a quantile is undone by its distribution", () => {
    fc.assert(
      fc.property(real(-8, 8), (x) => {
        expect(apart(normalCdf(x) + normalSurvival(x), 1)).toBeLessThan(1e-15);
      }),
    );
    fc.assert(
      fc.property(chance, real(1, 1e7), (p, df) => {
        expect(apart(tCdf(tQuantile(p, df), df), p)).toBeLessThan(1e-9);
      }),
    );
    fc.assert(
      fc.property(real(0, 1), real(1e-6, 1e5), real(1e-6, 1e5), (x, a, b) => {
        const { lower, upper } = betaTails({ x, y: 1 - x }, a, b);
        expect(apart(lower + upper, 1)).toBeLessThan(1e-12);
      }),
    );
  });

  test("the quantile of a p of 1e-290 is as right as that of 0.5", () => {
    fc.assert(
      fc.property(real(0, 36), (x) => {
        expect(apart(-normalQuantile(normalSurvival(x)), x)).toBeLessThan(1e-11);
      }),
    );
  });

  test("the binomial of a million trials keeps its digits: P(X <= k) + P(X > k) = 1, and sums of terms are the same", () => {
    fc.assert(
      fc.property(fc.integer({ min: 490_000, max: 510_000 }), (k) => {
        expect(apart(binomialCdf(k, 1e6, 0.5) + binomialAtLeast(k + 1, 1e6, 0.5), 1)).toBeLessThan(1e-12);
        expect(apart(binomialCdf(k, 1e6, 0.5) - binomialCdf(k - 1, 1e6, 0.5), binomialPmf(k, 1e6, 0.5))).toBeLessThan(
          1e-9,
        );
      }),
    );
  });

  test("the noncentral t without a shift is Student's, and rises with the shift", () => {
    fc.assert(
      fc.property(real(-8, 8), real(2, 1e6), (t, df) => {
        expect(apart(noncentralTSurvival(t, df, 0), tSurvival(t, df))).toBeLessThan(1e-9);
      }),
    );
    fc.assert(
      fc.property(real(0, 20), real(2, 1e5), real(0, 60), (t, df, ncp) => {
        expect(noncentralTSurvival(t, df, ncp + 1)).toBeGreaterThanOrEqual(noncentralTSurvival(t, df, ncp) - 1e-12);
        expect(apart(noncentralTSurvival(t, df, ncp) + noncentralTSurvival(-t, df, -ncp), 1)).toBeLessThan(1e-11);
      }),
      { numRuns: 30 },
    );
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openBets, pOfBest } from "../../src/stats/betting/bets.ts";
import { bettingMethod, differenceByBets } from "../../src/stats/betting/difference-by-bets.ts";
import { seededRandom } from "../../src/lib/random.ts";

const stakes = [0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 0.95];

/** The definition, product by product. */
function capital(gains: readonly number[], worst: number): number {
  const each = stakes.map((stake) => gains.reduce((all, gain) => all * (1 + (stake / worst) * gain), 1));
  return each.reduce((sum, one) => sum + one, 0) / stakes.length;
}

const single = (differences: readonly number[], most = 1, range = 1) =>
  bettingMethod({
    sums: Float64Array.from(differences),
    sizes: new Float64Array(differences.length).fill(1),
    most,
    range,
  });

describe("the test by betting", () => {
  test("has the capital of the definition, computed by hand", () => {
    const bets = openBets({ margin: 0.05, most: 1 });
    for (const difference of [0, 0, -1]) bets.add(difference, 1);
    // The best is before the loss for one player, after it for the other.
    expect(Math.exp(bets.best().pass)).toBeCloseTo(capital([0.05, 0.05], 0.95), 12);
    expect(Math.exp(bets.best().regression)).toBeCloseTo(capital([-0.05, -0.05, 0.95], 1.05), 12);
    const [lost] = [-1].map((difference) => {
      const one = openBets({ margin: 0.05, most: 1 });
      one.add(difference, 1);
      return one.best().regression;
    });
    expect(Math.exp(lost ?? 0)).toBeCloseTo(1 + (2.42 / 7) * (0.95 / 1.05), 12);
  });

  test("counts a conversation as one, against the longest one of the plan", () => {
    const bets = openBets({ margin: 0.1, most: 4 });
    bets.add(-2, 3);
    bets.add(1, 4);
    expect(Math.exp(bets.best().pass)).toBeCloseTo(Math.max(1, capital([-1.7, 1.4], 3.6)), 12);
    expect(Math.exp(bets.best().regression)).toBeCloseTo(capital([1.7], 4.4), 12);
  });

  test("decides identical bots within 100 rows at a margin of 5 points, and never before 90", () => {
    const bets = openBets({ margin: 0.05, most: 1 });
    let cases = 0;
    while (pOfBest(bets.best().pass) > 0.05) {
      bets.add(0, 1);
      cases += 1;
    }
    expect(cases).toBe(94);
  });

  test("does not decide falsely at the margin in more than 5 of 100 runs, though it is looked at after every case", () => {
    const random = seededRandom("margin");
    const runs = 600;
    const claims = { pass: 0, regression: 0 };
    for (let run = 0; run < runs; run++) {
      const bets = openBets({ margin: 0.05, most: 1 });
      for (let at = 0; at < 1_000; at++) {
        const draw = random();
        bets.add(draw < 0.05 ? 1 : draw < 0.15 ? -1 : 0, 1);
      }
      const { pass, regression } = bets.best();
      if (pOfBest(pass) <= 0.05) claims.pass += 1;
      if (pOfBest(regression) <= 0.05) claims.regression += 1;
    }
    expect(claims.pass / runs).toBeLessThan(0.05);
    expect(claims.regression / runs).toBeLessThan(0.05);
    // A test that never claims anything would pass as well.
    expect(claims.pass + claims.regression).toBeGreaterThan(0);
  });

  test("has an interval of the differences that it does not reject: bounds and p values agree", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 120 }),
        fc.double({ min: 0.8, max: 0.99, noNaN: true }),
        (differences, confidence) => {
          const method = single(differences);
          const [lower, upper] = [method.lower(confidence, 0) ?? 0, method.upper(confidence, 0) ?? 0];
          const alpha = 1 - confidence;
          expect(lower).toBeGreaterThanOrEqual(-1);
          expect(upper).toBeLessThanOrEqual(1);
          if (lower > -0.999) expect(method.p(lower - 1e-6).greater).toBeLessThanOrEqual(alpha * 1.0001);
          expect(method.p(lower + 1e-6).greater).toBeGreaterThanOrEqual(alpha * 0.9999);
          if (upper < 0.999) expect(method.p(upper + 1e-6).less).toBeLessThanOrEqual(alpha * 1.0001);
          expect(method.p(upper - 1e-6).less).toBeGreaterThanOrEqual(alpha * 0.9999);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("keeps what was decided when more cases come", () => {
    const differences = Array.from({ length: 440 }, (_, at) => (at < 40 ? -1 : 0));
    const [early, late] = [single(differences.slice(0, 40)), single(differences)];
    const before = early.p(-0.05).less ?? 1;
    expect(before).toBeLessThan(0.001);
    expect(late.p(-0.05).less).toBeLessThanOrEqual(before);
    expect(late.upper(0.95, 0)).toBeLessThanOrEqual(early.upper(0.95, 0) ?? 0);
  });

  test("has an answer for what is degenerate, and never one that is no number", () => {
    const none = single([]);
    expect(none.p(0)).toEqual({ greater: 1, less: 1 });
    expect([none.lower(0.95, 0), none.upper(0.95, 0)].map((bound) => Math.round(bound ?? 0))).toEqual([-1, 1]);
    for (const all of [-1, 0, 1]) {
      const method = single(Array.from({ length: 5_000 }, () => all));
      for (const supposed of [-2, -1, -0.5, 0, 0.5, 1, 2]) {
        const { greater, less } = method.p(supposed);
        for (const p of [greater, less]) {
          expect(p).toBeGreaterThan(0);
          expect(p).toBeLessThanOrEqual(1);
        }
      }
    }
  });

  test("takes scores of any bounded scale", () => {
    const percent = single([-10, -20, 0, 5, -30, -40, -60], 1, 100);
    const shares = single([-0.1, -0.2, 0, 0.05, -0.3, -0.4, -0.6]);
    expect(percent.p(-5).less).toBeCloseTo(shares.p(-0.05).less ?? 0, 12);
    expect(percent.upper(0.8, 0)).toBeCloseTo(100 * (shares.upper(0.8, 0) ?? 0), 8);
  });

  test("tells estimate, p and interval of the same cases", () => {
    const differences = Float64Array.from({ length: 200 }, (_, at) => (at % 4 === 0 ? -1 : 0));
    const clusters = Int32Array.from(differences, (_, at) => at);
    const found = differenceByBets({ differences, clusters, most: 1, range: 1 });
    expect(found).toMatchObject({ n: 200, clusters: 200, estimate: -0.25, test: "betting" });
    expect(found.p).toBeLessThan(0.001);
    const interval = found.interval(0.95);
    expect(interval?.low).toBeLessThan(-0.25);
    expect(interval?.high).toBeGreaterThan(-0.25);
    expect(interval?.high).toBeLessThan(-0.05);
  });
});

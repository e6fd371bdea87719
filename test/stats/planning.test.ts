import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cohensKappa, judgeCorrectedRate, judgeQuality } from "../../src/stats/rater-agreement.ts";
import { often } from "../often.ts";
import { binomialAtLeast } from "../../src/stats/distributions/binomial.ts";
import { benjaminiHochberg, holm } from "../../src/stats/multiplicity.ts";
import { nightlyFalseAlarm, perNightAlpha } from "../../src/stats/planning/nights.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { mcNemar } from "../../src/stats/paired/mcnemar.ts";
import { exactScore } from "../../src/stats/paired/exact-score.ts";
import type { Turning } from "../../src/stats/planning/gate-power.ts";
import { amongDiffering, beyondGains, countedDrop } from "../../src/stats/planning/planned-counts.ts";
import { detectable } from "../../src/stats/planning/detectable.ts";
import { mcNemarDetectable } from "./oracles/mcnemar-power.ts";
import { pairedTCases, pairedTPower } from "./oracles/paired-t-power.ts";
import { passAtK, passHatK } from "../../src/stats/planning/repeats.ts";

const real = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });

/** The share of drawn runs of n cases whose gains and losses are found to be a drop. */
function shareFound(
  { n, turning, random }: { n: number; turning: Turning; random: () => number },
  isFound: (gained: number, lost: number) => boolean,
): number {
  const known = new Map<string, boolean>();
  const draws = 3000;
  let found = 0;
  for (let draw = 0; draw < draws; draw++) {
    let [gained, lost] = [0, 0];
    for (let place = 0; place < n; place++) {
      const flipped = random();
      if (flipped < turning.gains) gained += 1;
      else if (flipped < turning.gains + turning.losses) lost += 1;
    }
    const seen = known.get(`${gained} ${lost}`) ?? isFound(gained, lost);
    known.set(`${gained} ${lost}`, seen);
    found += Number(seen);
  }
  return found / draws;
}

describe("the size of an experiment", () => {
  test("so many cases have the power that was asked for, and find the difference that was asked for", () => {
    fc.assert(
      fc.property(real(0.01, 0.5), real(0.05, 1), real(0.6, 0.95), (delta, sd, power) => {
        const n = pairedTCases({ delta, sd }, { power }) ?? NaN;
        fc.pre(n > 2);
        expect(pairedTPower({ n, delta, sd })).toBeCloseTo(power, 8);
        expect(detectable({ se: sd / Math.sqrt(n), df: n - 1 }, { power })).toBeCloseTo(delta, 8);
      }),
      { numRuns: often(12, 30) },
    );
  });

  test("few discordant cases do not hide how large a drop would show: it would bring its own", () => {
    const shown = (n: number, share: number): number | null => countedDrop(n, null, amongDiffering(share));
    // Five lost cases and none gained have a mid-p of 1/32.
    expect(binomialAtLeast(5, 31, countedDrop(31, null, beyondGains(0)) ?? NaN)).toBeCloseTo(0.8, 5);
    expect(shown(31, 0.05)).toBeCloseTo(shown(31, 0) ?? NaN, 6);
    expect(shown(400, 0.17)).toBeCloseTo(mcNemarDetectable({ n: 400, psi: 0.17 }) ?? NaN, 5);
    expect(shown(4, 1)).toBeNull();
    expect(shown(5, 0)).toBeCloseTo(0.8 ** (1 / 5), 6);
    // With five alone all have to be lost: the gains among many that differ make what is left of the drop smaller.
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 5000 }), real(0, 1), (n, share) => {
        const found = shown(n, share) ?? NaN;
        expect(found).toBeGreaterThan(0);
        expect(found).toBeLessThanOrEqual(1);
        expect(found).toBeGreaterThanOrEqual((shown(n, share / 2) ?? NaN) - 1e-5);
      }),
      { numRuns: often(12, 30) },
    );
  });

  test.each([
    [12, 0.05],
    [31, 0],
    [31, 0.1],
    [120, 0.04],
    [400, 0.04],
  ])("of %i cases with %f gained by chance, the drop that is named is found in four of five drawn runs", (n, gains) => {
    const random = seededRandom(`smallest drop/${n}/${gains}`);
    const gate = { margin: 0.05, alpha: 0.05 };
    const isCalled = (onlyA: number, onlyB: number): boolean => {
      const { p } = exactScore({ bothPass: n - onlyA - onlyB, onlyA, onlyB, bothFail: 0 });
      return p(-gate.margin).less <= gate.alpha;
    };
    const isShown = (onlyA: number, onlyB: number): boolean => onlyB > onlyA && mcNemar({ onlyA, onlyB }).midP <= 0.05;
    for (const [asked, isFound] of [[null, isShown] as const, [gate, isCalled] as const]) {
      const drop = countedDrop(n, asked, beyondGains(gains)) ?? NaN;
      const share = shareFound({ n, turning: beyondGains(gains)(drop), random }, isFound);
      expect(Math.abs(share - 0.8)).toBeLessThan(0.025);
    }
  });

  test("what cannot be planned is null, not infinite", () => {
    expect(pairedTCases({ delta: 0, sd: 1 })).toBeNull();
    expect(pairedTCases({ delta: 0.1, sd: 0 })).toBeNull();
    expect(mcNemarDetectable({ n: 3, psi: 0.1 })).toBeNull();
    expect(detectable({ se: 0, df: 10 })).toBeNull();
  });
});

describe("repeats", () => {
  test("some of k runs pass at least as often as all of them", () => {
    const given = fc
      .integer({ min: 1, max: 60 })
      .chain((n) => fc.tuple(fc.constant(n), fc.nat(n), fc.integer({ min: 1, max: n })));
    fc.assert(
      fc.property(given, ([n, c, k]) => {
        const [some, all] = [passAtK(n, c, k) ?? NaN, passHatK(n, c, k) ?? NaN];
        expect([all >= 0, all <= some + 1e-12, some <= 1]).toEqual([true, true, true]);
      }),
    );
    expect([passAtK(2, 1, 3), passHatK(0, 0, 1)]).toEqual([null, null]);
  });
});

describe("families of tests", () => {
  const ps = fc.array(fc.option(real(0, 1)), { maxLength: 20 });

  test("adjusted p values are larger, in the same order, and Holm's the larger of both", () => {
    fc.assert(
      fc.property(ps, (given) => {
        const [strict, mild] = [holm(given), benjaminiHochberg(given)];
        for (const [index, p] of given.entries()) {
          const [h, b] = [strict[index] ?? null, mild[index] ?? null];
          expect([h === null, b === null]).toEqual([p === null, p === null]);
          if (p === null || h === null || b === null) continue;
          expect([b >= p - 1e-15, h >= b - 1e-12, h <= 1]).toEqual([true, true, true]);
          for (const [other, q] of given.entries())
            if (q !== null && q > p) expect(strict[other]).toBeGreaterThanOrEqual(h);
        }
      }),
    );
  });

  test("a p that is no number leaves the family", () => {
    expect(holm([0.02, Number.NaN, 0.03])).toEqual([0.04, null, 0.04]);
    expect(benjaminiHochberg([Number.NaN])).toEqual([null]);
  });

  test("a window of nights spends what one night spends again and again", () => {
    expect(nightlyFalseAlarm(perNightAlpha(0.05, 30), 30)).toBeCloseTo(0.05, 14);
    expect(nightlyFalseAlarm(1e-18, 1)).toBe(1e-18);
  });
});

describe("judges", () => {
  test("agreement by one class only is no agreement", () => {
    expect(
      cohensKappa([
        [9, 0],
        [0, 0],
      ]),
    ).toMatchObject({ kappa: null, observed: 1, reason: "both raters used one class only" });
    expect(
      cohensKappa([
        [0, 0],
        [0, 0],
      ]).kappa,
    ).toBeNull();
  });

  test("a judge that knows nothing corrects nothing, and a rate stays a rate", () => {
    expect(judgeQuality({ truePass: 0, falsePass: 2, trueFail: 6, falseFail: 0 })).toEqual({
      sensitivity: null,
      specificity: 0.75,
    });
    expect(judgeCorrectedRate(0.5, { sensitivity: 0.5, specificity: 0.5 }).corrected).toBeNull();
    expect(judgeCorrectedRate(0.5, { sensitivity: null, specificity: 0.5 }).corrected).toBeNull();
    expect(judgeCorrectedRate(0.01, { sensitivity: 0.95, specificity: 0.85 }).corrected).toBe(0);
  });
});

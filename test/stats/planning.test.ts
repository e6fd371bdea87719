import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cohensKappa, judgeCorrectedRate, judgeQuality } from "../../src/stats/rater-agreement.ts";
import { often } from "../often.ts";
import { pairwiseSwap } from "./oracles/pairwise-swap.ts";
import { binomialAtLeast } from "../../src/stats/distributions/binomial.ts";
import { clusterEstimate } from "../../src/stats/paired/cluster-t.ts";
import { clusterTotals } from "../../src/stats/clusters.ts";
import { equivalenceT } from "./oracles/equivalence.ts";
import { hodgesLehmann } from "./oracles/hodges-lehmann.ts";
import { benjaminiHochberg, holm } from "../../src/stats/multiplicity.ts";
import { nightlyFalseAlarm, perNightAlpha } from "../../src/stats/planning/nights.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { mcNemar } from "../../src/stats/paired/mcnemar.ts";
import { claimedP } from "../../src/stats/paired/method.ts";
import { scoreRule } from "../../src/stats/paired/score-method.ts";
import { countsPower, countsPowerAtMost, type Turning } from "../../src/stats/planning/gate-power.ts";
import { casesToSettle, settledCounts } from "../../src/stats/planning/settling.ts";
import { amongDiffering, beyondGains, countedDrop } from "../../src/stats/planning/planned-counts.ts";
import { detectable } from "../../src/stats/planning/detectable.ts";
import { mcNemarCases, mcNemarDetectable, mcNemarExactPower } from "./oracles/mcnemar-power.ts";
import { casesFor, detectableWith } from "./oracles/sample-size.ts";
import { pairedTCases, pairedTPower } from "./oracles/paired-t-power.ts";
import { clusterIcc, passAtK, passHatK } from "../../src/stats/planning/repeats.ts";
import { repeatTally } from "./oracles/repeats.ts";
import { wilcoxonSignedRank } from "./oracles/wilcoxon.ts";

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

  test("formulas solved for one side or the other agree", () => {
    const variance = { omega2: 0.1, sigma2A: 0.2, KA: 2, sigma2B: 0.15, KB: 3 };
    expect(detectableWith(casesFor(0.04, variance) ?? 0, variance)).toBeCloseTo(0.04, 12);
    const n = mcNemarCases({ pOnlyA: 0.03, pOnlyB: 0.09 }) ?? NaN;
    expect(mcNemarDetectable({ n, psi: 0.12 })).toBeCloseTo(0.06, 12);
    expect(mcNemarExactPower(Math.ceil(n), { pOnlyA: 0.03, pOnlyB: 0.09 })).toBeCloseTo(0.78, 1);
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
      const rule = scoreRule({ bothPass: n - onlyA - onlyB, onlyA, onlyB, bothFail: 0 });
      return (claimedP(rule, { ...gate, passAlpha: gate.alpha }).pRegression ?? 1) <= gate.alpha;
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
    expect(mcNemarCases({ pOnlyA: 0.1, pOnlyB: 0.1 })).toBeNull();
    expect(mcNemarDetectable({ n: 3, psi: 0.1 })).toBeNull();
    expect(detectable({ se: 0, df: 10 })).toBeNull();
    expect(casesFor(0, { omega2: 1, sigma2A: 1, KA: 1, sigma2B: 1, KB: 1 })).toBeNull();
    expect(mcNemarExactPower(5, { pOnlyA: 0, pOnlyB: 0 })).toBe(0);
  });
});

describe("the cases that settle a gate", () => {
  const levels = { alpha: 0.05, passAlpha: 0.05 };

  test("the quick chance of a claim is never less than that by the whole rule", () => {
    const claims = ["pass", "regression"] as const;
    fc.assert(
      fc.property(fc.constantFrom(...claims), fc.nat(60), real(0, 0.3), real(0, 0.4), (claim, cases, gains, losses) => {
        const asked = { claim, cases, margin: 0.05 };
        const power = countsPower(asked, levels)({ gains, losses });
        expect(countsPowerAtMost(asked, levels)({ gains, losses })).toBeGreaterThanOrEqual(power - 1e-12);
      }),
      { numRuns: often(15, 40) },
    );
  });

  test("the whole rule is asked only about sizes that the quick chance leaves open, and the answer is the same", () => {
    const counts = { bothPass: 9, onlyA: 0, onlyB: 1, bothFail: 0 };
    const gate = settledCounts(counts, { ...levels, margin: 0.3 });
    const { power } = gate;
    const asked: number[] = [];
    const counting: typeof power = (claim, cases) => {
      asked.push(cases);
      return power(claim, cases);
    };
    const range = { from: 10, most: 500 };
    const settled = casesToSettle({ ...gate, power: counting }, range);
    expect(settled).toBe(casesToSettle({ power }, range));
    expect(Math.min(...asked)).toBeGreaterThan(20);
    expect(asked.length).toBeLessThan(8);
  });
});

describe("repeats", () => {
  const of = (rows: number[][]): ReturnType<ReturnType<typeof repeatTally>["result"]> => {
    const tally = repeatTally();
    for (const row of rows) tally.add(row);
    return tally.result();
  };

  test("cases within clusters are as alike as runs within cases", () => {
    const cluster = fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(cluster, { minLength: 2, maxLength: 12 }), (rows) => {
        const totals = clusterTotals(
          Float64Array.from(rows.flat()),
          Int32Array.from(rows.flatMap((row, place) => row.map(() => place))),
        );
        const { icc1 } = of(rows);
        fc.pre(new Set(rows.flat()).size > 1);
        if (icc1 === null) expect(clusterIcc(totals)).toBeNull();
        else expect(clusterIcc(totals)).toBeCloseTo(icc1, 9);
      }),
    );
  });

  test("too few cases or runs leave nulls", () => {
    expect(of([])).toMatchObject({
      cases: 0,
      mean: null,
      se: null,
      withinVariance: null,
      icc1: null,
      flakyShare: null,
    });
    expect(of([[1], [0]])).toMatchObject({ mean: 0.5, withinVariance: null, betweenVariance: null, flakyShare: null });
    expect(of([[1, 1, 0]])).toMatchObject({ se: null, betweenVariance: null, flakyShare: 1 });
    expect(
      of([
        [1, 1],
        [1, 1],
      ]),
    ).toMatchObject({ withinVariance: 0, betweenVariance: 0, icc1: null, noiseShare: null, flakyShare: 0 });
  });

  test("a large mean takes no digits", () => {
    const small = of([
      [1, 2],
      [4, 6],
      [3, 3],
    ]);
    const large = of(
      [
        [1, 2],
        [4, 6],
        [3, 3],
      ].map((row) => row.map((value) => value + 1e9)),
    );
    expect(large.withinVariance).toBeCloseTo(small.withinVariance ?? NaN, 6);
    expect(large.betweenVariance).toBeCloseTo(small.betweenVariance ?? NaN, 6);
  });

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

describe("ranks", () => {
  const list = fc.array(fc.oneof(fc.constantFrom(0, 1, -1), real(-5, 5)), { maxLength: 40 });

  test("p values lie within (0, 1], and turn with the sign", () => {
    fc.assert(
      fc.property(list, fc.constantFrom("wilcox" as const, "pratt" as const), (given, zeros) => {
        const [one, other] = [given, given.map((value) => -value)].map((values) =>
          wilcoxonSignedRank(Float64Array.from(values), zeros),
        );
        for (const p of [one?.exact, one?.normal, one?.normalCorrected]) {
          expect(p).toBeGreaterThan(0);
          expect(p).toBeLessThanOrEqual(1);
        }
        expect(one?.exact).toBeCloseTo(other?.exact ?? NaN, 10);
      }),
    );
  });

  test("what is not finite has no rank, and no p of 0 either", () => {
    for (const odd of [Number.NaN, Infinity]) {
      const given = Float64Array.of(0.1, odd, -0.3);
      expect(wilcoxonSignedRank(given)).toMatchObject({ V: null, z: null, normal: null, exact: null });
      expect(hodgesLehmann(given)).toEqual({ estimate: null, interval: null, p: null });
    }
  });

  test("Hodges and Lehmann's estimate is the median of the means of pairs", () => {
    const values = fc.array(real(-5, 5), { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(values, (given) => {
        const means = given
          .flatMap((one, index) => given.slice(index).map((other) => one / 2 + other / 2))
          .toSorted((a, b) => a - b);
        const median = ((means[(means.length - 1) >> 1] ?? NaN) + (means[means.length >> 1] ?? NaN)) / 2;
        const { estimate, interval } = hodgesLehmann(Float64Array.from(given));
        expect(estimate).toBeCloseTo(median, 10);
        if (interval !== null) {
          expect(interval.low).toBeLessThanOrEqual((estimate ?? NaN) + 1e-12);
          expect(interval.high).toBeGreaterThanOrEqual((estimate ?? NaN) - 1e-12);
        }
      }),
    );
    expect(hodgesLehmann(new Float64Array(0))).toEqual({ estimate: null, interval: null, p: null });
    expect(hodgesLehmann(Float64Array.of(0.3, 0.2)).interval).toBeNull();
  });
});

describe("equivalence", () => {
  test("is shown exactly when the interval at 1 - 2 alpha lies within the limits", () => {
    const values = fc.array(real(-0.2, 0.2), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(values, (given) => {
        const estimate = clusterEstimate(clusterTotals(Float64Array.from(given), null));
        const found = equivalenceT(estimate, { low: -0.05, high: 0.05 });
        if (found.degenerate || found.interval === null) return;
        expect(found.equivalent).toBe(found.interval.low > -0.05 && found.interval.high < 0.05);
      }),
    );
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

  test("no verdict is no rate", () => {
    expect(pairwiseSwap([])).toMatchObject({ winRateA: null, positionConsistency: null });
  });
});

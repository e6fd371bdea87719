import { comparePairs } from "./compare-pairs.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clusterEstimate } from "../../src/stats/paired/cluster-t.ts";
import { clusterCodes, clusterTotals } from "../../src/stats/clusters.ts";
import { decideGates } from "../../src/compare/verdict/decide.ts";
import { questionOf } from "../compare/gate-question.ts";
import { boundsOf, differenceOf, type PairedData } from "../../src/stats/difference.ts";
import { mcNemar, type PairedCounts } from "../../src/stats/paired/mcnemar.ts";
import { tangoBounds, tangoInterval, tangoTest } from "./oracles/tango.ts";
import { wilsonInterval } from "../../src/stats/paired/proportion.ts";
import { often } from "../often.ts";

const count = fc.oneof(fc.nat(5), fc.nat(400), fc.nat(1_000_000));
const counts: fc.Arbitrary<PairedCounts> = fc.record({ bothPass: count, onlyA: count, onlyB: count, bothFail: count });
const swapped = ({ onlyA, onlyB, ...rest }: PairedCounts): PairedCounts => ({ ...rest, onlyA: onlyB, onlyB: onlyA });
const level = fc.double({ min: 0.5, max: 0.999, noNaN: true });

/** Differences as they come: many ties, no variation, huge, tiny, none at all. */
const difference = fc.oneof(
  fc.constantFrom(0, 0.1, -0.1, 0.5, 1, -1),
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const lists = fc.oneof(
  fc.array(difference, { maxLength: 60 }),
  fc.tuple(difference, fc.nat(40)).map(([value, n]) => Array.from({ length: n }, () => value)),
);
const data: fc.Arbitrary<PairedData> = lists.chain((values) =>
  fc.record({
    differences: fc.constant(Float64Array.from(values)),
    clusters: fc.option(fc.array(fc.nat(30), { minLength: values.length, maxLength: values.length }).map(clusterCodes)),
    counts: fc.constant(null),
    range: fc.constantFrom(1, null),
  }),
);

const vanishing = (...differences: number[]): PairedData => ({
  differences: Float64Array.from(differences),
  clusters: null,
  counts: null,
  range: 1,
});

/** Every number within a result. */
function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

const within = (p: number | null): boolean => p === null || (p > 0 && p <= 1);

describe("pass and fail, one run each side", () => {
  test("p values lie within (0, 1], and are the same when the sides are swapped", () => {
    fc.assert(
      fc.property(counts, (given) => {
        const { exact, midP } = mcNemar(given);
        expect([exact, midP].every(within)).toBe(true);
        expect(midP).toBeLessThanOrEqual(exact);
        expect(mcNemar(swapped(given))).toEqual(mcNemar(given));
      }),
    );
  });

  test("the ends of intervals are in order, hold the estimate, lie within -1 and 1, and swap with the sides", () => {
    fc.assert(
      fc.property(counts, level, (given, at) => {
        const n = given.bothPass + given.onlyA + given.onlyB + given.bothFail;
        const [found, other] = [tangoInterval(given, at), tangoInterval(swapped(given), at)];
        expect(found === null).toBe(n === 0);
        if (found === null || other === null) return;
        const estimate = (given.onlyA - given.onlyB) / n;
        expect(found.low).toBeGreaterThanOrEqual(-1);
        expect(found.low).toBeLessThanOrEqual(estimate + 1e-12);
        expect(found.high).toBeGreaterThanOrEqual(estimate - 1e-12);
        expect(found.high).toBeLessThanOrEqual(1);
        expect(found.high + other.low).toBeCloseTo(0, 9);
      }),
    );
  });

  test("a bound is where the score test stops rejecting", () => {
    fc.assert(
      fc.property(counts, level, (given, at) => {
        const bounds = tangoBounds(given, at);
        if (Math.abs(bounds.lower) > 0.999 || Math.abs(bounds.upper) > 0.999) return;
        expect(tangoTest(given, bounds.lower).pGreater).toBeCloseTo(1 - at, 6);
        expect(tangoTest(given, bounds.upper).pLess).toBeCloseTo(1 - at, 6);
      }),
    );
  });

  test("no discordant case is no certainty", () => {
    expect(tangoInterval({ bothPass: 1, onlyA: 0, onlyB: 0, bothFail: 0 }, 0.95)?.low).toBeCloseTo(-0.7935, 4);
  });

  test("the interval of one rate holds the rate", () => {
    const rate = fc.nat(3000).chain((n) => fc.tuple(fc.nat(n), fc.constant(n)));
    fc.assert(
      fc.property(rate, level, ([x, n], at) => {
        const wilson = wilsonInterval(x, n, at);
        expect(wilson === null).toBe(n === 0);
        if (wilson === null) return;
        const { low, high } = wilson;
        expect([low >= 0, low <= x / n + 1e-12, high >= x / n - 1e-12, high <= 1]).toEqual([true, true, true, true]);
      }),
    );
  });
});

describe("any differences", () => {
  test("nothing is NaN or infinite, p lies within (0, 1], and a missing answer has a reason", () => {
    fc.assert(
      fc.property(data, fc.constantFrom(0, 0.05, 1e300), (given, margin) => {
        const found = comparePairs(given, { margin });
        expect(numbersIn(found).filter((value) => !Number.isFinite(value))).toEqual([]);
        expect([found.p, found.pRegression, found.pPass].every(within)).toBe(true);
        expect(found.p === null || found.interval === null ? found.reason : "").not.toBeNull();
        const [gate] = decideGates([questionOf(given, { margin })], { alpha: 0.05, passAlpha: 0.05 });
        if (gate?.kind !== "margin") throw new TypeError("it has a margin");
        expect(numbersIn(gate).filter((value) => !Number.isFinite(value))).toEqual([]);
        expect(gate.settle === null).toBe(gate.state !== "inconclusive");
        // The number that decides is the number shown, for differences and margins that a score can have.
        if (margin > 1 || given.differences.some((each) => Math.abs(each) > 1)) return;
        const { lower, upper } = gate.decided ?? { lower: null, upper: null };
        if (gate.state === "regression") expect(upper ?? Infinity).toBeLessThanOrEqual(-margin);
        if (gate.state === "pass") expect(lower ?? -Infinity).toBeGreaterThanOrEqual(-margin);
        if (gate.state === "inconclusive" && lower !== null)
          expect(lower).toBeLessThanOrEqual(-margin * (1 - 1e-9) + 1e-9);
        if (gate.state === "inconclusive" && upper !== null)
          expect(upper).toBeGreaterThanOrEqual(-margin * (1 + 1e-9) - 1e-9);
      }),
      {
        numRuns: often(100, 400),
        // Drawn in 20,000 runs: one more row that loses all of the scale overflowed on the scale of differences that nearly vanish.
        examples: [
          [vanishing(0, 0, 0, 0, 1.5e-323), 0],
          [vanishing(0, -3.7e-160, -2e-294, -1.2e-194, -5.3e-244), 0.05],
        ],
      },
    );
  });

  test("bounds are in order and hold the estimate", () => {
    fc.assert(
      fc.property(data, (given) => {
        // What a scale does not allow has no bound within it.
        fc.pre(given.range === null || given.differences.every((each) => Math.abs(each) <= 1));
        const { estimate, interval } = comparePairs(given, { margin: 0.05 });
        const bounds = boundsOf(differenceOf(given), { margin: 0.05, upper: 0.95, lower: 0.95 });
        const slack = 1e-9 * Math.max(1, Math.abs(estimate ?? 0));
        if (estimate !== null && interval !== null) {
          expect(interval.low).toBeLessThanOrEqual(estimate + slack);
          expect(interval.high).toBeGreaterThanOrEqual(estimate - slack);
        }
        if (bounds.lower !== null && bounds.upper !== null)
          expect(bounds.lower).toBeLessThanOrEqual(bounds.upper + slack);
      }),
    );
  });

  test("the order of the rows does not matter", () => {
    const rows = fc.array(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.nat(9)), {
      minLength: 20,
      maxLength: 80,
    });
    fc.assert(
      fc.property(rows, (given) => {
        const of = (list: [number, number][]): ReturnType<typeof clusterEstimate> =>
          clusterEstimate(
            clusterTotals(
              Float64Array.from(list, ([d]) => d),
              clusterCodes(list.map(([, cluster]) => cluster)),
            ),
          );
        const [one, other] = [of(given), of(given.toReversed())];
        expect(one.mean).toBeCloseTo(other.mean ?? NaN, 12);
        expect(one.se ?? -1).toBeCloseTo(other.se ?? -1, 9);
      }),
    );
  });

  test("what is better for one side is worse for the other", () => {
    fc.assert(
      fc.property(data, (given) => {
        const mirrored = { ...given, differences: given.differences.map((value) => -value) };
        const [one, other] = [given, mirrored].map((each) => comparePairs(each, { margin: 0 }));
        expect(one?.p ?? -1).toBeCloseTo(other?.p ?? -1, 9);
        // A pass alone is held back by losses that nobody has seen.
        const [regression, pass] = [one?.pRegression ?? -1, other?.pPass ?? -1];
        if (other?.heldBy === null) expect(regression).toBeCloseTo(pass, 6);
        else expect(pass).toBeGreaterThanOrEqual(regression - 1e-6);
      }),
    );
  });

  test("a value that is not a number makes no difference to be told", () => {
    for (const value of [Number.NaN, Infinity]) {
      const found = comparePairs(
        {
          differences: Float64Array.of(...Array.from({ length: 30 }, () => 0.1), value),
          clusters: null,
          counts: null,
          range: 1,
        },
        { margin: 0.05 },
      );
      expect(found).toMatchObject({ p: null, estimate: null, reason: { kind: "not-finite" } });
    }
  });
});

const stateOf = (question: ReturnType<typeof questionOf>) =>
  decideGates([question], { alpha: 0.05, passAlpha: 0.05 })[0]?.state;

describe("the choice of the test", () => {
  const spread = (n: number): Float64Array => Float64Array.from({ length: n }, (_, index) => Math.sin(index * index));
  const byDifferences = (n: number): string =>
    comparePairs({ differences: spread(n), clusters: null, counts: null, range: null }, { margin: 0.05 }).test;

  test("is by the number of clusters", () => {
    expect([4, 5, 19, 20].map(byDifferences)).toEqual(["none", "cluster-t", "cluster-t", "cluster-t"]);
  });

  test("goes by clusters, not by cases", () => {
    const differences = spread(100);
    const clusters = Int32Array.from(differences, (_, index) => index % 4);
    const found = comparePairs({ differences, clusters, counts: null, range: 1 }, { margin: 0.05 });
    expect(found).toMatchObject({ n: 100, clusters: 4, test: "none", p: null });
    expect(found.reason).toEqual({ kind: "few-clusters", clusters: 4, fewest: 5 });
    const question = questionOf({ differences, clusters, counts: null, range: 1 }, { margin: 0.05 });
    expect(stateOf(question)).toBe("inconclusive");
  });

  test("two cases are enough for a standard error", () => {
    const found = clusterEstimate(clusterTotals(Float64Array.of(0.1, 0.3), null));
    expect(found).toMatchObject({ df: 1, reason: null });
    expect(found.se).toBeCloseTo(0.1, 12);
    expect(found.seIndependent).toBeCloseTo(0.1, 12);
  });

  test("a cluster number without a case is no cluster", () => {
    const differences = Float64Array.of(0.1, 0.2, -0.1, 0.4);
    const gaps = clusterTotals(differences, Int32Array.of(0, 7, 7, 3));
    expect(clusterEstimate(gaps)).toEqual(clusterEstimate(clusterTotals(differences, Int32Array.of(0, 2, 2, 1))));
    expect(gaps.sizes).toHaveLength(3);
  });

  test("is McNemar's for passes and fails of one run", () => {
    const given = { bothPass: 300, onlyA: 10, onlyB: 40, bothFail: 50 };
    const found = comparePairs(
      { differences: new Float64Array(0), clusters: null, counts: given, range: 1 },
      { margin: 0.02 },
    );
    expect(found).toMatchObject({ test: "exact-score", p: mcNemar(given).midP });
  });

  test("an interval does not go beyond what the scale allows", () => {
    const differences = Float64Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? -1 : -0.7));
    const of = (range: number | null) =>
      differenceOf({ differences, clusters: null, counts: null, range }).interval(0.999999);
    expect(of(1)?.low).toBe(-1);
    expect(of(null)?.low).toBeLessThan(-1);
    expect(of(1)?.high).toBe(of(null)?.high);
  });

  test("no variation is not taken for certainty where the scale is known", () => {
    const found = comparePairs(
      { differences: new Float64Array(30), clusters: null, counts: null, range: 1 },
      { margin: 0.05 },
    );
    expect(found.interval?.low).toBeCloseTo(0.025 ** (1 / 30) - 1, 9);
    const of = (differences: Float64Array) =>
      questionOf({ differences, clusters: null, counts: null, range: 1 }, { margin: 0.05 });
    expect(stateOf(of(new Float64Array(30)))).toBe("inconclusive");
    expect(stateOf(of(new Float64Array(30).fill(-1)))).toBe("regression");
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideGates, gateFindings } from "../../src/compare/verdict/decide.ts";
import { questionOf } from "../compare/gate-question.ts";
import { binomialPmf } from "../../src/stats/distributions/binomial.ts";
import { exactScore, likelyRate } from "../../src/stats/paired/exact-score.ts";
import { tangoBounds, tangoTest } from "./oracles/tango.ts";

const countsOf = (n: number, onlyA: number, onlyB: number) => ({
  bothPass: n - onlyA - onlyB,
  onlyA,
  onlyB,
  bothFail: 0,
});

/** The chance of so many cases that pass on one side alone. */
function chanceOf({ n, a, b }: { n: number; a: number; b: number }, [onlyA, onlyB]: readonly [number, number]): number {
  return binomialPmf(a, n, onlyA) * binomialPmf(b, n - a, Math.min(1, onlyB / (1 - onlyA)));
}

function* outcomesOf(n: number): Generator<{ n: number; a: number; b: number }> {
  for (let a = 0; a <= n; a++) for (let b = 0; a + b <= n; b++) yield { n, a, b };
}

describe("the score test whose p is counted", () => {
  test("adds up the chances of all outcomes that are as extreme", () => {
    const margins = fc.constantFrom(0, 0.02, 0.05, 0.2);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 18 }), fc.nat(18), fc.nat(18), margins, (n, first, second, margin) => {
        const onlyA = Math.min(first, n);
        const onlyB = Math.min(second, n - onlyA);
        const seen = countsOf(n, onlyA, onlyB);
        const z = tangoTest(seen, -margin).z;
        const rate = Math.max(0, likelyRate({ ...seen, onlyA: onlyB, onlyB: onlyA }, margin));
        let [less, greater] = [0, 0];
        for (const outcome of outcomesOf(n)) {
          const other = tangoTest(countsOf(n, outcome.a, outcome.b), -margin).z;
          const weight = chanceOf(outcome, [rate, rate + margin]);
          if (other <= z + 1e-9 * (1 + Math.abs(z))) less += weight;
          if (other >= z - 1e-9 * (1 + Math.abs(z))) greater += weight;
        }
        const found = exactScore(seen).p(-margin);
        const normal = tangoTest(seen, -margin);
        expect(found.less).toBeCloseTo(Math.min(1, Math.max(less, normal.pLess)), 9);
        expect(found.greater).toBeCloseTo(Math.min(1, Math.max(greater, normal.pGreater)), 9);
      }),
      { numRuns: 60 },
    );
  });

  test("is that of the normal distribution where many cases differ, and stays a number where p is tiny", () => {
    const many = countsOf(4000, 600, 700);
    expect(exactScore(many).p(-0.01).less).toBe(tangoTest(many, -0.01).pLess);
    expect(exactScore(countsOf(1e6, 300, 300)).p(-0.05).greater).toBe(Number.MIN_VALUE);
    expect(exactScore(countsOf(1e6, 0, 0)).p(0)).toEqual({ greater: 1, less: 1 });
  });
});

const levels = { alpha: 0.05, passAlpha: 0.05 };

/** Chance of each answer of a gate when the drop is exactly the margin: no draw, all outcomes with their chances. */
function saidAt(n: number, margin: number, onlyA: number): { byBounds: Said; byGate: Said } {
  const said = { byBounds: { regression: 0, pass: 0 }, byGate: { regression: 0, pass: 0 } };
  for (const outcome of outcomesOf(n)) {
    const weight = chanceOf(outcome, [onlyA, onlyA + margin]);
    if (weight < 1e-9) continue;
    const data = {
      differences: new Float64Array(0),
      clusters: null,
      counts: countsOf(n, outcome.a, outcome.b),
      range: 1,
    };
    const [{ state } = { state: null }] = gateFindings([questionOf(data, { margin })], levels);
    const bounds = tangoBounds(data.counts, 0.95);
    if (state === "regression" || state === "pass") said.byGate[state] += weight;
    if (bounds.upper < -margin) said.byBounds.regression += weight;
    if (bounds.lower > -margin) said.byBounds.pass += weight;
  }
  return said;
}

interface Said {
  regression: number;
  pass: number;
}

describe("a gate where few cases differ", () => {
  test("gives no more than one false alarm in twenty when the drop is the margin, where the bound alone does in one of eleven", () => {
    const { byBounds, byGate } = saidAt(60, 0.05, 0.01);
    expect(byBounds.regression).toBeGreaterThan(0.085);
    expect(byGate.regression).toBeLessThan(0.05);
    expect(byGate.regression).toBeGreaterThan(0.035);
  });

  test("keeps its level for other sizes and margins too, for a pass as well", () => {
    for (const [n, margin] of [
      [30, 0.1],
      [52, 0.05],
      [88, 0.03],
    ] as const) {
      for (const onlyA of [0, 0.01, 0.05]) {
        const { byGate } = saidAt(n, margin, onlyA);
        expect(byGate.regression).toBeLessThan(0.055);
        expect(byGate.pass).toBeLessThan(0.055);
      }
    }
    expect(saidAt(52, 0.05, 0).byBounds.pass).toBeGreaterThan(0.069);
  });

  test("is open with the bound of the counting, where the bound of the normal distribution would have let it pass", () => {
    const counts = countsOf(55, 0, 0);
    expect(tangoBounds(counts, 0.95).lower).toBeGreaterThan(-0.05);
    const question = questionOf(
      { differences: new Float64Array(0), clusters: null, counts, range: 1 },
      { margin: 0.05 },
    );
    const [gate] = decideGates([question], levels);
    expect(gate).toMatchObject({
      state: "inconclusive",
      decided: { pPass: expect.closeTo(0.0595, 3) },
      settle: { kind: "cases", fewestToPass: 59 },
    });
    expect(gate?.kind === "margin" && gate.decided?.lower).toBeLessThan(-0.05);
  });
});

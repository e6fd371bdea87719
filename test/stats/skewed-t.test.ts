import { expect, test } from "vitest";
import { gateFindings } from "../../src/compare/verdict/decide.ts";
import { questionOf } from "../compare/gate-question.ts";
import { randomStream, type RandomStream } from "../../src/lib/random.ts";
import { clusterEstimate } from "../../src/stats/paired/cluster-t.ts";
import { clusterTotals } from "../../src/stats/clusters.ts";
import { differenceOf } from "../../src/stats/difference.ts";
import { normalQuantile } from "../../src/stats/distributions/normal.ts";
import { tBounds, tTest } from "../../src/stats/paired/t-estimate.ts";
import { often } from "../often.ts";

const estimateOf = (values: number[]) => clusterEstimate(clusterTotals(Float64Array.from(values), null));

const claimed = (values: number[], supposed: number) =>
  differenceOf({ differences: Float64Array.from(values), clusters: null, counts: null, range: 1 }).method?.p(
    supposed,
  ) ?? { greater: NaN, less: NaN };

test("values without skew have the p of Student's t; a few large drops weaken a pass, a few large gains a regression", () => {
  const even = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 0.1 + i / 400 : -0.1 - (i - 1) / 400));
  const plain = tTest(estimateOf(even), -0.02);
  expect(claimed(even, -0.02).greater).toBeCloseTo(plain.pGreater ?? NaN, 6);
  expect(claimed(even, -0.02).less).toBeCloseTo(plain.pLess ?? NaN, 6);
  const drops = Array.from({ length: 60 }, (_, i) => (i < 1 ? -1 : 0.001 * Math.sin(i)));
  expect(tTest(estimateOf(drops), -0.05).pGreater).toBeLessThan(0.03);
  expect(claimed(drops, -0.05).greater).toBeGreaterThan(0.1);
  const gains = drops.map((drop) => -drop);
  expect(claimed(gains, 0.05).less).toBeCloseTo(claimed(drops, -0.05).greater, 9);
});

/** Share of draws that the gate passes when the drop is the margin, and that the bound alone would pass. */
function passes(
  draw: (random: RandomStream) => number,
  { n, range = 1, margin = 0.05, rounds = 600 }: { n: number; range?: number | null; margin?: number; rounds?: number },
): { gate: number; bound: number } {
  const random = randomStream(`skewed ${n}`);
  const said = { gate: 0, bound: 0 };
  for (let round = 0; round < rounds; round++) {
    const differences = Float64Array.from({ length: n }, () => draw(random));
    const data = { differences, clusters: null, counts: null, range };
    const [gate] = gateFindings([questionOf(data, { margin })], { alpha: 0.05, passAlpha: 0.05 });
    said.gate += Number(gate?.state === "pass") / rounds;
    said.bound += Number((tBounds(estimateOf([...differences]), 0.95).lower ?? -1) > -margin) / rounds;
  }
  return said;
}

test("rare fails do not pass too easily where the baseline was asked twice, nor answers that never vary", () => {
  const fixed = passes((random) => (random.next() < 0.05 ? -1 : 0), { n: 60 });
  expect(fixed.bound).toBeGreaterThan(0.12);
  expect(fixed.gate).toBeLessThan(0.075);
  const pass = (random: RandomStream, chance: number): number => Number(random.next() < chance);
  const rare = passes((random) => pass(random, 0.92) - (pass(random, 0.97) + pass(random, 0.97)) / 2, { n: 100 });
  expect(rare.gate).toBeLessThan(0.075);
  expect(rare.bound).toBeGreaterThan(rare.gate);
});

test("few values with a long tail do not pass too easily, although t alone would let them", () => {
  // Their mean is the margin; e^(1/2) is the mean of exp of a normal number.
  const lost = (random: RandomStream): number => Math.exp(0.5) - Math.exp(normalQuantile(random.next())) - 1;
  const twelve = passes(lost, { n: 12, range: null, margin: 1, rounds: often(200, 600) });
  expect(twelve.bound).toBeGreaterThan(0.1);
  expect(twelve.gate).toBeLessThan(0.085);
});

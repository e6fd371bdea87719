import { expect, test } from "vitest";
import { gateStates } from "../../src/compare/summary/gates.ts";
import { questionOf } from "../compare/gate-question.ts";
import { randomStream, type RandomStream } from "../../src/lib/random.ts";
import { clusterEstimate } from "../../src/stats/paired/cluster-t.ts";
import { clusterTotals } from "../../src/stats/clusters.ts";
import { skewedMethod } from "../../src/stats/paired/skewed-t.ts";
import { tBounds, tTest } from "../../src/stats/paired/t-estimate.ts";

const estimateOf = (values: number[]) => clusterEstimate(clusterTotals(Float64Array.from(values), null));

test("values without skew have the p of Student's t; a few large drops weaken a pass, a few large gains a regression", () => {
  const even = estimateOf(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 0.1 + i / 400 : -0.1 - (i - 1) / 400)));
  const found = skewedMethod(even, true)?.against(-0.02);
  const plain = tTest(even, -0.02);
  expect(found?.pGreater).toBeCloseTo(plain.pGreater ?? NaN, 6);
  expect(found?.pLess).toBeCloseTo(plain.pLess ?? NaN, 6);
  const drops = Array.from({ length: 60 }, (_, i) => (i < 1 ? -1 : 0.001 * Math.sin(i)));
  expect(tTest(estimateOf(drops), -0.05).pGreater).toBeLessThan(0.03);
  expect(skewedMethod(estimateOf(drops), true)?.against(-0.05).pGreater).toBeGreaterThan(0.1);
  const gains = drops.map((drop) => -drop);
  expect(skewedMethod(estimateOf(gains), true)?.against(0.05).pLess).toBeCloseTo(
    skewedMethod(estimateOf(drops), true)?.against(-0.05).pGreater ?? NaN,
    9,
  );
  expect(skewedMethod(estimateOf([0.1, 0.1, 0.1]), true)).toBeNull();
});

/** Share of draws that the gate passes when the drop is the margin, and that the bound alone would pass. */
function passes(draw: (random: RandomStream) => number, n: number): { gate: number; bound: number } {
  const random = randomStream(`skewed ${n}`);
  const said = { gate: 0, bound: 0 };
  const rounds = 600;
  for (let round = 0; round < rounds; round++) {
    const differences = Float64Array.from({ length: n }, () => draw(random));
    const data = { differences, clusters: null, counts: null, range: 1 };
    const [gate] = gateStates([questionOf(data, { margin: 0.05, seed: "x" })], { alpha: 0.05, passAlpha: 0.05 });
    said.gate += Number(gate?.state === "pass") / rounds;
    said.bound += Number((tBounds(estimateOf([...differences]), 0.95).lower ?? -1) > -0.05) / rounds;
  }
  return said;
}

test("rare fails do not pass too easily where the baseline was asked twice, nor answers that never vary", () => {
  const fixed = passes((random) => (random.next() < 0.05 ? -1 : 0), 60);
  expect(fixed.bound).toBeGreaterThan(0.12);
  expect(fixed.gate).toBeLessThan(0.075);
  const pass = (random: RandomStream, chance: number): number => Number(random.next() < chance);
  const rare = passes((random) => pass(random, 0.92) - (pass(random, 0.97) + pass(random, 0.97)) / 2, 100);
  expect(rare.gate).toBeLessThan(0.075);
  expect(rare.bound).toBeGreaterThan(rare.gate);
});

import { expect, test } from "vitest";
import { scoreTally, type TargetScore } from "../../src/compare/tallies/score-tally.ts";
import type { SideValue } from "../../src/compare/cases/side-value.ts";
import { clusterEstimate } from "../../src/stats/paired/cluster-t.ts";
import { clusterTotals } from "../../src/stats/clusters.ts";
import { wilsonInterval } from "../../src/stats/paired/proportion.ts";
import { tInterval } from "../../src/stats/paired/t-estimate.ts";
import { passing } from "./case-result.ts";

const value = (mean: number, runs = 1, missing = 0): SideValue => {
  return { mean, answered: mean, runs, missing, unscored: 0, isBeside: false, squares: 0, cut: 0, passes: null };
};

function scoreOf(values: readonly SideValue[], given: { clusters?: number; compared?: typeof rate } = {}): TargetScore {
  const { clusters, compared = rate } = given;
  const tally = scoreTally(compared, clusters !== undefined);
  for (const [place, each] of values.entries()) tally.add(each, place % (clusters ?? values.length));
  return tally.score();
}

const rate = passing();
const chrf = passing({ passes: false, scale: { kind: "bounded", min: 0, max: 100 } });

test("a rate has Wilson's interval, never one of no width, also where cases ran several times", () => {
  expect(scoreOf(Array.from({ length: 20 }, () => value(1))).interval).toEqual(wilsonInterval(20, 20, 0.95));
  const twice = scoreOf(Array.from({ length: 40 }, (_, i) => value(i % 4 === 0 ? 0.5 : 1, 2)));
  expect(twice).toMatchObject({ mean: 0.875, interval: wilsonInterval(35, 40, 0.95) });
});

test("a mean has Student's, none without variation, and a ratio has none", () => {
  const values = Array.from({ length: 12 }, (_, i) => value(50 + i));
  const { interval } = scoreOf(values, { compared: chrf });
  expect(interval?.low).toBeCloseTo(53.209, 3);
  expect(interval?.high).toBeCloseTo(57.791, 3);
  expect(
    scoreOf(
      Array.from({ length: 12 }, () => value(50)),
      { compared: chrf },
    ).interval,
  ).toBeNull();
  expect(scoreOf(values, { compared: { ...chrf, of: "ratio" } }).interval).toBeNull();
});

test("where cases belong together the interval is that of so many clusters", () => {
  const means = Array.from({ length: 120 }, (_, i) => (i % 40 < 10 ? 0 : 1));
  const { interval } = scoreOf(
    means.map((mean) => value(mean)),
    { clusters: 40 },
  );
  const estimate = clusterEstimate(
    clusterTotals(
      Float64Array.from(means),
      Int32Array.from(means, (_, i) => i % 40),
    ),
  );
  const expected = tInterval(estimate, 0.95);
  expect(interval?.low).toBeCloseTo(expected?.low ?? NaN, 12);
  expect(interval?.high).toBeCloseTo(expected?.high ?? NaN, 12);
  const all = Array.from({ length: 120 }, () => value(1));
  expect(scoreOf(all, { clusters: 40 }).interval).toEqual(wilsonInterval(40, 40, 0.95));
  expect(scoreOf(all, { clusters: 4 }).interval).toBeNull();
});

test("cases that ran several times say how often one of the runs passes, and how often all do", () => {
  const values = [value(1, 3), value(2 / 3, 3), value(1 / 3, 2, 1), value(0, 3), value(0.5, 2)];
  // The case with two graded runs says nothing of three.
  expect(scoreOf(values).repeated).toEqual({ k: 3, cases: 4, passAtK: 0.75, passHatK: 0.25 });
  expect(scoreOf([value(1), value(0)]).repeated).toBeNull();
  expect(scoreOf(values, { compared: chrf }).repeated).toBeNull();
});

test("scores that add up to no number have no mean and no interval", () => {
  const huge = passing({ passes: false, scale: { kind: "unbounded", unit: null } });
  const found = scoreOf(
    Array.from({ length: 30 }, (_, i) => value(i % 2 === 0 ? 1e308 : 9e307)),
    { compared: huge },
  );
  expect(found).toMatchObject({ mean: null, interval: null, cases: 30 });
});

import { expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { compareRead } from "../../src/compare/cases/case-comparison.ts";
import { readSide } from "../../src/compare/cases/case-side.ts";
import { reportFrame } from "../../src/app/report/report-frame.ts";
import { reportRow } from "../../src/report/model/model-row.ts";
import { isInGroup, rowGroup } from "../../src/report/model/row-groups.ts";
import { binWords, scoreBins } from "../../src/report/model/score-bins.ts";
import { reportMetrics } from "../../src/report/model/model-gates.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { aCase, candidate, passing, prod, says, settings } from "../compare/case-result.ts";
import { toldOf } from "./run-summary.ts";

const bounded = passing({ name: "similar", passes: false, scale: { kind: "bounded", min: 0, max: 100 } });
const unbounded = passing({ name: "seconds", passes: false, primary: false, scale: { kind: "unbounded", unit: "s" } });
const plan = {
  ...settings,
  metrics: [
    bounded,
    {
      ...unbounded,
      places: new Map([
        [1, 1],
        [2, 1],
      ]),
    },
  ],
};

/** 200 cases with two scores; of some the candidate has none. */
function cases(): PairedResult[] {
  const random = seededRandom("scores");
  const scores = (isGraded: boolean) => ({
    scores: [random() * 100, random() < 0.1 ? 0 : random() ** 4 * 90 - 2].map((value) => ({
      value: isGraded ? Math.round(value * 10) / 10 : null,
      pass: null,
      reason: null,
    })),
  });
  return Array.from({ length: 200 }, (_, i) =>
    aCase(`k${i}`, [says(prod, "a", scores(true)), says(candidate, "b", scores(i % 10 !== 0))]),
  );
}

test("each count of scores leads to as many rows, of a target by itself and of both sides", () => {
  const results = cases();
  const { model } = toldOf(results, {}, plan);
  const frame = reportFrame(plan);
  const rows = results.map((result, place) => {
    const read = plan.sides.map((side) => readSide(result, side, plan.metrics));
    return reportRow(result, compareRead(result, read, plan), plan, place + 1);
  });
  const found = (group: readonly string[]): number =>
    rows.filter((row) => isInGroup(row, group, { frame, pair: 0 })).length;
  expect(model.scores.map(({ metric }) => metric)).toEqual(["similar", "seconds"]);
  for (const [place, { bins, targets, pairs }] of model.scores.entries()) {
    const metric = frame.metrics[place];
    if (metric === undefined) throw new Error("a metric is missing");
    for (const { target, counts } of targets) {
      expect(counts.reduce((sum, each) => sum + each, 0)).toBe(target === "prod" ? 200 : 180);
      for (const [at, { bin }] of bins.entries()) expect(found(rowGroup.score(target, bin, metric))).toBe(counts[at]);
    }
    expect(pairs[0]?.cells.reduce((sum, cell) => sum + cell.cases, 0)).toBe(180);
    for (const cell of pairs[0]?.cells ?? []) {
      const [from, to] = [bins[cell.baseline]?.bin ?? NaN, bins[cell.candidate]?.bin ?? NaN];
      const group = rowGroup.scores(rowGroup.score("prod", from, metric), rowGroup.score("test", to, metric));
      expect(found(group)).toBe(cell.cases);
    }
  }
});

test("the ranges of a scale are twentieths of it with both of its ends; without ends they are tenths of a power of ten", () => {
  const [scale, open] = reportMetrics(plan.metrics);
  if (scale === undefined || open === undefined) throw new Error("a metric is missing");
  const words = (score: number, metric: typeof scale): string => binWords(scoreBins(metric).binOf(score), metric);
  expect([0, 4.9, 5, 15, 99, 100].map((score) => words(score, scale))).toEqual([
    "0 to 5",
    "0 to 5",
    "5 to 10",
    "15 to 20",
    "95 to 100",
    "95 to 100",
  ]);
  expect([0, 1, 1.2, 10, -3].map((score) => words(score, open))).toEqual([
    "0 s",
    "1 s to 1.26 s",
    "1 s to 1.26 s",
    "10 s to 12.6 s",
    "−3.16 s to −2.51 s",
  ]);
  for (let power = -3; power < 6; power++) {
    const { from } = scoreBins(open).rangeOf(scoreBins(open).binOf(10 ** power));
    expect(from).toBeCloseTo(10 ** power, 9);
  }
});

test("metrics that only pass or fail are not counted", () => {
  const results = cases().map((result) => ({
    ...result,
    jobs: result.jobs.map((job) => Object.assign(job, { scores: [{ value: 1, pass: true, reason: null }] })),
  }));
  expect(toldOf(results, {}, { metrics: [passing()] }).model.scores).toEqual([]);
});

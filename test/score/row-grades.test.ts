import { describe, expect, test } from "vitest";
import { gradeAtOnce, gradeComposites, type Grades, gradingOf } from "../../src/app/grade/grading.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { scorerSpecs } from "../../src/score/contract/spec.ts";
import { makeScorers } from "../../src/score/make.ts";
import { checkScorer } from "../../src/score/row-checks.ts";
import { answered } from "./answered.ts";

/** The score of an answer by the checks of its row. */
async function gradedBy(checks: JsonObject[], threshold: number | null = null) {
  const [made] = await makeScorers(scorerSpecs([{ type: "checks" }]), { trust: null, timeoutMs: 1_000 });
  const answer = answered("x", { case: { checks: { scorers: checks, threshold } } });
  return made?.scorer.kind === "pure" ? made.scorer.grade(answer) : null;
}

const holds = { type: "contains", value: "x" };
const fails = { type: "contains", value: "y" };

describe("the checks of a row", () => {
  test("that pass by themselves say by how much their mean is below the row's threshold", async () => {
    const check = { type: "bleu", value: "x y z", threshold: 0, use: "value" };
    expect(await gradedBy([check], 0.9)).toEqual({
      value: expect.any(Number),
      pass: false,
      reason: expect.stringMatching(/^the mean 0(\.\d+)? is below the threshold 0\.9$/),
    });
  });

  test("say so where the mean is hardly below the threshold", async () => {
    const set = (passing: number, failing: number): JsonObject[] => [
      { ...holds, weight: passing },
      { ...fails, weight: failing },
    ];
    expect(await gradedBy(set(899, 101), 0.9)).toMatchObject({
      reason: expect.stringMatching(/^the mean 0\.899 is below the threshold 0\.9; /),
    });
  });

  test("count by their values only where these are shares of 1", () => {
    const value = { value: "x", threshold: 5, use: "value" };
    const fault =
      'use is "value", but its values do not lie between 0 and 1 where more is better. Leave use out: then it counts whether the check passes';
    const refused = { ok: false, fault: `the check edit-distance: ${fault}` };
    expect(checkScorer({ type: "edit-distance", ...value })).toEqual(refused);
    expect(checkScorer({ set: [{ type: "edit-distance", ...value }] })).toEqual(refused);
    for (const check of [{ type: "chrf" }, { type: "wer" }])
      expect(checkScorer({ ...value, ...check })).toMatchObject({ ok: false, fault: expect.stringContaining(fault) });
    expect(checkScorer({ type: "length" })).toMatchObject({ ok: false, fault: expect.stringMatching(/neither pass/) });
    for (const check of [{ max: 5 }, { weight: 0 }])
      expect(checkScorer({ type: "length", ...check })).toMatchObject({ ok: true });
    for (const type of ["bleu", "rouge-l", "equals"])
      expect(checkScorer({ type, value: "x", use: "value" })).toMatchObject({ ok: true });
  });

  test("are graded without a set of which nothing counts", async () => {
    const measured = { set: [{ ...holds, weight: 0 }] };
    expect(await gradedBy([measured, fails])).toMatchObject({ value: 0, pass: false });
    expect(await gradedBy([{ set: [{ type: "cost", max: 1 }] }, holds])).toMatchObject({ value: 1, pass: true });
    expect(await gradedBy([measured])).toEqual({ unscored: "the row has no checks that count" });
    expect(await gradedBy([{ set: [{ type: "cost", max: 1 }] }])).toEqual({
      unscored: "test has no price to check the cost by",
    });
  });
});

describe("the mean of a row", () => {
  /** Grades with the checks of the row and a scorer `no`, as a run does. */
  async function meanOf(checks: JsonObject[], given: { price?: number } = {}): Promise<unknown> {
    const prices = given.price === undefined ? {} : { test: { run: given.price } };
    const specs = scorerSpecs([
      { name: "whole", type: "row-mean", of: ["checks", "no"] },
      { type: "checks", prices },
      { name: "no", type: "equals", value: "y" },
    ]);
    const made = await makeScorers(specs, { trust: null, timeoutMs: 1_000 });
    const stored = made.map(({ spec, metric }) => ({ spec, metric, code: null, graded: "now" as const }));
    const grading = gradingOf({ made, stored });
    const answer = answered("x", { case: { checks: { scorers: checks, threshold: 0.6 } } });
    const grades: Grades = [null, null, null];
    gradeAtOnce(grading, answer, grades);
    gradeComposites(grading, answer, grades);
    return grades[0];
  }
  const cost = { type: "cost", max: 1, weight: 8 };

  test("weighs its own checks by those that are graded", async () => {
    const checks = [cost, { ...holds, weight: 1 }, { scorer: "no" }];
    expect(await meanOf(checks)).toMatchObject({ value: 0.5, pass: false });
    expect(await meanOf(checks, { price: 0.1 })).toMatchObject({ value: 0.9, pass: true });
  });

  test("has no part for own checks of which none is graded", async () => {
    expect(await meanOf([cost, { scorer: "no" }])).toMatchObject({ value: 0, pass: false });
    const measured = { set: [{ ...holds, weight: 0 }] };
    expect(await meanOf([measured, { scorer: "no" }])).toMatchObject({ value: 0, pass: false });
    expect(await meanOf([cost])).toEqual({ unscored: "test has no price to check the cost by" });
  });
});

import { describe, expect, test } from "vitest";
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
    for (const check of [{ type: "chrf" }, { type: "bleu", lower_is_better: true }, { type: "wer" }])
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

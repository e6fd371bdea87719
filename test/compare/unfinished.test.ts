import { describe, expect, test } from "vitest";
import type { JobResult } from "../../src/store/results/case-result.ts";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { compareCases } from "./compare-cases.ts";
import { aCase, aTarget, candidate, failed, passing, prod, says, scored, settings, unfinished } from "./case-result.ts";

/** Cases of which so many were not finished by the candidate: a deployment that was stopped, a budget that was spent. */
function cases(count: number, open: number): PairedResult[] {
  return Array.from({ length: count }, (_, i) =>
    aCase(`k${i}`, [
      says(prod, "a", scored(true)),
      i < open ? unfinished(candidate) : says(candidate, "a", scored(true)),
    ]),
  );
}

const measured = { ...settings, metrics: [passing()] };

describe("jobs that are not finished", () => {
  test("make the comparison invalid, however few, and say how to go on", () => {
    const { verdict, validity } = compareCases(cases(120, 2), measured);
    expect(verdict).toBe("invalid");
    expect(validity).toEqual({
      state: "invalid",
      reasons: [{ kind: "unfinished", target: "test", unfinished: 2, jobs: 120, canResume: true }],
    });
  });

  test("are not sent to a resume that could not help: too many others failed for good", () => {
    const all = cases(20, 1).map((each, i) =>
      i < 15 ? each : aCase(each.key, [says(prod, "a", scored(true)), failed(candidate, "overloaded")]),
    );
    const { validity } = compareCases(all, measured);
    expect(validity).toMatchObject({
      reasons: [{ kind: "unfinished", unfinished: 1, jobs: 20, canResume: false }, { kind: "unanswered" }],
    });
  });

  test("are no failed answers: the figures are those of the cases that were asked", () => {
    const metric = compareCases(cases(40, 30), measured).candidates[0]?.metrics[0];
    expect(metric).toMatchObject({
      candidate: 1,
      worse: 0,
      left: 30,
      missing: { candidate: 0 },
      comparison: { n: 10 },
    });
  });

  test("of a target that is not compared take nothing away from the others", () => {
    const third = aTarget(3, "third");
    const results = cases(120, 0).map((result) => ({ ...result, jobs: [...result.jobs, unfinished(third)] }));
    expect(compareCases(results, { ...measured, sides: [prod, candidate, third] }).verdict).toBe("pass");
  });
});

test("a side without any record lacks no members", () => {
  const results = cases(20, 0).map((result) =>
    aCase(result.key, [says(prod, "a", scored(true)), failed(candidate, "boom")]),
  );
  expect(compareCases(results, measured).candidates[0]?.drift).toBeNull();
});

test("a run that was spared was never sent: one in doubt is neither spared nor saved", () => {
  const spared = (given: Partial<JobResult>) => unfinished(priced, { outcome: "spared", ...given });
  const priced = { ...candidate, price: 0.02 };
  const results = [
    aCase("k1", [says(prod, "a", scored(true)), says(priced, "a", scored(true))]),
    aCase("k2", [says(prod, "a", scored(true)), spared({ attempts: 1, possiblyPaid: true })]),
    aCase("k3", [says(prod, "a", scored(true)), spared({})]),
  ];
  const [, target] = compareCases(results, { ...measured, sides: [prod, priced] }).targets;
  expect(target).toMatchObject({ jobs: 3, spared: 1, attempts: 2, saved: 0.02, runsPaid: 2, cost: 0.04 });
});

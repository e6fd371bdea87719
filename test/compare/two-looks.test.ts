import { describe, expect, test } from "vitest";
import type { ComparisonSettings } from "../../src/compare/comparison.ts";
import { confirmedState, type SecondLook, twoLooks } from "../../src/compare/two-looks.ts";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import type { ComparedMetric } from "../../src/compare/comparison-plan.ts";
import { randomStream } from "../../src/lib/random.ts";
import { claims } from "../bench/simulation/two-looks.ts";
import { aCase, answered, candidate, passing, prod, scored, settings, unfinished } from "./case-result.ts";

const confirming: ComparedMetric = { ...passing(), gates: [{ kind: "margin", margin: 0.05, by: null, confirm: true }] };
const given: ComparisonSettings = { ...settings, metrics: [confirming] };
const planned = new Map([
  [1, 1],
  [2, 1],
]);

/** A case that prod always passes, and test as told: by each run, the second look last. */
function ofTest(key: string, passes: readonly boolean[], again = true): PairedResult {
  const runs = again ? [1, 2] : [1];
  return aCase(key, [
    ...runs.map((repeat) => answered(prod, { output_text: ["a"] }, { repeat, ...scored(true) })),
    ...runs.map((repeat, look) =>
      answered(candidate, { output_text: ["a"] }, { repeat, ...scored(passes[look] ?? true) }),
    ),
  ]);
}

function summaryOf(cases: readonly PairedResult[], look: SecondLook | null, by = given) {
  const stream = twoLooks(by, look);
  for (const each of cases) stream.add(each);
  return stream.summary();
}

const counting: SecondLook = { planned, unfinished: null };

describe("the rule of two looks", () => {
  test("takes claims back and makes none", () => {
    const states = ["regression", "pass", "inconclusive", "invalid"] as const;
    for (const first of states) {
      for (const together of states) {
        const state = confirmedState(first, together);
        expect(state === "regression").toBe(first === "regression" && together === "regression");
      }
    }
  });

  test("cries no more often than a single look where the drop is the margin, and at most in 5 % (simulated)", () => {
    const random = randomStream("two looks");
    const hits = { first: 0, second: 0, both: 0 };
    for (let repetition = 0; repetition < 600; repetition++) {
      const spoke = claims({ cases: 120, turns: 1, drop: 0.05 }, random);
      for (const rule of ["first", "second", "both"] as const) hits[rule] += Number(spoke[rule]);
    }
    expect(hits.both).toBeLessThanOrEqual(hits.first);
    expect(hits.both / 600).toBeLessThan(0.05);
  });

  test("tells the figures of each look, and of both together", () => {
    // Nine of sixty cases fail at first, and none when asked again.
    const cases = Array.from({ length: 60 }, (_, i) => ofTest(`k${i}`, [i >= 9, true]));
    const { gates, verdict, confirmation } = summaryOf(cases, counting);
    expect(verdict).toBe("inconclusive");
    expect(gates[0]?.state).toBe("inconclusive");
    expect(confirmation).toMatchObject({
      unfinished: null,
      gates: [
        {
          state: "inconclusive",
          first: { state: "regression", cases: 60, worse: 9, now: 0.85 },
          second: { state: "pass", worse: 0, now: 1 },
          together: { state: "inconclusive", worse: 9, now: 0.925 },
        },
      ],
    });
  });

  test("leaves the first look where the second one is not finished", () => {
    const cases = Array.from({ length: 60 }, (_, i) => ofTest(`k${i}`, [i >= 20], false));
    const { verdict, confirmation } = summaryOf(cases, { planned, unfinished: { kind: "not-complete" } });
    expect(verdict).toBe("regression");
    expect(confirmation).toMatchObject({
      unfinished: { kind: "not-complete" },
      gates: [{ state: "regression", first: { worse: 20 }, second: null }],
    });
  });

  test("leaves the first look where nobody answered the second time", () => {
    const cases = Array.from({ length: 60 }, (_, i) => {
      const [first, ...others] = ofTest(`k${i}`, [i >= 20, true]).jobs.filter(({ repeat }) => repeat === 1);
      const failed = unfinished(candidate, { repeat: 2, outcome: "run-failed" });
      return aCase(`k${i}`, [...(first === undefined ? [] : [first]), ...others, failed]);
    });
    const { verdict, confirmation } = summaryOf(cases, counting);
    expect(verdict).toBe("regression");
    expect(confirmation?.unfinished).toMatchObject({ kind: "unanswered", target: "test" });
  });

  test("a gate that does not ask again keeps what the first look said, with its figures", () => {
    const silent = { ...confirming, gates: [{ kind: "margin", margin: 0.05, by: null } as const] };
    const cases = Array.from({ length: 60 }, (_, i) => ofTest(`k${i}`, [i >= 9, true]));
    const { gates, verdict, confirmation } = summaryOf(cases, counting, { ...given, metrics: [silent] });
    expect(verdict).toBe("regression");
    expect(gates[0]?.figures).toMatchObject({ worse: 9, now: 0.85 });
    expect(confirmation?.gates).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import type { ComparedMetric } from "../../src/compare/comparison-plan.ts";
import type { Comparison } from "../../src/compare/comparison.ts";
import { guarded } from "../../src/score/contract/guard.ts";
import { findingsOf } from "../../src/report/findings.ts";
import { candidateGates, reportMetrics } from "../../src/report/model/model-gates.ts";
import { headlineWords } from "../../src/report/say/findings.ts";
import { accepting, aCase, candidate, failed, passing, prod, says, settings } from "./case-result.ts";
import { compareCases } from "./compare-cases.ts";

const seconds = passing({
  name: "seconds",
  passes: false,
  scale: { kind: "unbounded", unit: "s" },
  lowerIsBetter: true,
});
const similar = passing({ name: "similar", passes: false, scale: { kind: "bounded", min: 0, max: 100 } });

type Value = number | null | "failed";

/** Forty cases of which each side has one value; null: it could not be scored. */
function compared(metric: ComparedMetric, valueOf: (side: "prod" | "test", place: number) => Value): Comparison {
  const job = (side: "prod" | "test", place: number) => {
    const [value, target] = [valueOf(side, place), side === "prod" ? prod : candidate];
    if (value === "failed") return failed(target, "down");
    return says(target, "a", { scores: [{ value, pass: null, reason: null }] });
  };
  const results = Array.from({ length: 40 }, (_, i) => aCase(`k${i}`, [job("prod", i), job("test", i)]));
  return compareCases(results, { ...settings, metrics: [metric], maxErrorShare: 1 });
}

function sentenceOf(comparison: Comparison, metric: ComparedMetric): string {
  const metrics = reportMetrics([metric]);
  const gates = comparison.candidates.flatMap((each) => candidateGates(each, comparison, metrics, "SUITE"));
  const found = { comparison, gates, metrics, places: [], choice: null, notes: [] };
  const findings = findingsOf({
    ...found,
    isInterrupted: false,
    lacksParts: false,
    isSameBot: false,
    provider: null,
    mayChoose: false,
  });
  return headlineWords(findings, { metrics, targets: [] });
}

const noNumber = /NaN|Infinity|undefined/;

describe("a metric", () => {
  test("whose values are all missing is invalid, and says that no row has a score on both sides", () => {
    for (const metric of [seconds, similar].map((each) => ({ ...each, gates: accepting(1) }))) {
      const found = compared(metric, () => null);
      expect(found.verdict).toBe("invalid");
      expect(sentenceOf(found, metric)).toContain("no row has a score on both sides");
      expect(JSON.stringify(found)).not.toMatch(noNumber);
    }
  });

  test("of which one side has no value at all is invalid too", () => {
    const metric = { ...seconds, gates: accepting(1) };
    const found = compared(metric, (side) => (side === "prod" ? 2 : null));
    expect(found.verdict).toBe("invalid");
    expect(sentenceOf(found, metric)).toContain("no row has a score on both sides");
  });

  test("whose values are all equal passes within bounds, and by its interval", () => {
    const metric = { ...similar, gates: accepting(10) };
    const found = compared(metric, () => 70);
    expect(found.verdict).toBe("pass");
    expect(sentenceOf(found, metric)).toMatch(
      /^test is as good as prod on `similar`, within the limit of 10; test gives the same 40 answers as prod$/,
    );
    expect(JSON.stringify(found)).not.toMatch(noNumber);
  });

  test("whose values are all equal without bounds cannot tell, and says what would", () => {
    const metric = { ...seconds, gates: accepting(1) };
    const found = compared(metric, () => 2);
    expect(found.verdict).toBe("inconclusive");
    expect(found.gates[0]?.reason).toEqual({ kind: "nothing-varied", rows: 40 });
    expect(sentenceOf(found, metric)).not.toMatch(noNumber);
  });

  test("that fell by the same in every case is a regression", () => {
    const metric = { ...seconds, gates: accepting(1) };
    const found = compared(metric, (side) => (side === "prod" ? 2 : 5));
    expect(found.verdict).toBe("regression");
    expect(sentenceOf(found, metric)).not.toMatch(noNumber);
  });

  test("as a ratio of values of 0 has none, which is no 0 and no infinite number", () => {
    const metric: ComparedMetric = { ...seconds, of: "ratio", gates: accepting(0.2) };
    const found = compared(metric, (side) => (side === "prod" ? 0 : 1));
    expect(found.verdict).toBe("invalid");
    expect(JSON.stringify(found)).not.toMatch(noNumber);
  });

  test("that is not a finite number is none: the answer is unscored, with the reason", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -Infinity]) {
      const scorer = guarded({ kind: "composite", of: [], combine: () => ({ value, pass: null, reason: "" }) });
      const score = scorer.kind === "composite" ? scorer.combine([], { checks: null, target: "prod" }) : null;
      expect(score).toEqual({ unscored: `the scorer gave ${value}, which is no finite number` });
    }
  });
});

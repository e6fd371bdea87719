import { expect, test } from "vitest";
import { isSideBySide } from "../../src/report/model/side-by-side.ts";
import type { ScoredJob } from "../../src/store/results/case-result.ts";
import { aCase, candidate, passing, prod, says } from "../compare/case-result.ts";
import { toldOf } from "./run-summary.ts";

const seconds = {
  ...passing({ name: "seconds", type: "latency", scale: { kind: "unbounded", unit: "s" }, passes: false }),
  of: "value" as const,
};

/** A run that was sent at a time and took so long. */
function took(side: typeof prod, sentAt: number, ms: number, repeat = 1): ScoredJob {
  const scores = [{ value: ms / 1000, pass: null, reason: null }];
  return says(side, "a", { repeat, sentAt, doneAt: sentAt + ms, scores });
}

/** Whether the speed of a batch is told to be that of some of its runs; the baseline's second run takes so long. */
function isTold(second: number | null): boolean {
  const results = Array.from({ length: 30 }, (_, i) => {
    const again = second === null ? [] : [took(prod, i * 1000 + 500_000, second, 2)];
    return aCase(`k${i}`, [took(prod, i * 1000, 100), ...again, took(candidate, i * 1000 + 10, 120)]);
  });
  const { model } = toldOf(results, {}, { metrics: [seconds] });
  const [gate] = model.gates;
  const [metric] = model.metrics;
  if (gate === undefined || metric === undefined) throw new Error("the batch has a metric");
  return isSideBySide(gate, metric, model);
}

test("a speed by the runs that were sent together is told to be so where all runs give another", () => {
  expect(isTold(80)).toBe(true);
  expect(isTold(100)).toBe(false);
  expect(isTold(null)).toBe(false);
});

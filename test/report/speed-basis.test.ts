import { expect, test } from "vitest";
import { nightSpeed, speedBasis, speedNotes } from "../../src/report/model/speed-basis.ts";
import type { NightTarget } from "../../src/report/shape/history.ts";
import type { JobResult } from "../../src/store/results/case-result.ts";
import { aCase, candidate, passing, prod, says } from "../compare/case-result.ts";
import { toldOf } from "./run-summary.ts";

const seconds = {
  ...passing({ name: "seconds", type: "latency", scale: { kind: "unbounded", unit: "s" }, passes: false }),
  of: "value" as const,
};

/** A run that was sent at a time and took so long. */
function took(side: typeof prod, sentAt: number, ms: number, repeat = 1): JobResult {
  const scores = [{ value: ms / 1000, pass: null, reason: null }];
  return says(side, "a", { repeat, sentAt, doneAt: sentAt + ms, scores });
}

/** The runs that the speed of a batch is told to be of, and the lines about it; the baseline's second run takes so long. */
function reported(second: number | null) {
  const results = Array.from({ length: 30 }, (_, i) => {
    const again = second === null ? [] : [took(prod, i * 1000 + 500_000, second, 2)];
    return aCase(`k${i}`, [took(prod, i * 1000, 100), ...again, took(candidate, i * 1000 + 10, 120)]);
  });
  const { model } = toldOf(results, {}, { metrics: [seconds] });
  const [gate] = model.gates;
  const [metric] = model.metrics;
  if (gate === undefined || metric === undefined) throw new Error("the batch has a metric");
  return { basis: speedBasis(gate, metric, model), notes: speedNotes(model.gates, model) };
}

test("a speed says of which runs it is, and a line where others than the times of the targets", () => {
  expect(reported(80)).toEqual({
    basis: "mean of runs sent side by side",
    notes: ["seconds (mean) is compared by the runs sent side by side; the times of targets are of all runs"],
  });
  expect(reported(100)).toEqual({ basis: "mean of all runs", notes: [] });
  expect(reported(null)).toEqual({ basis: "mean of all runs", notes: [] });
});

test("a night shows the speed by the measure by which its report compares it, and the median where nothing does", () => {
  const speedOf = (of: "value" | "median") => {
    const { metrics } = toldOf(
      [aCase("k", [took(prod, 0, 100), took(candidate, 10, 120)])],
      {},
      { metrics: [{ ...seconds, of }] },
    ).model;
    return nightSpeed(metrics);
  };
  const target: NightTarget = {
    target: "test",
    metric: null,
    value: null,
    interval: null,
    cases: 1,
    failed: 0,
    runs: 1,
    latencyMs: 80,
    cost: null,
  };
  const night = { scores: { test: { seconds: { value: 0.12, interval: null } } } };
  expect(speedOf("value").name).toBe("mean time");
  // Beside a limit in seconds, which says pass or fail, it is the second measure of its scorer.
  const twice = { ...seconds, of: "pass" as const };
  const { metrics } = toldOf(
    [aCase("k", [took(prod, 0, 100), took(candidate, 10, 120)])],
    {},
    { metrics: [twice, seconds] },
  ).model;
  const both = { seconds: { value: 1, interval: null }, "seconds (value)": { value: 0.12, interval: null } };
  expect(nightSpeed(metrics).figure(target, { scores: { test: both } })).toBe("0.120 s");
  expect(speedOf("median").name).toBe("median time");
  expect(speedOf("value").figure(target, night)).toBe("0.120 s");
  const unmeasured = nightSpeed([]);
  expect([unmeasured.name, unmeasured.figure(target, night)]).toEqual(["median time", "80 ms"]);
});

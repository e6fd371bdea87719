import { describe, expect, test } from "vitest";
import { compareCases } from "./compare-cases.ts";
import type { ComparedMetric } from "../../src/compare/comparison-plan.ts";
import { seededRandom } from "../../src/lib/random.ts";
import type { JobResult } from "../../src/store/results/case-result.ts";
import { aCase, aTarget, candidate, failed, passing, prod, says, settings } from "./case-result.ts";

const seconds: ComparedMetric = {
  ...passing({ name: "seconds", type: "latency", scale: { kind: "unbounded", unit: "s" }, passes: false }),
  of: "ratio",
};

/** A run that was sent at a time and took so long. */
function took(side: typeof prod, sentAt: number, ms: number, repeat = 1): JobResult {
  const scores = [{ value: ms / 1000, pass: null, reason: null }];
  return says(side, "a", { repeat, sentAt, doneAt: sentAt + ms, scores });
}

const timed = { ...settings, metrics: [seconds] };

describe("latencies", () => {
  test("are compared by the runs that were sent next to each other: a server that gets slower makes no side look slow", () => {
    const random = seededRandom(1);
    // The time that a run takes grows from 100 ms to 300 ms; the candidate runs once, early or late.
    const at = (place: number): number => 100 + place;
    const results = Array.from({ length: 100 }, (_, i) => {
      const late = random() < 0.5;
      const runs = [took(prod, i * 1000, at(i), 1), took(prod, (100 + i) * 1000, at(100 + i), 2)];
      const place = late ? 100 + i : i;
      return aCase(`k${i}`, [...runs, took(candidate, place * 1000 + 10, at(place))]);
    });
    const [found] = compareCases(results, timed).candidates;
    expect(found?.latency?.ratio).toBeCloseTo(1, 6);
    expect(found?.metrics[0]?.comparison?.estimate).toBeCloseTo(0, 9);
    expect(found?.medianGapMs).toBe(10);
  });

  test("leave out a run that failed, and take the other one of that side", () => {
    const results = Array.from({ length: 30 }, (_, i) =>
      aCase(`k${i}`, [
        failed(prod, "x", { sentAt: 5_000 }),
        took(prod, 90_000, 200 + i, 2),
        took(candidate, 5_000, 400 + 2 * i),
      ]),
    );
    const [found] = compareCases(results, { ...timed, maxErrorShare: 1 }).candidates;
    expect(found?.latency?.ratio).toBeCloseTo(2, 6);
    expect(Math.exp(found?.metrics[0]?.comparison?.estimate ?? 0)).toBeCloseTo(2, 6);
  });

  test("of sides of different batches are compared by all runs: no two of them were sent together", () => {
    const before = aTarget(1, "prod", { batchIds: [7] });
    const results = Array.from({ length: 30 }, (_, i) =>
      aCase(`k${i}`, [took(prod, 1_000, 100, 1), took(prod, 2_000, 400, 2), took(candidate, 9_000_000, 200 + (i % 2))]),
    );
    const [found] = compareCases(results, { ...timed, sides: [before, candidate] }).candidates;
    // The geometric mean of 100 and 400 is 200.
    expect(found?.latency?.ratio).toBeCloseTo(1, 2);
  });
});

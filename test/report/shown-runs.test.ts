import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { comparisonStream } from "../../src/compare/comparison.ts";
import { markdownReport } from "../../src/report/formats/markdown/markdown.ts";
import { reportMetrics } from "../../src/report/model/model-gates.ts";
import { reportRow } from "../../src/report/model/model-row.ts";
import { shownRuns } from "../../src/report/model/shown-runs.ts";
import { terminalText } from "../../src/report/terminal/terminal.ts";
import { aCase, candidate, failed, passing, prod, says, scored, settings } from "../compare/case-result.ts";
import { frameOf, reportOf } from "./reports.ts";
import { toldOf } from "./run-summary.ts";

const plan = { ...settings, metrics: [passing()] };

/** Runs of a side, by what they said; null: it failed. `a` passes. */
const runs = (side: typeof prod, said: (string | null)[]) =>
  said.map((text, i) =>
    text === null
      ? failed(side, "boom", { repeat: i + 1 })
      : says(side, text, { repeat: i + 1, ...scored(text === "a") }),
  );

function shownOf(before: (string | null)[], after: (string | null)[]) {
  const result: PairedResult = aCase("k", [...runs(prod, before), ...runs(candidate, after)]);
  const compared = comparisonStream(plan).add(result);
  const row = reportRow(result, compared, plan, 1);
  const [change] = row.changes;
  if (change === undefined) throw new Error("nothing was compared");
  const metrics = reportMetrics(plan.metrics);
  const frame = { targets: ["prod", "test"], pairs: [{ baseline: "prod", candidate: "test" }], metrics };
  const { baseline, candidate: now } = shownRuns({ row, change, pair: 0 }, frame);
  return [baseline, now].map(({ run, which }) => `${which} ${run?.answer ?? run?.outcome ?? "none"}`.trim());
}

test("the flips of rows are those that the summary counts", () => {
  const stream = comparisonStream(plan);
  const reported = [
    [["a"], ["b"]],
    [
      ["a", "a"],
      ["b", "b"],
    ],
    [
      ["a", "a"],
      ["a", "b"],
    ],
    [["b"], ["a"]],
    [["a"], [null]],
    [["a"], ["a"]],
  ].map(([before = [], after = []], place) => {
    const result: PairedResult = aCase(`k${place}`, [...runs(prod, before), ...runs(candidate, after)]);
    return reportRow(result, stream.add(result), plan, place + 1).changes[0]?.flips;
  });
  expect(reported).toEqual([
    ["pass-to-fail"],
    ["pass-to-fail"],
    ["newly-flaky"],
    ["fail-to-pass"],
    ["error-appeared"],
    undefined,
  ]);
  const [pair] = stream.summary().candidates;
  for (const { kind, cases } of pair?.flips.lists ?? []) {
    expect(
      reported.filter((flips) => flips?.includes(kind) === true),
      kind,
    ).toHaveLength(cases);
  }
});

describe("a row to look at", () => {
  test("shows the run that explains why it got worse: one that failed, or else one that does not pass", () => {
    expect(shownOf(["a", "a"], ["a", null])).toEqual(["a", "its 2nd run run-failed"]);
    expect(shownOf(["a", "a"], ["a", "a", "b"])).toEqual(["a", "its 3rd run, which failed b"]);
    expect(shownOf(["b", "a", "a"], ["b", "b", "b"])).toEqual(["its 2nd run, which passed a", "b"]);
  });

  test("shows what was wrong before and is right now where it got better", () => {
    expect(shownOf(["a", null], ["a", "a"])).toEqual(["its 2nd run run-failed", "a"]);
    expect(shownOf(["b", "b"], ["b", "a"])).toEqual(["b", "its 2nd run, which passed a"]);
  });

  test("shows the first runs where others tell no more", () => {
    expect(shownOf(["a"], ["a"])).toEqual(["a", "a"]);
    expect(shownOf(["a", "b"], ["a", "b"])).toEqual(["a", "a"]);
    expect(shownOf(["a", null], ["a", null])).toEqual(["a", "a"]);
    expect(shownOf(["a"], [])).toEqual(["a", "none"]);
  });

  test("names that run in the terminal and in Markdown", () => {
    const results = Array.from({ length: 30 }, (_, i) =>
      aCase(`k${i}`, [...runs(prod, ["a", "a"]), ...runs(candidate, ["a", i === 7 ? null : "a"])]),
    );
    const reported = toldOf(results, {}, { metrics: plan.metrics });
    expect(terminalText(reported, { width: 100, lines: 60, color: false })).toMatch(
      /passed 2 of 2 times, now passes 1 of 2.*\n.*prod {2}a\n.*test {2}its 2nd run: \(run-failed: boom\)/,
    );
    const rows = reported.worst.map(({ row }) => row);
    const text = reportOf(markdownReport(frameOf(reported.model)), rows, reported.model);
    expect(text).toContain("<code>test</code>, its 2nd run: run-failed");
  });
});

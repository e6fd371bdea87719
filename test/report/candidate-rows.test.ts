import { expect, test } from "vitest";
import { compareCases } from "../../src/compare/comparison.ts";
import type { ComparedMetric } from "../../src/compare/lineup.ts";
import { moreRows } from "../../src/report/candidate-rows.ts";
import { modelTally } from "../../src/report/model-tally.ts";
import { reportSummary } from "../../src/report/model-summary.ts";
import { aCase, answered, candidate, passing, prod, settings } from "../compare/case-result.ts";

const similar = {
  ...passing({ name: "similar", type: "chrf", scale: { kind: "bounded", min: 0, max: 100 }, passes: false }),
  gate: { margin: 3 },
};
const rate = passing({ name: "similar" });

/** Of 40 cases in French the score falls by about 8 of 100; of 40 in Hindi by nothing. */
const falling = Array.from({ length: 80 }, (_, i) => {
  const grade = (value: number) => ({ scores: [{ value, pass: true, reason: null }] });
  const output = (references: number) => ({
    output_text: ["a"],
    references: Array.from({ length: references }, () => "x"),
  });
  return aCase(
    `k${i}`,
    [
      answered(prod, output(3), grade(60)),
      answered(prod, output(3), { ...grade(60), repeat: 2 }),
      answered(candidate, output(i < 10 ? 0 : i < 12 ? 2 : 3), grade(i < 40 ? 51.5 + (i % 2) : 60 + (i % 2) / 10)),
    ],
    { tags: { language: i < 40 ? "fr" : "हिन्दी" } },
  );
});

function comparedBy(metrics: ComparedMetric[]) {
  const lineup = { ...settings, metrics };
  const comparison = compareCases(falling, lineup);
  const [found] = comparison.candidates;
  if (found === undefined) throw new Error("nothing was compared");
  const model = reportSummary({
    version: "1",
    batch: { name: "b", suite: "s", state: "finished", reason: null, startedAt: 0, durationMs: 1 },
    comparison,
    lineup,
    tally: modelTally(lineup, false),
    origins: [],
    past: [],
  });
  return { found, model };
}

test("a slice is told in the unit of its metric", () => {
  const { found } = comparedBy([similar]);
  expect(moreRows(found).find(([title]) => title === "worse in")?.[1]).toBe("language=fr similar -8.00 (p < 0.0001)");
});

test("a metric that is compared in two ways has the slice of the way that the gate takes", () => {
  const { model } = comparedBy([{ ...rate, gate: null, metric: { ...rate.metric, primary: false } }, similar]);
  expect(model.slices[0]).toMatchObject({ metric: "similar (value)", tag: "language", value: "fr", difference: -8 });
});

test("a member that changed in several ways says how often each, and all together", () => {
  const { found, model } = comparedBy([similar]);
  expect(found.members.map(({ change, cases }) => [change, cases])).toEqual([
    ["became empty", 10],
    ["has fewer entries", 2],
  ]);
  expect(model.members).toMatchObject([
    { path: "references", about: "became empty 10, has fewer entries 2", cases: 12, noise: 0 },
  ]);
});

import { expect, test } from "vitest";
import type { ComparedMetric } from "../../src/compare/comparison-plan.ts";
import { toldOf } from "./run-summary.ts";
import { accepting, aCase, answered, candidate, passing, prod } from "../compare/case-result.ts";

const similar = {
  ...passing({ name: "similar", type: "chrf", scale: { kind: "bounded", min: 0, max: 100 }, passes: false }),
  gates: accepting(3),
};
const rate = passing({ name: "similar" });

/** The score of 40 rows in French falls by about 8 of 100, that of 40 in Hindi by nothing. */
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

const modelOf = (metrics: ComparedMetric[]) => toldOf(falling, {}, { metrics }).model;

test("a slice is told in the unit of its metric", () => {
  expect(modelOf([similar]).slices[0]).toMatchObject({ metric: "similar", value: "fr", difference: -8 });
});

test("a metric that is compared in two ways has the slice of the way that the gate takes", () => {
  const model = modelOf([{ ...rate, gates: [], metric: { ...rate.metric, primary: false } }, similar]);
  expect(model.slices[0]).toMatchObject({ metric: "similar (value)", tag: "language", value: "fr", difference: -8 });
});

test("a member that changed in several ways says how often each, and all together", () => {
  const model = modelOf([similar]);
  expect(model.members).toMatchObject([
    { path: "references", about: "became empty 10, has fewer entries 2", cases: 12, noise: 0 },
  ]);
});

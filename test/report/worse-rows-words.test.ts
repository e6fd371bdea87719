import { expect, test } from "vitest";
import { unansweredOf, unansweredWords, worseRowsWords } from "../../src/report/say/worse-rows.ts";
import { syntheticSummary } from "./synthetic.ts";

const summary = syntheticSummary(60);
const [candidate = ""] = summary.candidates;
const [metric] = summary.metrics;
const counted = summary.gates.find(
  (gate) => gate.candidate === candidate && gate.slice === null && gate.metric === metric?.name,
);
const gates = summary.gates.map((gate) => (gate === counted ? { ...gate, worse: 17 } : gate));
const flips: typeof summary.flips = [];

test("rows that got worse are counted alone where the verdict counts as many", () => {
  const reported = { ...summary, gates, flips };
  expect(worseRowsWords(reported, { candidate: 0, rows: 17 })).toBe("All 17 that got worse");
});

test("rows that got worse beyond those of the verdict say how many it counts, and why", () => {
  const reported = { ...summary, gates };
  expect(
    worseRowsWords(
      {
        ...reported,
        flips: [{ candidate, metric: null, kind: "error-appeared", cases: 2, keys: [], rows: [] }],
      },
      { candidate: 0, rows: 19 },
    ),
  ).toBe("All 19 that got worse (the verdict counts 17, without errors)");
});

test("cases without an answer of the candidate are no worse answers where they make the data incomplete", () => {
  const appeared = { candidate, metric: null, kind: "error-appeared" as const, cases: 20, keys: [], rows: [] };
  const reported = { verdict: { ...summary.verdict, state: "invalid" as const }, flips: [appeared] };
  expect(unansweredOf(reported, candidate)).toBe(20);
  expect(unansweredOf({ ...reported, verdict: { ...summary.verdict, state: "pass" } }, candidate)).toBe(0);
  expect(unansweredWords("prod", "test")).toBe("answered by prod, no answer from test:");
});

import { describe, expect, test } from "vitest";
import { jsonText } from "../../src/lib/json.ts";
import { terminalText } from "../../src/report/terminal/terminal.ts";
import type { JobScore } from "../../src/store/results/case-result.ts";
import { accepting, aCase, candidate, passing, prod, says } from "../compare/case-result.ts";
import { toldOf } from "./run-summary.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const screen = { width: 400, lines: 60, color: false, links: false, details: false };
const correct = passing();
/** The second scorer, which has no gate. */
const polite = {
  ...passing({ name: "polite", primary: false }),
  gates: [],
  places: new Map([1, 2].map((id) => [id, 1] as const)),
};

const scores = (...passes: boolean[]): { scores: JobScore[] } => ({
  scores: passes.map((pass) => ({ value: pass ? 1 : 0, pass, reason: null })),
});

/** Cases of which the candidate loses some by the one metric and some by the other. */
function reported(lost: { correct: number; polite: number }, settings: Parameters<typeof toldOf>[2], tagged = 0) {
  const results = Array.from({ length: 200 }, (_, i) =>
    aCase(
      `k${i}`,
      [says(prod, "a", scores(true, true)), says(candidate, "a", scores(i >= lost.correct, i >= lost.polite))],
      {
        tags: { topic: i < tagged ? "fees" : "other" },
      },
    ),
  );
  return toldOf(results, {}, settings);
}

describe("what is worse", () => {
  test("without a gate stands in the first sentence, beside a pass, and in the JSON", () => {
    const found = reported({ correct: 0, polite: 40 }, { metrics: [correct, polite] });
    expect(found.model.verdict.state).toBe("pass");
    expect(found.model.verdict.sentence).toMatch(/^test is as good as prod on `correct`, within the limit of 5 points/);
    expect(terminalText(found, screen)).toMatch(/^ {2}polite .* -20\.0 .* none +worse$/m);
    expect(JSON.parse(jsonText({ version: storedVersion, ...found.summary }, 2))).toMatchObject({
      comparison: { worse: [{ candidate: "test", metric: "polite", slice: null, difference: -0.2 }] },
    });
  });

  test("by one scorer in two ways is named once", () => {
    const value = { ...polite, of: "value" as const };
    const found = reported({ correct: 0, polite: 40 }, { metrics: [correct, polite, value] });
    expect(found.model.gates.map(({ metric }) => metric)).toContain("polite (value)");
    expect(found.summary.comparison.worse.map(({ metric }) => metric)).toContain("polite");
  });

  test("in one value of a tag has a line of its own, with both figures, although all cases together pass", () => {
    const found = reported({ correct: 9, polite: 0 }, { metrics: [{ ...correct, gates: accepting(0.15) }] }, 12);
    expect(found.model.verdict.state).toBe("pass");
    expect(terminalText(found, screen)).toContain("\n  where     topic = fees: 9 of 12 rows worse\n");
  });

  test("for sure, but perhaps not by the margin, is said to be worse, and the margin to be open", () => {
    const found = reported({ correct: 14, polite: 0 }, { metrics: [correct] });
    expect(found.model.verdict.state).toBe("inconclusive");
    expect(found.model.verdict.sentence).toMatch(/^test is worse than prod on `correct`: 14 of 200 rows newly fail$/);
  });

  test("for sure, but less than the margin, is no clean pass either", () => {
    const found = reported({ correct: 14, polite: 0 }, { metrics: [{ ...correct, gates: accepting(0.15) }] });
    expect(found.model.verdict.state).toBe("pass");
    expect(found.model.verdict.sentence).toMatch(
      /^test is worse than prod on `correct`, but by less than the limit of 15 points:/,
    );
  });

  test("by chance alone is not said: two lost cases of 200, or a difference at 0.02", () => {
    for (const lost of [2, 7]) {
      const found = reported({ correct: 0, polite: lost }, { metrics: [correct, polite] });
      expect(found.model.gates.map(({ sure }) => sure)).not.toContain("worse");
    }
  });

  test("by a gate that found a regression is not said twice", () => {
    const found = reported({ correct: 60, polite: 0 }, { metrics: [correct, polite] });
    expect(found.model.verdict.state).toBe("regression");
    expect(found.model.findings.facts).toEqual([]);
  });
});

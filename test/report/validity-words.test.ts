import { expect, test } from "vitest";
import { uncountedLines, validityHeading } from "../../src/report/say/validity.ts";
import { syntheticSummary } from "./synthetic.ts";

test("cautions without a check have a heading of their own, and checks the one of their result", () => {
  expect(validityHeading({ state: "valid", hasChecks: false })).toBe("Weigh this too");
  expect(validityHeading({ state: "invalid", hasChecks: false })).toBe("Weigh this too");
  expect(validityHeading({ state: "invalid", hasChecks: true })).toBe("Why not");
  expect(validityHeading({ state: "valid", hasChecks: true })).toBe("The data are complete");
  expect(validityHeading({ state: "valid", hasChecks: true, spared: 3 })).toBe("All that was sent is here");
  const missing = { answers: 12, of: 120 };
  expect(validityHeading({ state: "valid", hasChecks: true, missing })).toBe(
    "The data are complete but for 12 of 120 answers",
  );
  expect(validityHeading({ state: "valid", hasChecks: true, isPartial: true })).toBe("A part of the run is compared");
  expect(validityHeading({ state: "unknown", hasChecks: true })).toBe("Checks");
});

test("figures are said not to count only where two sides were compared and nothing was decided", () => {
  const { verdict, candidates, validity } = syntheticSummary(20);
  const invalid = { ...verdict, state: "invalid" as const };
  expect(uncountedLines({ verdict, candidates, validity })).toEqual([]);
  expect(uncountedLines({ verdict: invalid, candidates, validity })).toHaveLength(1);
  expect(uncountedLines({ verdict: invalid, candidates: [], validity })).toEqual([]);
  const byJudge = { ...validity, state: "invalid" as const, byJudge: true };
  expect(uncountedLines({ verdict: invalid, candidates, validity: byJudge })).toEqual([
    "No result: worse and better do not count here, because the judge changed between the two sides.",
  ]);
});

import { describe, expect, test } from "vitest";
import type { GateAdvice, MarginFacts } from "../../src/compare/verdict/facts.ts";
import { adviceWords } from "../../src/report/say/advice.ts";
import { measure } from "../../src/report/say/figures.ts";
import { compareCases } from "../compare/compare-cases.ts";
import { aCase, candidate, passing, prod, says, scored, settings } from "../compare/case-result.ts";

/** The gate of a hundred cases of which ten newly fail and five newly pass: the loss lies on its limit. */
function openGate(): MarginFacts {
  const results = Array.from({ length: 100 }, (_, i) =>
    aCase(`k${i}`, [says(prod, "a", scored(i < 85 || i >= 90)), says(candidate, "a", scored(i < 80 || i >= 85))]),
  );
  const lost = results.map((each, i) =>
    i < 95 ? each : aCase(`k${i}`, [says(prod, "a", scored(true)), says(candidate, "a", scored(false))]),
  );
  const [gate] = compareCases(lost, { ...settings, metrics: [passing()] }).gates;
  if (gate?.kind !== "margin") throw new Error("no gate with a margin");
  return gate;
}

const some = { cases: 100, changed: 15, questions: null, file: "suite.yaml" };
const none = { fewestToPass: null, instead: [] };

describe("advice for a gate that is open", () => {
  const gate = openGate();
  const said = (settle: GateAdvice): string | null =>
    adviceWords({ ...gate, settle }, { ...some, cases: 58 }, measure("pass"));

  test("names no number of cases that nobody would write, and no limit that lets everything pass", () => {
    expect(gate.state).toBe("inconclusive");
    expect(gate.settle).toMatchObject({ kind: "too many" });
    expect(adviceWords(gate, some, measure("pass"))).toMatch(
      /^First ask each row 3 times .* chance\. (100 rows cannot decide it, nor can a few more|More rows would hardly decide it): /,
    );
  });

  test("says that these cases cannot decide it, and by which to go instead", () => {
    expect(said({ kind: "too many", cases: 62_000, repeats: null, cause: "close", ...none })).toBe(
      "58 rows cannot decide it, nor can a few more: a limit of 5 points takes about 62,000; go by the rows that changed",
    );
    expect(said({ kind: "too many", cases: null, repeats: null, cause: "close", ...none })).toBe(
      "More rows would hardly decide it: the loss is so close to the limit of 5 points; go by the rows that changed",
    );
  });

  test("names no rows that changed where none did, and counts questions that are asked again and again once", () => {
    const settle: GateAdvice = {
      kind: "too many",
      cases: 1_100,
      repeats: null,
      cause: "close",
      fewestToPass: 59,
      instead: [],
    };
    const of = { cases: 60, changed: 0, questions: null, file: "suite.yaml" };
    expect(adviceWords({ ...gate, settle }, of, measure("pass"))).toBe(
      "60 rows cannot decide it, nor can a few more: a limit of 5 points takes about 1,100",
    );
    expect(adviceWords({ ...gate, settle }, { ...of, questions: 3 }, measure("pass"))).toBe(
      "These 60 rows are 3 different questions: add 56 rows that ask something else (59 different questions in all, enough to say PASS if none newly fails)",
    );
    const look = { ...settle, next: { alpha: 0.01, by: "flag" as const, fewestToPass: 103 } };
    expect(adviceWords({ ...gate, settle: look }, { ...of, questions: 4 }, measure("pass"))).toBe(
      "These 60 rows are 4 different questions: add 99 rows that ask something else (103 different questions in all, enough to say PASS if none newly fails), and run it again with `--second-look`",
    );
    // No look is named where no row to add is.
    expect(adviceWords({ ...gate, settle: look }, { ...of, changed: 2, questions: 4 }, measure("pass"))).toBe(
      "These 60 rows are 4 different questions, and cannot decide it: a PASS takes at least 103 different questions in all; go by the rows that changed",
    );
    const more: GateAdvice = { kind: "cases", cases: 620, groups: null, repeats: null, fewestToPass: 59, instead: [] };
    expect(
      adviceWords({ ...gate, settle: more }, { ...of, cases: 180, changed: 4, questions: 90 }, measure("pass")),
    ).toBe("Add 530 rows that ask something else (620 different questions in all)");
    expect(adviceWords({ ...gate, settle: { kind: "last", ...none } }, of, measure("pass"))).toBe(
      "This was the second look: a third one would find something by chance too often",
    );
  });

  test("has missing grades filled in before it names a number of rows", () => {
    expect(said({ kind: "gaps", cases: 2, ...none })).toBe(
      "First fill in the grades missing in 2 rows: a PASS counts each as wrong",
    );
  });

  test("asks for each row three times first, and then for a second look that is told as one, at 1 %", () => {
    const next = { alpha: 0.01, by: "flag" as const, fewestToPass: 90 };
    const cases = { kind: "cases" as const, cases: 150, groups: null, repeats: null, instead: [] };
    expect(said({ ...cases, fewestToPass: 59, repeatFirst: 3, next })).toBe(
      "First ask each row 3 times (`--repeats 3 --second-look`), to see which changes are chance. Add 92 rows (150 in all), and run it again with `--second-look`. To decide by these rows alone from the next run on, put `repeats: 3` and `gates: [{ metric: correct, losses: 0 }]` into suite.yaml",
    );
    expect(said({ ...cases, fewestToPass: null, repeatFirst: 3, next })).not.toContain("losses: 0");
    const declared = { alpha: 0.03, by: "suite" as const, fewestToPass: 69 };
    expect(said({ ...cases, fewestToPass: 69, next: declared })).toBe("Add 92 rows (150 in all), for the second look");
    expect(said({ kind: "last", ...none, repeatFirst: 3 })).toBe(
      "This was the second look: a third one would find something by chance too often; go by the rows that changed",
    );
  });

  test("asks the same cases more often where that does what more cases would", () => {
    expect(said({ kind: "too many", cases: 1_400, repeats: 24, cause: "close", ...none })).toBe(
      "Ask each of these 58 rows 24 times",
    );
  });
});

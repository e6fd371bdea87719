import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import type { Comparison, ComparisonSettings } from "../../src/compare/comparison.ts";
import { isMargin } from "../../src/compare/comparison-plan.ts";
import { questionTally } from "../../src/compare/tallies/questions.ts";
import { hashText } from "../../src/lib/hash.ts";
import { compareCases } from "./compare-cases.ts";
import { aCase, candidate, passing, prod, says, scored, settings } from "./case-result.ts";

interface Row {
  ask: string;
  expected?: string;
  before?: boolean;
  now?: boolean;
  cluster?: string;
}

const casesOf = (rows: readonly Row[]): PairedResult[] =>
  rows.map(({ ask, expected = "a", before = true, now = true, cluster }, at) => {
    const input = JSON.stringify({ input_prompt: ask });
    return aCase(`k${at}`, [says(prod, "a", scored(before)), says(candidate, "a", scored(now))], {
      input,
      inputHash: hashText(input, 32),
      expected,
      ...(cluster !== undefined && { cluster }),
    });
  });

const compared = (rows: readonly Row[], given: Partial<ComparisonSettings> = {}): Comparison =>
  compareCases(casesOf(rows), { ...settings, metrics: [passing()], ...given });

const times = (count: number, row: (at: number) => Row): Row[] => Array.from({ length: count }, (_, at) => row(at));
const own = (at: number): Row => ({ ask: `question ${at}` });
const summaryOf = ({ candidates: [first] }: Comparison) => first?.metrics[0];

describe("rows that ask the same", () => {
  test("are one question: one doubled row in 60 keeps the counts, and 59 questions pass as 59 rows do", () => {
    const doubled = compared([...times(59, own), own(0)]);
    const gate = doubled.gates.find(isMargin);
    expect(gate).toMatchObject({ state: "pass", decided: { by: "exact-score" } });
    expect(summaryOf(doubled)).toMatchObject({
      cases: 60,
      questions: 59,
      same: 60,
      comparison: { n: 59, clusters: 59, test: "exact-score" },
      groups: null,
    });
    // One question fewer is too few, with its copy too.
    expect(compared([...times(58, own), own(0)]).verdict).toBe("inconclusive");
    expect(compared(times(59, own)).verdict).toBe("pass");
    expect(summaryOf(compared(times(59, own)))).not.toHaveProperty("questions");
  });

  test("are known whatever their case, spaces, quotes, width and last marks: twelve questions in six wordings pass nothing", () => {
    const wordings = [
      (at: number) => `When does "branch" ${at} open?`,
      (at: number) => `when does “branch” ${at} open`,
      (at: number) => ` When  does "branch" ${at}\nopen ?`,
      (at: number) => `Ｗhen does "branch" ${at} open？`,
      (at: number) => `When does "branch" ${at} open!`,
      (at: number) => `"When does "branch" ${at} open?"`,
    ];
    const asked = times(72, (at) => ({ ask: wordings[Math.floor(at / 12)]?.(at % 12) ?? "" }));
    const found = compared(asked);
    expect(found.verdict).toBe("inconclusive");
    expect(summaryOf(found)).toMatchObject({ cases: 72, questions: 12, comparison: { n: 12 } });
    // Another figure is another question.
    expect(summaryOf(compared(times(60, (at) => ({ ask: `Is ${at}.5 more than ${at}5?` }))))).not.toHaveProperty(
      "questions",
    );
  });

  test("three questions copied twenty times are three questions, lost or not", () => {
    const kept = compared(times(60, (at) => own(at % 3)));
    expect(kept.verdict).toBe("inconclusive");
    expect(summaryOf(kept)).toMatchObject({ cases: 60, questions: 3, comparison: { n: 3 } });
    const lost = compared(times(60, (at) => ({ ...own(at % 3), now: at % 3 !== 0 })));
    expect(lost.verdict).toBe("inconclusive");
    expect(summaryOf(lost)).toMatchObject({ worse: 20, comparison: { n: 3 } });
  });

  test("are averaged first, sides too, where their copies come out differently", () => {
    const rows = [...times(80, own), ...times(3, () => ({ ask: "question 0", now: false }))];
    const found = summaryOf(compared(rows));
    expect(found).toMatchObject({ cases: 83, questions: 80, worse: 3, comparison: { n: 80, test: "cluster-t" } });
    expect(found?.comparison?.estimate).toBeCloseTo(-0.75 / 80, 12);
    expect(found?.candidate).toBeCloseTo(1 - 0.75 / 80, 12);
    // Both sides waver alike: the averages are neither 0 nor 1.
    const wavers = [...times(80, own), { ask: "question 0", before: false, now: false }];
    expect(summaryOf(compared(wavers))?.comparison?.test).toBe("alike");
  });

  test("with other expected answers are one group", () => {
    const rows = times(120, (at) => ({ ask: `question ${at % 40}`, expected: `e${Math.floor(at / 40)}` }));
    const found = summaryOf(compared(rows));
    expect(found).toMatchObject({
      cases: 120,
      comparison: { n: 120, clusters: 40 },
      groups: { count: 40, of: { kind: "groups", column: "question" } },
    });
    expect(found).not.toHaveProperty("questions");
  });

  test("stay in their declared groups, and a conversation's turns are never one", () => {
    const greeting = times(30, (at) => ({ ask: "Hi", cluster: `talk ${at}` }));
    const second = times(30, (at) => ({ ask: `question ${at}`, cluster: `talk ${at}` }));
    const talks = compared([...greeting, ...second], { clustered: true });
    expect(summaryOf(talks)).toMatchObject({ cases: 60, comparison: { n: 60, clusters: 30 } });
    expect(summaryOf(talks)).not.toHaveProperty("questions");
    const groups = { clustered: true, clusterColumn: "article" };
    const twice = [...second, { ask: "question 0", cluster: "talk 0" }, { ask: "question 0", cluster: "talk 1" }];
    expect(summaryOf(compared(twice, groups))).toMatchObject({
      cases: 32,
      questions: 31,
      comparison: { clusters: 30 },
    });
  });

  test("are rows of their own where the suite says so, or where their input says nothing", () => {
    const rows = times(60, (at) => own(at % 3));
    expect(compared(rows, { isIndependent: true }).verdict).toBe("pass");
    expect(compared(times(60, () => ({ ask: " " }))).verdict).toBe("pass");
  });

  test("are known by 12 bytes of each, whatever the order", () => {
    const tally = questionTally("open");
    for (const [ask, expected] of [
      ["a", "x"],
      ["b", "x"],
      ["a", "x"],
      ["c", null],
      ["b", "y"],
      ["c", null],
    ] as const) {
      const input = JSON.stringify({ input_prompt: ask });
      tally.add({ input, expected }, 0);
    }
    const { questions, inputs } = tally.asked();
    expect(Array.from(questions ?? [])).toEqual([0, 1, 0, 2, 3, 2]);
    expect(Array.from(inputs ?? [])).toEqual([0, 1, 0, 2, 1, 2]);
  });
});

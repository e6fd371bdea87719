import { describe, expect, test } from "vitest";
import { comparisonStream, type Comparison, type ComparisonSettings } from "../../src/compare/comparison.ts";
import { compareCases } from "./compare-cases.ts";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { aCase, answered, aTarget, candidate, failed, prod, says, settings, unfinished } from "./case-result.ts";

const compare = (results: Iterable<PairedResult>, given: Partial<ComparisonSettings> = {}): Comparison =>
  compareCases(results, { ...settings, ...given });

const one = (result: PairedResult) => comparisonStream(settings).add(result).differences[0];

const many = (errors: number): PairedResult[] =>
  Array.from({ length: 20 }, (_, i) =>
    aCase(`k${i}`, [says(prod, "a"), i < errors ? failed(candidate, "boom") : says(candidate, "a")]),
  );

describe("a case", () => {
  test("with the same words and other marks does not differ", () => {
    const found = one(aCase("a", [says(prod, "Ten cm [1]."), says(candidate, "Ten  cm [2].", { sentAt: 1_400 })]));
    expect(found).toMatchObject({ answerDiffers: false, distance: 0, outcomeDiffers: false, members: [], gapMs: 400 });
  });

  test("with other words differs by a distance between 0 and 1", () => {
    const found = one(aCase("a", [says(prod, "पौधों के बीच १० सेमी रखें"), says(candidate, "पौधों के बीच २० सेमी रखें")]));
    expect(found?.answerDiffers).toBe(true);
    expect(found?.distance).toBeGreaterThan(0);
    expect(found?.distance).toBeLessThan(0.5);
  });

  test("with an answer on one side alone differs, at no distance that could be measured", () => {
    const found = one(
      aCase("a", [says(prod, "Ten."), answered(candidate, { output_text: null }, { answer: "empty" })]),
    );
    expect(found).toMatchObject({ answerDiffers: true, distance: null, outcomeDiffers: true });
  });

  test("with a failed side differs in its outcome; nothing is said of the answer", () => {
    const found = one(aCase("a", [says(prod, "Ten."), failed(candidate, "boom")]));
    expect(found).toMatchObject({ answerDiffers: null, distance: null, members: null, outcomeDiffers: true });
  });

  test("with an unfinished or missing side is not compared", () => {
    for (const jobs of [[says(prod, "Ten."), unfinished(candidate)], [says(prod, "Ten.")], []]) {
      expect(one(aCase("a", jobs))).toMatchObject({
        answerDiffers: null,
        outcomeDiffers: null,
        members: null,
        gapMs: null,
      });
    }
  });

  test("differs when some try of one side said something else than some try of the other", () => {
    const said = (side: typeof prod, texts: string[]) => texts.map((text, i) => says(side, text, { repeat: i + 1 }));
    const found = (before: string[], after: string[]) =>
      one(aCase("a", [...said(prod, before), ...said(candidate, after)]));
    expect(found(["a", "a"], ["a", "a"])).toMatchObject({ answerDiffers: false, distance: 0, change: "same" });
    expect(found(["a", "b"], ["a", "c"])).toMatchObject({ answerDiffers: true });
    expect(found(["a"], ["a", "b"])).toMatchObject({ answerDiffers: true, change: "differs" });
    expect(found(["a", "b"], ["a", "b"])).toMatchObject({ answerDiffers: true, change: "within-noise" });
    // The distance is the mean over all pairs of tries, so that it is none only where nothing differs.
    const apart = found(["x y", "x y"], ["x y", "p q"])?.distance ?? 0;
    expect(apart).toBeCloseTo((found(["x y"], ["p q"])?.distance ?? 0) / 2, 6);
    expect(apart).toBeGreaterThan(0);
  });

  test("of a function keeps brackets, which are values there", () => {
    const base = { ...prod, endpoint: "functions" as const };
    const other = { ...candidate, endpoint: "functions" as const };
    const jobs = [answered(base, { return_value: [1] }), answered(other, { return_value: [2] })];
    const { candidates, targets } = compare([aCase("a", jobs, { expected: "[ 1 ]" })], { sides: [base, other] });
    expect(candidates[0]).toMatchObject({
      answerDiffers: 1,
      expectedLost: 1,
      members: [{ path: "return_value[]", kind: "value", cases: 1 }],
    });
    expect(targets.map(({ expected }) => expected)).toEqual([
      { found: 1, of: 1 },
      { found: 0, of: 1 },
    ]);
  });
});

describe("a comparison", () => {
  test("counts jobs, answers, errors and expected texts of every target, repeats included", () => {
    const { targets } = compare([
      aCase("a", [says(prod, "Paris"), says(prod, "Rome", { repeat: 2 }), says(candidate, "paris [1]")], {
        expected: "Paris",
      }),
      aCase("b", [says(prod, "x"), answered(candidate, {}, { answer: "empty" })], { expected: "x" }),
      aCase("c", [says(prod, "x"), failed(candidate, "boom")], { expected: "x" }),
      aCase("d", [says(prod, "x", { answer: "truncated" }), unfinished(candidate)]),
    ]);
    expect(targets[0]).toMatchObject({
      target: "prod",
      jobs: 5,
      answered: 5,
      truncated: 1,
      errors: {},
      expected: { found: 3, of: 4 },
      runsTried: 5,
      runsWithoutAnswer: 0,
    });
    expect(targets[1]).toMatchObject({
      jobs: 4,
      answered: 1,
      unfinished: 1,
      errors: { empty: 1, "run-failed": 1 },
      expected: { found: 1, of: 3 },
      possiblyPaid: 1,
      errorGroups: [{ outcome: "run-failed", message: "boom", jobs: 1, example: "c" }],
      runsTried: 4,
      // Failed, not finished, and a record that says nothing.
      runsWithoutAnswer: 3,
    });
  });

  test("counts the differences of every candidate, each case once per kind", () => {
    const { candidates } = compare([
      aCase("same", [says(prod, "a"), says(candidate, "a")]),
      aCase("other", [says(prod, "Paris"), says(candidate, "Rome")], { expected: "Paris" }),
      aCase("failed", [says(prod, "a"), failed(candidate, "boom")]),
      aCase("open", [says(prod, "a"), unfinished(candidate)]),
      aCase("members", [
        answered(prod, { output_text: ["a"], references: [1, 2, 3] }),
        answered(candidate, { output_text: ["a"], references: null }),
      ]),
    ]);
    expect(candidates[0]).toMatchObject({
      candidate: "test",
      compared: 3,
      unfinished: 1,
      failed: 1,
      answerDiffers: 1,
      membersDiffer: 1,
      outcomeDiffers: 1,
      expectedLost: 1,
      expectedGained: 0,
      expectedDiffers: 0,
      expectedDiffersIn: [],
      members: [{ path: "references", kind: "null", cases: 1, example: "3 -> null" }],
    });
  });

  test("ranks changes of outcome before an expected text lost or gained, and these before distance", () => {
    const { candidates } = compare([
      aCase("near", [says(prod, "abcdefgh"), says(candidate, "abcdefgi")]),
      aCase("far", [says(prod, "abcdefgh"), says(candidate, "zzz")]),
      aCase("lost", [says(prod, "abcdefgh"), says(candidate, "abcdefg")], { expected: "h" }),
      aCase("failed", [says(prod, "a"), failed(candidate, "boom")]),
    ]);
    expect(candidates[0]?.mostDifferent.map(({ key }) => key)).toEqual(["failed", "lost", "far", "near"]);
  });

  test("keeps at most 20 rows and the beginnings of their answers, however many differ", () => {
    const results = Array.from({ length: 100 }, (_, i) =>
      aCase(`k${i}`, [says(prod, "a".repeat(20_000)), says(candidate, `b${i}`)]),
    );
    const most = compare(results).candidates[0]?.mostDifferent ?? [];
    expect(most.map(({ key }) => key)).toEqual(Array.from({ length: 20 }, (_, i) => `k${i}`));
    expect(most[0]?.baseline.answer?.length).toBeLessThan(2_100);
  });

  test("bounds the member paths it counts", () => {
    const results = Array.from({ length: 300 }, (_, i) =>
      aCase(`k${i}`, [answered(prod, { [`m${i}`]: 1 }), answered(candidate, {})]),
    );
    expect(compare(results).candidates[0]).toMatchObject({
      membersDiffer: 300,
      otherMembers: 100,
      members: { length: 200 },
    });
  });

  test("of several candidates gives each its own differences", () => {
    const third = aTarget(3, "third");
    const jobs = [says(prod, "a"), says(candidate, "a"), says(third, "b")];
    const { candidates } = compare([aCase("a", jobs)], {
      sides: [prod, candidate, third],
      pairs: [
        { baseline: 0, candidate: 1 },
        { baseline: 0, candidate: 2 },
      ],
    });
    expect(candidates.map((sum) => [sum.candidate, sum.answerDiffers])).toEqual([
      ["test", 0],
      ["third", 1],
    ]);
  });

  test("of one target is a summary of it", () => {
    const found = compare([aCase("a", [says(prod, "x")])], { sides: [prod], pairs: [] });
    expect(found).toMatchObject({
      cases: 1,
      baseline: null,
      candidates: [],
      validity: { state: "valid" },
      verdict: null,
      targets: [{ answered: 1 }],
    });
  });

  test("of one target that hardly answered is invalid, though there is nothing to compare", () => {
    const cases = Array.from({ length: 20 }, (_, i) =>
      aCase(`k${i}`, [i < 2 ? failed(prod, `run ab12cd34ef${i} took ${i + 10} s`) : says(prod, "x")]),
    );
    const found = compare(cases, { sides: [prod], pairs: [] });
    expect(found.verdict).toBe("invalid");
    expect(found.validity).toEqual({
      state: "invalid",
      reasons: [
        {
          ...unanswered,
          target: "prod",
          error: { outcome: "run-failed", message: "run ab12cd34ef0 took 10 s", runs: 2, ofService: true },
        },
      ],
    });
    expect(found.targets[0]?.errorGroups).toEqual([
      {
        outcome: "run-failed",
        message: "run ab12cd34ef0 took 10 s",
        jobs: 2,
        example: "k0",
        rows: [{ row: 2, file: null }],
      },
    ]);
    expect(compare(cases, { sides: [prod], pairs: [], maxErrorShare: 0.1 }).verdict).toBeNull();
    expect(compare([], { sides: [prod], pairs: [] }).validity).toBeNull();
  });

  test("names the columns of all rows in the order in which they are met", () => {
    const rows = [
      { b: "1", a: "2" },
      { a: "3", c: "4" },
    ];
    expect(compare(rows.map((columns, i) => aCase(`k${i}`, [], { columns }))).columns).toEqual(["b", "a", "c"]);
  });
});

const unanswered = { kind: "unanswered", runs: 2, of: 20, isOfRows: true, share: 0.1, allowed: 0.05, skipped: 0 };

describe("the validity of a comparison", () => {
  test("holds while the share of cases without a run record is at most the allowed one", () => {
    expect(compare(many(1)).validity).toEqual({ state: "valid" });
    expect(compare(many(2)).validity).toEqual({
      state: "invalid",
      reasons: [
        {
          ...unanswered,
          target: "test",
          error: { outcome: "run-failed", message: "boom", runs: 2, ofService: true },
        },
      ],
    });
  });

  test("fails for an empty batch and for a target that was stopped", () => {
    expect(compare([]).validity).toEqual({ state: "invalid", reasons: [{ kind: "no-rows" }] });
    const sides = [prod, { ...candidate, stopped: "the key was refused" }];
    expect(compare(many(0), { sides }).validity).toEqual({
      state: "invalid",
      reasons: [{ kind: "stopped", target: "test", why: "the key was refused" }],
    });
  });

  test("fails when only failures came back", () => {
    const { validity, targets, candidates } = compare([aCase("a", [failed(prod, "x"), failed(candidate, "x")])]);
    expect(validity).toMatchObject({ state: "invalid", reasons: { length: 3 } });
    expect(targets[0]?.latency).toBeNull();
    expect(candidates[0]).toMatchObject({ compared: 0, failed: 1, meanDistance: null, mostDifferent: [] });
  });
});

import { causeWords } from "../../src/report/say/causes.ts";
import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import type { Comparison, ComparisonSettings } from "../../src/compare/comparison.ts";
import { randomStream } from "../../src/lib/random.ts";
import type { JobResult } from "../../src/store/results/case-result.ts";
import { leavingPass, ofOneSide, ruledPass } from "../bench/simulation/gaps.ts";
import type { Situation } from "../bench/simulation/situation.ts";
import { slowTest } from "../often.ts";
import { aCase, candidate, failed, passing, prod, says, scored, settings } from "./case-result.ts";
import { compareCases } from "./compare-cases.ts";

/** The end of a run: a grade, no answer, or an answer that nothing grades. */
type End = "pass" | "fail" | "missing" | "ungraded";

const jobOf = (target: typeof prod, end: End): JobResult => {
  if (end === "missing") return failed(target, "no answer");
  if (end === "ungraded") return says(target, "a", { scores: [{ value: null, pass: null, reason: "no JSON" }] });
  return says(target, "a", scored(end === "pass"));
};

const compared = (ends: readonly (readonly [End, End])[], given: Partial<ComparisonSettings> = {}): Comparison => {
  const results = ends.map(([from, to], at): PairedResult =>
    aCase(`k${at}`, [jobOf(prod, from), jobOf(candidate, to)]),
  );
  return compareCases(results, { ...settings, metrics: [passing()], maxErrorShare: 0.1, ...given });
};

const times = (count: number, ...ends: readonly [End, End]) => Array.from({ length: count }, () => ends);

describe("a gap", () => {
  test("counts as a fail of its side before a pass is told, and how many of them may be wrong is said", () => {
    const found = compared([
      ...times(178, "pass", "pass"),
      ...times(10, "pass", "missing"),
      ...times(9, "pass", "ungraded"),
      ...times(3, "pass", "fail"),
    ]);
    expect(found).toMatchObject({ verdict: "inconclusive" });
    expect(found.candidates[0]?.metrics[0]?.gaps).toMatchObject({ baseline: 0, candidate: 19 });
    const only = compared([...times(181, "pass", "pass"), ...times(19, "pass", "ungraded")]);
    expect(only).toMatchObject({ verdict: "inconclusive", word: "cannot-tell" });
    const [gate] = only.gates;
    const reason = gate?.reason;
    if (reason?.kind !== "gaps" || reason.mostWrong === null) throw new TypeError("no gaps");
    // That many more that fail still pass, and one more does not.
    const { mostWrong: most } = reason;
    expect(causeWords(reason)).toBe(
      `PASS only if at most ${most} of the 19 rows in which test has no graded answer are wrong`,
    );
    expect(compared([...times(200 - most, "pass", "pass"), ...times(most, "pass", "fail")]).word).toBe("pass");
    expect(compared([...times(199 - most, "pass", "pass"), ...times(most + 1, "pass", "fail")]).word).not.toBe("pass");
    // The bound that is shown is the one that decides.
    expect(gate).toMatchObject({ decided: { lower: expect.any(Number) } });
    expect(gate?.kind === "margin" ? gate.decided?.lower : 0).toBeLessThan(-0.05);
  });

  test("makes no regression, and takes nothing away where the baseline has as many or the case passes on no side", () => {
    const few = compared([...times(80, "pass", "pass"), ...times(8, "pass", "ungraded")]);
    expect(few.verdict).toBe("inconclusive");
    const alike = [...times(184, "pass", "pass"), ...times(8, "pass", "ungraded"), ...times(8, "ungraded", "pass")];
    expect(compared(alike).word).toBe("pass");
    const both = [...times(180, "pass", "pass"), ...times(10, "ungraded", "ungraded"), ...times(1, "pass", "ungraded")];
    expect(compared(both).word).toBe("pass");
    expect(compared([...times(180, "pass", "pass"), ...times(10, "fail", "ungraded")]).word).toBe("pass");
  });

  test("of a scale with two ends is its worst end, and one of a score without ends leaves", () => {
    const bounded = passing({ scale: { kind: "bounded", min: 0, max: 10 }, passes: false });
    const similar = { ...bounded, of: "value" as const, gates: [{ kind: "margin" as const, margin: 0.5, by: null }] };
    const value = (target: typeof prod, at: number | null): JobResult =>
      says(target, "a", { scores: [{ value: at, pass: null, reason: null }] });
    const results = Array.from({ length: 120 }, (_, at) =>
      aCase(`k${at}`, [value(prod, 8 + (at % 2)), value(candidate, at < 8 ? null : 8 + (at % 2))]),
    );
    const given = { ...settings, maxErrorShare: 0.1 };
    expect(compareCases(results, { ...given, metrics: [similar] }).word).toBe("cannot-tell");
    const open = { ...similar, metric: { ...similar.metric, scale: { kind: "unbounded" as const, unit: null } } };
    expect(compareCases(results, { ...given, metrics: [open] }).candidates[0]?.metrics[0]?.gaps).toBeNull();
  });

  test.each([
    { n: 100, baseline: 0, candidate: 0.05 },
    { n: 100, baseline: 0.02, candidate: 0.07 },
  ])("that is a loss brings a pass falsely in no more than 5 % of the comparisons: %o", (sheet) => {
    const rate = passRate(ofOneSide(sheet), 200);
    expect(rate.ruled).toBeLessThanOrEqual(0.1);
    expect(rate.leaving).toBeGreaterThan(0.5);
  });

  slowTest(
    "does so of more comparisons",
    () => {
      const sheets = [
        { n: 100, baseline: 0, candidate: 0.05 },
        { n: 300, baseline: 0, candidate: 0.05 },
        // Of 100 rows it is 5.6 %: by chance the baseline has as many gaps, and they leave.
        { n: 300, baseline: 0.02, candidate: 0.07 },
      ];
      for (const sheet of sheets) expect(passRate(ofOneSide(sheet), 4_000).ruled).toBeLessThanOrEqual(0.055);
    },
    300_000,
  );
});

/** Shares of passes by the rule, and were gaps left out. */
function passRate({ once, name }: Situation, repetitions: number): { ruled: number; leaving: number } {
  const random = randomStream(name);
  const found = Array.from({ length: repetitions }, (_, at) => once(random, at));
  const shareOf = (rule: string): number => found.filter((each) => each[rule] === true).length / repetitions;
  return { ruled: shareOf(ruledPass), leaving: shareOf(leavingPass) };
}

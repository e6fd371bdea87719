import type { ShownOutcome } from "../../src/api/outcomes.ts";
import type { CaseFlip } from "../../src/compare/cases/case-kinds.ts";
import { describe, expect, test } from "vitest";
import { junitReport } from "../../src/report/formats/junit.ts";
import type { ReportRow, ReportSide, ReportSummary } from "../../src/report/shape/model.ts";
import { faultsOfJunit } from "./junit-schema.ts";
import { frameOf, hostileRow, hostileSummary, hostileTexts, reportOf } from "./reports.ts";
import { syntheticRows, syntheticSummary } from "./synthetic.ts";

const summary = syntheticSummary(4);

const whole = (rows: Iterable<ReportRow>, of: ReportSummary = summary): string =>
  reportOf(junitReport(frameOf(of)), rows, of);

const [row] = syntheticRows(1);

interface Given {
  passes?: number;
  runs?: number;
  outcome?: ShownOutcome;
  failed?: boolean;
  error?: string | null;
}

/** A side of which all runs came out like this. */
function sideOf({ passes = 1, runs = 1, outcome = "answered", failed = false, error = null }: Given): ReportSide {
  const [first] = row?.sides[0]?.runs ?? [];
  if (first === undefined) throw new Error("there is no run");
  const scores = [{ value: passes === 0 ? 0 : 1, pass: passes > 0, reason: "it lacks “blue”" }, null];
  return {
    runs: Array.from({ length: runs }, (_, i) => ({ ...first, repeat: i + 1, outcome, failed, error, scores })),
    scores: [failed ? null : { value: passes / runs, passes, runs }, null],
  };
}

function testOf(baseline: Given, candidate: Given, flips: CaseFlip[] = [], of: ReportSummary = summary): string {
  if (row === undefined) throw new Error("there is no row");
  const changes = row.changes.map((change) => ({ ...change, flips }));
  const text = whole([{ ...row, key: "k", sides: [sideOf(baseline), sideOf(candidate)], changes }], of);
  const [, found = ""] =
    /<testcase classname="test" name="k" time="[\d.]+"(\/>|>[\s\S]*?<\/testcase>)/.exec(text) ?? [];
  return found.replaceAll(/\s*<system-out>[\s\S]*<\/system-out>/g, "").trim();
}

/** Attributes of the elements of a name, in order. */
function elements(text: string, name: string): Record<string, string>[] {
  return Array.from(text.matchAll(new RegExp(`<${name}((?: [a-z]+="[^"]*")*)\\s*/?>`, "g")), ([, attributes = ""]) =>
    Object.fromEntries(Array.from(attributes.matchAll(/([a-z]+)="([^"]*)"/g), ([, key, value]) => [key, value])),
  );
}

describe("a case in junit.xml", () => {
  test("passes when a run passes", () => {
    expect(testOf({}, {})).toBe("/>");
    expect(testOf({}, { passes: 1, runs: 3 })).toBe("/>");
    expect(testOf({ passes: 0 }, {})).toBe("/>");
  });

  test("fails with the reason when it passed at the baseline and does not any more", () => {
    const failure = '<failure type="pass-to-fail" message="correct: it lacks “blue”">';
    expect(testOf({}, { passes: 0 }, ["pass-to-fail"])).toContain(failure);
  });

  test("is no failure and no error where the verdict is none", () => {
    const passes = { ...summary, verdict: { ...summary.verdict, state: "pass" as const, word: "pass" as const } };
    const failed = { outcome: "run-failed" as const, failed: true, error: "ValueError: x < 5" };
    expect(testOf({}, { passes: 0 }, ["pass-to-fail"], passes)).toContain(
      '<skipped type="pass-to-fail" message="correct: it lacks “blue”">',
    );
    expect(testOf({}, failed, [], passes)).toContain('<skipped type="run-failed" message="ValueError: x &lt; 5">');
  });

  test("is a failure under WORSE only where --fail-on asks for it", () => {
    const worse = {
      ...summary,
      verdict: { ...summary.verdict, state: "inconclusive" as const, word: "worse" as const },
    };
    if (row === undefined) throw new Error("there is no row");
    const changes = row.changes.map((change) => ({ ...change, flips: ["pass-to-fail" as const] }));
    const rows: ReportRow[] = [{ ...row, sides: [sideOf({}), sideOf({ passes: 0 })], changes }];
    const of = (...failOn: ("worse" | "inconclusive")[]): string =>
      reportOf(junitReport(frameOf(worse), failOn), rows, worse);
    expect(of("worse")).toContain('<failure type="pass-to-fail"');
    expect(of()).toContain('<skipped type="pass-to-fail"');
    expect(of("inconclusive")).toContain('<skipped type="pass-to-fail"');
  });

  test("is no failure where the comparison does not count it as newly failing", () => {
    expect(testOf({}, { passes: 0 })).toContain(
      "the baseline passed, but not in every try, or by another expected answer",
    );
  });

  test("is skipped, as a known failure, when the baseline fails too or only passes at times", () => {
    expect(testOf({ passes: 0 }, { passes: 0 })).toContain('<skipped message="it fails at the baseline too; correct:');
    expect(testOf({ passes: 1, runs: 2 }, { passes: 0 })).toContain("the baseline passes only at times");
  });

  test("without an answer is an error, whatever the baseline says", () => {
    const failed = { outcome: "run-failed" as const, failed: true, error: "ValueError: x < 5" };
    expect(testOf({}, failed)).toContain('<error type="run-failed" message="ValueError: x &lt; 5">');
    expect(testOf(failed, failed)).toContain("<error");
    expect(testOf(failed, {})).toBe("/>");
  });

  test("that was not run is skipped", () => {
    expect(testOf({}, { outcome: "unfinished" })).toContain("<skipped");
    expect(testOf({}, { outcome: "skipped", failed: true, error: "an earlier turn failed" })).toContain(
      '<skipped message="an earlier turn failed"/>',
    );
  });
});

describe("junit.xml", () => {
  test("has a test for the validity, for each gate and for each case", () => {
    expect(whole(syntheticRows(4))).toMatchSnapshot();
  });

  test("counts what it holds", () => {
    const text = whole(syntheticRows(300));
    const [all, gates, cases] = [...elements(text, "testsuites"), ...elements(text, "testsuite")];
    expect(cases).toMatchObject({ tests: "300" });
    expect(gates).toMatchObject({ tests: "3", failures: "1", skipped: "1" });
    expect(elements(text, "testcase")).toHaveLength(303);
    const counted = { failure: "failures", error: "errors", skipped: "skipped" } as const;
    for (const [name, attribute] of Object.entries(counted)) {
      const sum = Number(gates?.[attribute]) + Number(cases?.[attribute]);
      expect(elements(text, name)).toHaveLength(sum);
      // The common schema of JUnit knows no `skipped` of all suites.
      if (attribute !== "skipped") expect(all?.[attribute]).toBe(String(sum));
    }
  });

  test("is a report of tests as the schema of Jenkins has it, which knows a wrong one", () => {
    expect(faultsOfJunit(whole(syntheticRows(300)))).toEqual([]);
    const failed = { outcome: "run-failed" as const, failed: true, error: "ValueError: x < 5" };
    if (row === undefined) throw new Error("there is no row");
    const sides = [
      [sideOf({}), sideOf(failed)],
      [sideOf({}), sideOf({ outcome: "unfinished" })],
      [sideOf({ passes: 0 }), sideOf({ passes: 0 })],
    ];
    for (const each of sides) expect(faultsOfJunit(whole([{ ...row, sides: each }]))).toEqual([]);
    for (const hostile of hostileTexts) {
      expect(faultsOfJunit(whole([hostileRow(hostile)], hostileSummary(summary, hostile)))).toEqual([]);
    }
    const text = whole(syntheticRows(4));
    expect(faultsOfJunit(text.replaceAll("<testsuites", '<testsuites skipped="1"'))).toEqual([
      "skipped of <testsuites>",
    ]);
    const uncounted = text.replace(/(<testsuite name="[^"]*" tests="\d+") failures="\d+"/, "$1");
    expect(faultsOfJunit(uncounted)).toEqual(["<testsuite> without failures!"]);
    expect(faultsOfJunit(text.replace(/time="[^"]*"/, 'time="1 s"'))).toEqual(['time="1 s"']);
  });

  test("says of each target by itself when nothing is compared", () => {
    const alone = { ...summary, pairs: [], candidates: [], baseline: null, gates: [], verdict: { ...summary.verdict } };
    if (row === undefined) throw new Error("there is no row");
    const text = whole([{ ...row, changes: [], sides: [sideOf({}), sideOf({ passes: 0 })] }], alone);
    expect(elements(text, "testcase").map(({ classname }) => classname)).toEqual(["gates", "prod", "test"]);
    expect(text).toContain('<failure type="fails"');
  });

  test.each(hostileTexts)("is XML whatever the texts are: %j", (hostile) => {
    const text = whole([hostileRow(hostile)], hostileSummary(summary, hostile));
    expect(text).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
    expect(text.replace(/^<\?xml [^>]*\?>\n/, "").replaceAll(/<\/?[a-z-]+(?: [a-z]+="[^"<]*")*\/?>/g, "")).not.toMatch(
      /[<>]/,
    );
    expect(text).not.toMatch(/&(?!(?:amp|lt|gt|quot|#\d+);)/);
    const [found] = elements(text, "failure");
    expect(found).toBeDefined();
  });
});

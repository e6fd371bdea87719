import type { FailOn } from "../../errors.ts";
import { wordInText } from "../../compare/verdict-word.ts";
import { factTexts, gateLine } from "../say/findings.ts";
import type { ReportGate, ReportRow, ReportSummary, ReportChange, ReportRun, ReportSide } from "../shape/model.ts";
import { type ReportFrame, type Reporter, passPlaceOf } from "../shape/reporter.ts";
import { rowWords } from "../say/names.ts";
import { questionOfRow } from "../model/row-figures.ts";
import { endOf } from "../../api/outcomes.ts";
import { notPlanned } from "../../compare/cases/side-outcome.ts";
import { xmlAttribute, xmlText } from "../text/xml-text.ts";

interface Counts {
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  seconds: number;
}

/**
 * `junit.xml`: one test for each gate and for the validity of the comparison, then one for each row of each candidate; of
 * each target when nothing is compared. It agrees with the exit code: a row is a failure only where the verdict is one.
 */
export function junitReport(frame: ReportFrame, failOn: FailOn = []): Reporter {
  const counts: Counts = { tests: 0, failures: 0, errors: 0, skipped: 0, seconds: 0 };
  const { targets, pairs } = frame;
  const sides =
    pairs.length > 0
      ? pairs.map(({ baseline, candidate }) => ({
          side: targets.indexOf(candidate),
          baseline: targets.indexOf(baseline),
        }))
      : targets.map((_, side) => ({ side, baseline: null }));
  return {
    start: "",
    wants: () => true,
    add(row) {
      const tests = sides.map(({ side, baseline }, pair) => {
        const before = baseline === null ? null : (row.sides[baseline] ?? null);
        const verdict = caseVerdict(frame, { side: row.sides[side], baseline: before, change: row.changes[pair] });
        const ms = row.sides[side]?.runs[0]?.latencyMs ?? 0;
        count(counts, verdict, ms / 1000);
        return testCase({
          name: row.key,
          group: targets[side] ?? "",
          seconds: ms / 1000,
          verdict,
          isRow: true,
          output: verdict.state === "passed" ? "" : rowText(row, frame, baseline === null ? [side] : [baseline, side]),
        });
      });
      return tests.join("");
    },
    head: (summary) => headText(summary, { rows: counts, failOn }),
    settle: (summary) => rowsAs(elementsOf(summary, failOn)),
    end: () => "  </testsuite>\n</testsuites>\n",
  };
}

function count(counts: Counts, { state }: CaseVerdict, seconds: number): void {
  counts.tests += 1;
  counts.seconds += seconds;
  if (state === "failure") counts.failures += 1;
  if (state === "error") counts.errors += 1;
  if (state === "skipped") counts.skipped += 1;
}

/** Stands for the element of a row that may be a failure until the verdict is known; no text of XML has such a character. */
const marks = { failure: "\u0001", error: "\u0002" } as const;

type Elements = Record<keyof typeof marks, "failure" | "error" | "skipped">;

/** True where the exit code is that of a regression. */
function fails({ verdict: { state, word }, gates }: ReportSummary, failOn: FailOn): boolean {
  const isWorse = word === "worse" || gates.some(({ byRows }) => byRows === "regression");
  return state === "regression" || (isWorse && failOn.includes("worse"));
}

/** The elements of rows that newly fail, and of rows without an answer. */
function elementsOf(summary: ReportSummary, failOn: FailOn): Elements {
  const isRegression = fails(summary, failOn);
  const { verdict, targets, findings } = summary;
  const isInterrupted = findings.headline.kind === "interrupted";
  const isBroken = !isInterrupted && (verdict.state === "invalid" || targets.some(({ stopped }) => stopped !== null));
  return { failure: isRegression ? "failure" : "skipped", error: isRegression || isBroken ? "error" : "skipped" };
}

/** The rows with the elements in the place of their marks. */
function rowsAs(elements: Elements): (piece: string | Uint8Array) => string | Uint8Array {
  const named = (text: string): string =>
    text.replaceAll(marks.failure, elements.failure).replaceAll(marks.error, elements.error);
  return (piece) => {
    if (typeof piece === "string") return named(piece);
    // A mark is one byte, and bytes of other characters are none: a piece may end anywhere.
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    return Buffer.from(named(bytes.toString("latin1")), "latin1");
  };
}

function settledCounts(counts: Counts, elements: Elements): Counts {
  const settled = { ...counts, failures: 0, errors: 0 };
  for (const [from, to] of [
    [counts.failures, elements.failure],
    [counts.errors, elements.error],
  ] as const) {
    if (to === "failure") settled.failures += from;
    if (to === "error") settled.errors += from;
    if (to === "skipped") settled.skipped += from;
  }
  return settled;
}

function headText(summary: ReportSummary, { rows, failOn }: { rows: Counts; failOn: FailOn }): string {
  const cases = settledCounts(rows, elementsOf(summary, failOn));
  const gates: Counts = { tests: 0, failures: 0, errors: 0, skipped: 0, seconds: 0 };
  const tests = [...validityTests(summary), ...gateTests(summary, failOn), ...placeTests(summary, failOn)].map(
    (test) => {
      count(gates, test.verdict, 0);
      return testCase(test);
    },
  );
  const { batch, suite, tandem, verdict, baseline, state } = summary;
  const at = summary.startedAt.slice(0, 19);
  const suiteOf = (name: string, of: Counts): string =>
    `  <testsuite name="${xmlAttribute(`${suite}: ${name}`)}" ${numbers(of)} timestamp="${at}">\n`;
  const sum = plus(gates, cases);
  const facts = factTexts(summary);
  const properties = Object.entries({
    tandem,
    suite,
    batch,
    state,
    baseline,
    verdict: verdict.state,
    word: verdict.word,
    claim: verdict.claim,
    sentence: verdict.sentence,
    details: facts.length === 0 ? null : facts.join(". "),
    cautions: summary.cautions.length === 0 ? null : summary.cautions.join(" "),
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<testsuites name="${xmlAttribute(batch)}" ${sums(sum)}>\n`,
    suiteOf("gates", gates),
    "    <properties>\n",
    ...properties.map(([name, value]) =>
      value === null ? "" : `      <property name="${name}" value="${xmlAttribute(value)}"/>\n`,
    ),
    "    </properties>\n",
    ...tests,
    "  </testsuite>\n",
    suiteOf("cases", cases),
  ].join("");
}

function plus(a: Counts, b: Counts): Counts {
  return {
    tests: a.tests + b.tests,
    failures: a.failures + b.failures,
    errors: a.errors + b.errors,
    skipped: a.skipped + b.skipped,
    seconds: a.seconds + b.seconds,
  };
}

function numbers({ skipped, ...counts }: Counts): string {
  return `${sums(counts)} skipped="${skipped}"`;
}

/** The common schema of JUnit has no `skipped` at the top. */
function sums({ tests, failures, errors, seconds }: Omit<Counts, "skipped">): string {
  return `tests="${tests}" failures="${failures}" errors="${errors}" time="${seconds.toFixed(3)}"`;
}

interface Test {
  name: string;
  group: string;
  seconds: number;
  verdict: CaseVerdict;
  output: string;
  /** Its element depends on the verdict. */
  isRow?: boolean;
}

function validityTests(summary: ReportSummary): Test[] {
  const { validity, findings, verdict: told } = summary;
  if (validity.state === "unknown") return [];
  if (findings.headline.kind === "interrupted") {
    const verdict: CaseVerdict = { state: "skipped", type: "interrupted", message: told.sentence };
    return [{ name: "validity", group: "gates", seconds: 0, verdict, output: "" }];
  }
  const wrong = validity.checks.filter(({ ok }) => !ok).map(({ text }) => text);
  const invalid = validity.state === "invalid";
  const message = wrong.join("; ") || "the comparison is invalid";
  const verdict: CaseVerdict = invalid ? { state: "error", type: "invalid", message } : passing;
  return [{ name: "validity", group: "gates", seconds: 0, verdict, output: "" }];
}

const passing: CaseVerdict = { state: "passed", type: "", message: "" };

function gateTests({ gates, pairs, metrics, findings }: ReportSummary, failOn: FailOn): Test[] {
  const isInterrupted = findings.headline.kind === "interrupted";
  return gates.flatMap((gate) => {
    if (gate.state === null) return [];
    const baseline = pairs.find(({ candidate }) => candidate === gate.candidate)?.baseline ?? "";
    const name = `${gate.name}: ${gate.candidate} against ${baseline}`;
    const message = gateLine(gate, metrics);
    const output = [message, gate.method, ...gate.details].filter((line) => line !== "").join("\n");
    return [
      { name, group: "gates", seconds: 0, verdict: gateVerdict(gate, { message, failOn, isInterrupted }), output },
    ];
  });
}

function gateVerdict(
  { state, word, byRows }: ReportGate,
  { message, failOn, isInterrupted }: { message: string; failOn: FailOn; isInterrupted: boolean },
): CaseVerdict {
  if (state === "regression") return { state: "failure", type: "regression", message };
  if ((word === "worse" || byRows === "regression") && failOn.includes("worse"))
    return { state: "failure", type: "worse", message };
  if (state === "invalid" && isInterrupted)
    return { state: "skipped", type: "interrupted", message: "it was interrupted before this was decided" };
  if (state === "invalid") return { state: "error", type: "invalid", message };
  // A gate that cannot be decided is no failure, as in the exit code.
  if (state !== "inconclusive") return passing;
  return { state: "skipped", type: state, message: word === null ? message : `${wordInText(word)}: ${message}` };
}

/** The place that alone makes it worse: no gate holds it. */
function placeTests({ findings: { headline }, verdict: { sentence } }: ReportSummary, failOn: FailOn): Test[] {
  if (headline.kind !== "place") return [];
  const state = failOn.includes("worse") ? ("failure" as const) : ("skipped" as const);
  const name = `places: ${headline.candidate} against ${headline.baseline}`;
  const verdict: CaseVerdict = { state, type: "worse", message: sentence };
  return [{ name, group: "gates", seconds: 0, verdict, output: "" }];
}

function testCase({ name, group, seconds, verdict, output, isRow = false }: Test): string {
  const { state, type, message } = verdict;
  const start = `    <testcase classname="${xmlAttribute(group)}" name="${xmlAttribute(name)}" time="${seconds.toFixed(3)}"`;
  const out = output === "" ? "" : `      <system-out>${xmlText(output)}</system-out>\n`;
  if (state === "passed") return out === "" ? `${start}/>\n` : `${start}>\n${out}    </testcase>\n`;
  const about = xmlAttribute(message.slice(0, mostMessage));
  const element = isRow && state !== "skipped" ? marks[state] : state;
  const tag =
    state === "skipped"
      ? `      <skipped message="${about}"/>\n`
      : `      <${element} type="${xmlAttribute(type)}" message="${about}">${xmlText(message)}</${element}>\n`;
  return `${start}>\n${tag}${out}    </testcase>\n`;
}

const mostMessage = 1_000;
const mostText = 4_000;

/** The question, and the answers of these sides. */
function rowText(row: ReportRow, { targets }: ReportFrame, sides: readonly number[]): string {
  const place = rowWords(row);
  const asked = [place === "" ? "asked:" : `asked (${place}):`, questionOfRow(row).slice(0, mostText)];
  const expected = row.expected === null ? [] : ["expected:", row.expected.slice(0, mostText)];
  const answers = sides.flatMap((side) => {
    const run = row.sides[side]?.runs[0];
    if (run === undefined) return [];
    const url = run.url === null ? [] : [run.url];
    return [`${targets[side] ?? ""} (${run.outcome}):`, (run.answer ?? run.error ?? "").slice(0, mostText), ...url];
  });
  return [...asked, ...expected, ...answers].join("\n");
}

/** Result of a case for a system that knows only tests. */
interface CaseVerdict {
  state: "passed" | "failure" | "error" | "skipped";
  /** Kind of failure, such as `pass-to-fail` or an outcome; empty when it passed. */
  type: string;
  /** The reason, in a line; empty when it passed. */
  message: string;
}

const passed: CaseVerdict = { state: "passed", type: "", message: "" };

/**
 * A row of one target as a test, before the verdict is known. Without an answer it is an error. It fails when it newly fails, as the comparison counts it:
 * no run passes although every run of the baseline does, and where a gate counts rows also one that has no grade; what fails at the baseline as well is skipped, like a known failure, and so is what has not run.
 * Without a baseline it fails when no run passes. Where no metric says pass or fail, every answer passes.
 */
function caseVerdict(
  { metrics }: Pick<ReportFrame, "metrics">,
  {
    side,
    baseline,
    change,
  }: { side: ReportSide | undefined; baseline: ReportSide | null; change: ReportChange | undefined },
): CaseVerdict {
  const runs = side?.runs ?? [];
  const first = runs[0];
  if (first === undefined) return { state: "skipped", type: notPlanned, message: "it was not planned" };
  const isNew = change?.flips?.includes("pass-to-fail") === true;
  const place = passPlaceOf(metrics);
  const metric = metrics[place];
  if (isNew && metric !== undefined && passesOf(side, place) === null)
    return { state: "failure", type: "pass-to-fail", message: `${metric.name}: ${ungradedReason(runs, place)}` };
  if (runs.every(({ outcome }) => !endOf(outcome).says)) {
    return { state: "skipped", type: first.outcome, message: first.error ?? "it was not run" };
  }
  const failed = runs.find((run) => run.failed);
  if (failed !== undefined && runs.every((run) => run.failed || run.outcome === "unfinished")) {
    return { state: "error", type: failed.outcome, message: failed.error ?? failed.outcome };
  }
  if (metric === undefined || passesOf(side, place) !== "none") return passed;
  const why = `${metric.name}: ${reasonOf(runs, place) ?? "the answer does not pass"}`;
  if (baseline === null) return { state: "failure", type: "fails", message: why };
  if (isNew) return { state: "failure", type: "pass-to-fail", message: why };
  const before = passesOf(baseline, place);
  const also = before === null ? "the baseline has no score" : alike[before];
  return { state: "skipped", type: "known", message: `${also}; ${why}` };
}

const alike = {
  none: "it fails at the baseline too",
  some: "the baseline passes only at times",
  all: "the baseline passed, but not in every try, or by another expected answer",
} as const;

/** Null: no run has a score. */
function passesOf(side: ReportSide | undefined, place: number): "all" | "some" | "none" | null {
  const found = side?.scores[place] ?? null;
  if (found === null || found.runs === 0) return null;
  if (found.passes === 0) return "none";
  return found.passes === found.runs ? "all" : "some";
}

/** Why a row has no grade: the reason of its scorer, or why it was not answered. */
function ungradedReason(runs: readonly ReportRun[], place: number): string {
  const reason = runs.flatMap(({ scores }) => scores[place]?.reason ?? []).find((each) => each !== "");
  const error = runs.find((run) => run.error !== null)?.error ?? null;
  return reason ?? error ?? "it has no graded answer";
}

function reasonOf(runs: readonly ReportRun[], place: number): string | null {
  const score = runs.map(({ scores }) => scores[place]).find((each) => each?.pass === false);
  return score?.reason ?? null;
}

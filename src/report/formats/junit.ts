import { wordInText } from "../../compare/verdict-word.ts";
import { gateWords } from "../words/gate-words.ts";
import type { ReportGate, ReportRow, ReportSummary, ReportChange, ReportRun, ReportSide } from "../shape/model.ts";
import { type ReportFrame, type Reporter, passPlaceOf } from "../shape/reporter.ts";
import { rowWords } from "../words/row-words.ts";
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
 * `junit.xml`: one test for each gate and for the validity of the comparison, then one for each case of each candidate; of
 * each target when nothing is compared.
 */
export function junitReport(frame: ReportFrame): Reporter {
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
          output: verdict.state === "passed" ? "" : rowText(row, frame, baseline === null ? [side] : [baseline, side]),
        });
      });
      return tests.join("");
    },
    head: (summary) => headText(summary, counts),
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

function headText(summary: ReportSummary, cases: Counts): string {
  const gates: Counts = { tests: 0, failures: 0, errors: 0, skipped: 0, seconds: 0 };
  const tests = [...validityTests(summary), ...gateTests(summary)].map((test) => {
    count(gates, test.verdict, 0);
    return testCase(test);
  });
  const { batch, suite, tandem, verdict, baseline, state } = summary;
  const at = new Date(summary.startedAt).toISOString().slice(0, 19);
  const suiteOf = (name: string, of: Counts): string =>
    `  <testsuite name="${xmlAttribute(`${suite}: ${name}`)}" ${numbers(of)} timestamp="${at}">\n`;
  const sum = plus(gates, cases);
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
    details: verdict.details.length === 0 ? null : verdict.details.join(" "),
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
}

function validityTests({ validity }: ReportSummary): Test[] {
  if (validity.state === "unknown") return [];
  const wrong = validity.checks.filter(({ ok }) => !ok).map(({ text }) => text);
  const invalid = validity.state === "invalid";
  const message = wrong.join("; ") || "the comparison is invalid";
  const verdict: CaseVerdict = invalid ? { state: "error", type: "invalid", message } : passing;
  return [{ name: "validity", group: "gates", seconds: 0, verdict, output: "" }];
}

const passing: CaseVerdict = { state: "passed", type: "", message: "" };

function gateTests({ gates, pairs, metrics }: ReportSummary): Test[] {
  return gates.flatMap((gate) => {
    if (gate.state === null) return [];
    const baseline = pairs.find(({ candidate }) => candidate === gate.candidate)?.baseline ?? "";
    const name = `${gate.name}: ${gate.candidate} against ${baseline}`;
    const message = gateWords(gate, metrics);
    const output = [message, gate.method, ...gate.details].filter((line) => line !== "").join("\n");
    return [{ name, group: "gates", seconds: 0, verdict: gateVerdict(gate, message), output }];
  });
}

function gateVerdict({ state, word }: ReportGate, message: string): CaseVerdict {
  if (state === "regression") return { state: "failure", type: "regression", message };
  if (state === "invalid") return { state: "error", type: "invalid", message };
  // A gate that cannot be decided is no failure, as in the exit code.
  if (state !== "inconclusive") return passing;
  return { state: "skipped", type: state, message: word === null ? message : `${wordInText(word)}: ${message}` };
}

function testCase({ name, group, seconds, verdict, output }: Test): string {
  const { state, type, message } = verdict;
  const start = `    <testcase classname="${xmlAttribute(group)}" name="${xmlAttribute(name)}" time="${seconds.toFixed(3)}"`;
  const out = output === "" ? "" : `      <system-out>${xmlText(output)}</system-out>\n`;
  if (state === "passed") return out === "" ? `${start}/>\n` : `${start}>\n${out}    </testcase>\n`;
  const about = xmlAttribute(message.slice(0, mostMessage));
  const tag =
    state === "skipped"
      ? `      <skipped message="${about}"/>\n`
      : `      <${state} type="${xmlAttribute(type)}" message="${about}">${xmlText(message)}</${state}>\n`;
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
 * A case of one target as a test. Without an answer it is an error. It fails when it newly fails, as the comparison counts it:
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

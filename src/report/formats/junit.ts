import { gateWords } from "../words/gate-words.ts";
import { type CaseVerdict, caseVerdict } from "./junit-case.ts";
import type { ReportGate, ReportRow, ReportSummary } from "../shape/model.ts";
import type { ReportFrame, Reporter } from "../shape/reporter.ts";
import { rowWords } from "../words/row-words.ts";
import { questionOfRow } from "../model/row-figures.ts";
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
    sentence: verdict.sentence,
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

function gateVerdict({ state }: ReportGate, message: string): CaseVerdict {
  if (state === "regression") return { state: "failure", type: "regression", message };
  if (state === "invalid") return { state: "error", type: "invalid", message };
  // A gate that cannot be decided is no failure, as in the exit code.
  return state === "inconclusive" ? { state: "skipped", type: "inconclusive", message } : passing;
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

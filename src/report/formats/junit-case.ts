import { endOf } from "../../api/outcomes.ts";
import { notPlanned } from "../../compare/cases/side-outcome.ts";
import type { ReportChange, ReportRun, ReportSide } from "../shape/model.ts";
import { passPlaceOf, type ReportFrame } from "../shape/reporter.ts";

/** Result of a case for a system that knows only tests. */
export interface CaseVerdict {
  state: "passed" | "failure" | "error" | "skipped";
  /** Kind of failure, such as `pass-to-fail` or an outcome; empty when it passed. */
  type: string;
  /** The reason, in a line; empty when it passed. */
  message: string;
}

const passed: CaseVerdict = { state: "passed", type: "", message: "" };

/**
 * A case of one target as a test. Without an answer it is an error. It fails when it newly fails, as the comparison counts it:
 * no run passes although every run of the baseline does; what fails at the baseline as well is skipped, like a known failure, and so is what has not run.
 * Without a baseline it fails when no run passes. Where no metric says pass or fail, every answer passes.
 */
export function caseVerdict(
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
  if (runs.every(({ outcome }) => !endOf(outcome).says)) {
    return { state: "skipped", type: first.outcome, message: first.error ?? "it was not run" };
  }
  const failed = runs.find((run) => run.failed);
  if (failed !== undefined && runs.every((run) => run.failed || run.outcome === "unfinished")) {
    return { state: "error", type: failed.outcome, message: failed.error ?? failed.outcome };
  }
  const place = passPlaceOf(metrics);
  const metric = metrics[place];
  if (metric === undefined || passesOf(side, place) !== "none") return passed;
  const why = `${metric.name}: ${reasonOf(runs, place) ?? "the answer does not pass"}`;
  if (baseline === null) return { state: "failure", type: "fails", message: why };
  if (change?.flips?.includes("pass-to-fail") === true) return { state: "failure", type: "pass-to-fail", message: why };
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

function reasonOf(runs: readonly ReportRun[], place: number): string | null {
  const score = runs.map(({ scores }) => scores[place]).find((each) => each?.pass === false);
  return score?.reason ?? null;
}

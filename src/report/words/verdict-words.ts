import type { ReportGate, ReportMetric, ReportSummary } from "../shape/model.ts";
import { loss, scoreFigure } from "./figures.ts";
import { counted, number } from "./quantity.ts";

/** The parts of a gate's claim that a reader needs: who, with whom, and if every loss is of a case that passed before. */
export interface Claim {
  gate: ReportGate;
  about: ReportMetric;
  baseline: string;
  /** Every case that got worse passed in all runs before and fails in all now. */
  turned: boolean;
}

/** `test is worse than prod on `correct` in kind typo` */
export function claimWords({ gate, about, baseline }: Claim): string {
  const { state, candidate, metric, slice, margin } = gate;
  const where = `\`${metric}\`${slice === null ? "" : ` in ${slice.tag} ${slice.value}`}`;
  const by = margin !== null && margin > 0 ? ` by ${loss(margin, about)} or more` : "";
  if (state === "regression") return `${candidate} is worse than ${baseline} on ${where}`;
  if (state === "pass") return `${candidate} is not worse than ${baseline} on ${where}`;
  return `It is open whether ${candidate} is worse than ${baseline} on ${where}${by}`;
}

/**
 * The figures behind a claim without statistics: how many cases turned, both sides, and the bound that decides beside the
 * loss that is allowed: `31 of 165 cases newly fail, 4 newly pass (86.4 % -> 69.1 %). The measured loss is 17.3
 * points, and surely more than 12.1 points (5 points are allowed)`.
 */
export function evidenceWords({ gate, about, turned }: Claim): string {
  const { baseline, now, losses } = gate;
  if (baseline === null || now === null) return "no case has a score on both sides";
  const sides = `${scoreFigure(baseline, about)} -> ${scoreFigure(now, about)}`.replaceAll("−", "-");
  if (losses !== null) {
    const { lost, gained, allowed, cases } = losses;
    const more = gained === 0 ? "" : `, ${number(gained)} newly ${gained === 1 ? "passes" : "pass"}`;
    return `${number(lost)} of ${counted(cases, "case")} newly ${lost === 1 ? "fails" : "fail"}${more} (${sides}); ${allowed === 0 ? "none" : `at most ${number(allowed)}`} may`;
  }
  const bound = boundWords(gate, about);
  return `${turnedWords(gate, turned)} (${sides})${bound === "" ? "" : `. ${bound}`}`;
}

function turnedWords({ worse, better, cases }: ReportGate, turned: boolean): string {
  const of = `${number(worse)} of ${counted(cases, "case")}`;
  if (!turned) return `${of} got worse, ${number(better)} better`;
  return `${of} newly ${worse === 1 ? "fails" : "fail"}, ${number(better)} newly ${better === 1 ? "passes" : "pass"}`;
}

/** The loss that was measured, the one-sided bound that decides, and what is allowed; empty where there is no bound. */
function boundWords({ state, interval, sides, margin, difference }: ReportGate, about: ReportMetric): string {
  if (interval === null || sides === 2 || margin === null || difference === null) return "";
  const size = (value: number): string => loss(Math.abs(value), about);
  const allowed = `(${size(margin)} ${size(margin).endsWith("points") ? "are" : "is"} allowed)`;
  const measured = difference < 0 ? `The measured loss is ${size(difference)}` : "No loss was measured";
  if (state === "regression") return `${measured}, and surely more than ${size(interval.upper)} ${allowed}`;
  if (interval.lower >= 0) return `${measured} ${allowed}`;
  const most = size(interval.lower);
  return state === "pass"
    ? `${measured}, and surely less than ${most} ${allowed}`
    : `${measured}; it could be up to ${most} ${allowed}`;
}

/** The cases that the verdict is based on, and the answers that are missing. */
export function basisWords({ gates, cases, targets, validity }: ReportSummary): string | null {
  const [first] = gates;
  if (first === undefined || validity.state !== "valid") return null;
  const missing = targets.reduce((sum, { errors }) => sum + errors.reduce((jobs, each) => jobs + each.jobs, 0), 0);
  const answers =
    missing === 0 ? "no answer is missing" : `${counted(missing, "answer")} ${missing === 1 ? "is" : "are"} missing`;
  return `Based on ${number(first.cases)} of ${counted(cases, "case")}; ${answers}.`;
}

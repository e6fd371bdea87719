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

/** `test is worse than prod on `correct` where kind is typo` */
export function claimWords({ gate, about, baseline }: Claim): string {
  const { state, candidate, metric, slice, margin } = gate;
  const where = `\`${metric}\`${slice === null ? "" : ` where ${slice.tag} is ${slice.value}`}`;
  const by = margin !== null && margin > 0 ? ` by ${loss(margin, about)} or more` : "";
  if (state === "regression") return `${candidate} is worse than ${baseline} on ${where}`;
  if (state === "pass") return `${candidate} is not worse than ${baseline} on ${where}`;
  return `It is open whether ${candidate} is worse than ${baseline} on ${where}${by}`;
}

/**
 * The figures behind a claim without statistics: how many cases turned, both sides, and the bound that decides beside the
 * loss that is allowed: `31 of 165 cases newly fail, 4 newly pass (86.4 % -> 69.1 %). Measured loss: 17.3 points;
 * with chance taken into account it is at least 12.1 points. The limit is 5 points`.
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

/** The loss that was measured, the one-sided bound that decides, and the limit; empty where there is no bound. */
function boundWords({ state, interval, sides, margin, difference }: ReportGate, about: ReportMetric): string {
  if (interval === null || sides === 2 || margin === null || difference === null) return "";
  const size = (value: number): string => loss(Math.abs(value), about);
  const measured = difference < 0 ? `Measured loss: ${size(difference)}` : "No loss was measured";
  const limit = `The limit is ${size(margin)}`;
  const chance = "with chance taken into account it is";
  if (state === "regression") return `${measured}; ${chance} at least ${size(interval.upper)}. ${limit}`;
  if (interval.lower >= 0) return `${measured}. ${limit}`;
  if (state === "pass") return `${measured}; ${chance} at most ${size(interval.lower)}. ${limit}`;
  return `${measured}; with chance taken into account it could be up to ${size(interval.lower)}. ${limit}`;
}

/**
 * The cases that the verdict is based on, the answers that are missing, and why the numbers of cases that got worse and
 * better need not add up to the difference.
 */
export function basisWords(summary: ReportSummary): string | null {
  const { gates, cases, targets, validity } = summary;
  const [first] = gates;
  if (first === undefined || validity.state !== "valid") return null;
  const missing = targets.reduce((sum, { errors }) => sum + errors.reduce((jobs, each) => jobs + each.jobs, 0), 0);
  const answers =
    missing === 0 ? "no answer is missing" : `${counted(missing, "answer")} ${missing === 1 ? "is" : "are"} missing`;
  return `Based on ${number(first.cases)} of ${counted(cases, "case")}; ${answers}.${halvesWords(summary, first)}`;
}

/** A case that was asked several times passes in part: 31 worse and 4 better are not the difference of 17.3 points then. */
function halvesWords({ metrics, targets, cases }: ReportSummary, gate: ReportGate): string {
  const { worse, better, difference, losses } = gate;
  const isPass = metrics.some(({ name, passes }) => passes && name === gate.metric);
  if (!isPass || losses !== null || difference === null || gate.cases === 0) return "";
  if (Math.abs((better - worse) / gate.cases - difference) < 0.0005) return "";
  const often = targets.find(({ jobs }) => jobs >= 2 * cases);
  if (often === undefined) return "";
  const times = Math.round(often.jobs / cases);
  const share =
    times === 2 ? "twice: a case that passes once counts half" : `${times} times: a case counts by its share of passes`;
  return ` ${often.name} was asked ${share}.`;
}

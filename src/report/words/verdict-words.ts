import type { ReportGate, ReportMetric, ReportSummary } from "../shape/model.ts";
import { type LossTeller, scoreFigure } from "./figures.ts";
import { counted, number } from "./quantity.ts";

/** The parts of a gate's claim that a reader needs: who, with whom, and if every loss is of a case that passed before. */
export interface Claim {
  gate: ReportGate;
  about: ReportMetric;
  baseline: string;
  /** Every case that got worse passed in all runs before and fails in all now. */
  turned: boolean;
  /** The targets of the pair that were asked most often, and how often; null where each was asked once. */
  asked: { names: readonly string[]; times: number } | null;
  say: LossTeller;
}

/** `test is worse than prod on `correct` where kind is typo` */
export function claimWords({ gate, about, baseline, say }: Claim): string {
  const { state, candidate, metric, slice, margin, losses } = gate;
  const where = `\`${metric}\`${slice === null ? "" : ` where ${slice.tag} is ${slice.value}`}`;
  if (state === "regression") return `${candidate} is worse than ${baseline} on ${where}`;
  const allowed = margin ?? losses?.allowed ?? 0;
  if (state === "pass") {
    return `${candidate} is not worse than ${baseline} on ${where}${allowed > 0 ? " by more than the limit" : ""}`;
  }
  const by = margin !== null && margin > 0 ? ` by ${say(margin, about)} or more` : "";
  return `It cannot be told yet whether ${candidate} is worse than ${baseline} on ${where}${by}`;
}

/**
 * The figures behind a claim without statistics: how many cases turned, both sides, and the bounds that decide beside the
 * loss that is allowed: `31 of 165 cases newly fail, 4 newly pass (86.4 % -> 69.1 %). Measured loss: 17.3 percentage
 * points; with chance taken into account it is at least 12.1 points. The limit is 5 points`.
 */
export function evidenceWords(claim: Claim): string {
  const { gate, about, turned } = claim;
  const { baseline, now, losses } = gate;
  if (baseline === null || now === null) return "no case has a score on both sides";
  const sides = sidesWords(baseline, now, about);
  if (losses !== null) {
    const { lost, gained, allowed, cases } = losses;
    const more = gained === 0 ? "" : `, ${number(gained)} newly ${gained === 1 ? "passes" : "pass"}`;
    return `${number(lost)} of ${counted(cases, "case")} newly ${lost === 1 ? "fails" : "fail"}${more} (${sides}); ${allowed === 0 ? "none" : `at most ${number(allowed)}`} may`;
  }
  const bound = boundWords(claim);
  return `${turnedWords(gate, turned)} (${sides})${bound === "" ? "" : `. ${bound}`}`;
}

/** `86.4 % -> 69.1 %` */
export function sidesWords(baseline: number | null, now: number | null, about: ReportMetric): string {
  return `${scoreFigure(baseline, about)} -> ${scoreFigure(now, about)}`.replaceAll("−", "-");
}

function turnedWords({ worse, better, cases }: ReportGate, turned: boolean): string {
  const of = `${number(worse)} of ${counted(cases, "case")}`;
  if (!turned) return `${of} got worse, ${number(better)} better`;
  return `${of} newly ${worse === 1 ? "fails" : "fail"}, ${number(better)} newly ${better === 1 ? "passes" : "pass"}`;
}

/** The loss that was measured, the one-sided bounds that decide, and the limit; empty where there are none. */
function boundWords(claim: Claim): string {
  const { gate, about, say } = claim;
  const { state, interval, sides, margin, difference } = gate;
  if (interval === null || sides === 2 || margin === null || difference === null) return "";
  const { lower, upper } = interval;
  const size = (value: number): string => say(Math.abs(value), about);
  const end = (value: number): string => `a ${value > 0 ? "gain" : "loss"} of ${size(value)}`;
  const measured = difference < 0 ? `Measured loss: ${size(difference)}${partsWords(claim)}` : "No loss was measured";
  const chance = "with chance taken into account";
  if (state === "regression")
    return `${measured}; ${chance} it is at least ${size(upper)}. The limit is ${size(margin)}`;
  if (lower >= 0) return `${measured}. The limit is ${size(margin)}`;
  if (state === "pass") return `${measured}; ${chance} it is at most ${size(lower)}. The limit is ${size(margin)}`;
  if (lower > -margin || upper < -margin)
    return `${measured}; ${chance} it could be up to ${size(lower)}. The limit is ${size(margin)}`;
  return `${measured}; ${chance} the true change could be anything between ${end(upper)} and ${end(lower)}. The limit of ${size(margin)} lies in between`;
}

/** A case that was asked several times passes in part: 31 worse and 4 better are not the difference of 17.3 points then. */
function partsWords({ gate, about, asked }: Claim): string {
  const { worse, better, difference, cases } = gate;
  if (!about.passes || difference === null || asked === null || cases === 0) return "";
  if (Math.abs((better - worse) / cases - difference) < 0.0005) return "";
  const { names, times } = asked;
  const was = `${names.join(" and ")} ${names.length === 1 ? "was" : "were"} asked`;
  const sum = better === 0 ? `${number(worse)} of ${number(cases)}` : `${number(worse)} minus ${number(better)}`;
  const how =
    times === 2
      ? "twice, and one pass of two counts as half"
      : `${times} times, and a case counts by its share of passes`;
  return ` (not ${sum}: ${was} ${how})`;
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

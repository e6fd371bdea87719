import { endOf, type OutcomeCounts, outcomeEntries, type ShownOutcome } from "../../api/outcomes.ts";
import { isSound } from "../../compare/cases/side-outcome.ts";
import type { ReportGate, ReportMetric, ReportSummary } from "../shape/model.ts";
import { type LossTeller, scoreFigure, sidesFigures } from "./figures.ts";
import { counted, number } from "./quantity.ts";

/** The parts of a gate's claim that a reader needs: who, with whom, and if every loss is of a case that passed before. */
export interface Claim {
  gate: ReportGate;
  about: ReportMetric;
  baseline: string;
  /** Every case that got worse passed in all runs before and fails in all now. */
  turned: boolean;
  /** Number of tries of a case by the target of the pair that was asked most often. */
  tries: number;
  /** Its metric is surely worse among all metrics, whatever the gate found. */
  isSurelyWorse: boolean;
  say: LossTeller;
}

/** `test is worse than prod on `correct` where kind is typo`; what is worse for certain is said to be, whatever the limit. */
export function claimWords(claim: Claim): string {
  const { gate, about, baseline, say } = claim;
  const { state, candidate, metric, slice, margin } = gate;
  const where = `\`${metric}\`${slice === null ? "" : ` where ${slice.tag} is ${slice.value}`}`;
  const worse = `${candidate} is worse than ${baseline} on ${where}`;
  if (state === "regression") return worse;
  const hasLimit = margin !== null && margin > 0;
  if (isWorse(claim)) {
    if (!hasLimit) return worse;
    const limit = `the limit of ${say(margin, about)}`;
    return state === "pass"
      ? `${worse}, but by less than ${limit}`
      : `${worse}, but it cannot be told whether by more than ${limit}`;
  }
  if (state === "pass") return passWords(claim, where);
  const by = hasLimit ? ` by ${say(margin, about)} or more` : "";
  return `It cannot be told yet whether ${candidate} is worse than ${baseline} on ${where}${by}`;
}

/** A regression, or a loss even at the end that is nearest to none: the one-sided bounds of a gate that decide. */
export function isWorse({ gate: { state, interval }, isSurelyWorse }: Claim): boolean {
  return state === "regression" || isSurelyWorse || (interval !== null && interval.upper < 0);
}

/** A pass with a loss is no claim that nothing was lost. */
function passWords({ gate, baseline }: Claim, where: string): string {
  const { candidate, margin, losses, difference } = gate;
  const allowed = margin ?? losses?.allowed ?? 0;
  const lost = losses === null ? difference !== null && difference < 0 : losses.lost > 0;
  if (allowed > 0 && lost) return `${candidate} may be worse than ${baseline} on ${where}, but within the limit`;
  return `${candidate} is not worse than ${baseline} on ${where}${allowed > 0 ? " by more than the limit" : ""}`;
}

/**
 * The figures behind a claim without statistics: how many cases turned, both sides, and the bounds that decide beside the
 * loss that is allowed: `31 of 165 cases newly fail, 4 newly pass. \`correct\`: 86.4 % -> 69.1 %. Measured loss: 17.3
 * percentage points; with chance taken into account it is at least 12.1 points. The limit is 5 points`.
 */
export function evidenceWords(claim: Claim): string {
  const { gate, about, turned } = claim;
  const { metric, baseline, now, losses } = gate;
  if (baseline === null || now === null) return "no case has a score on both sides";
  const sides = `\`${metric}\`: ${sidesFigures(gate, about).join(" -> ").replaceAll("−", "-")}`;
  if (losses !== null) {
    const { lost, gained, allowed, cases } = losses;
    const more = gained === 0 ? "" : `, ${number(gained)} newly ${gained === 1 ? "passes" : "pass"}`;
    return `${number(lost)} of ${counted(cases, "case")} newly ${lost === 1 ? "fails" : "fail"}${more}; ${allowed === 0 ? "none" : `at most ${number(allowed)}`} may. ${sides}`;
  }
  const bound = boundWords(claim);
  const cases = turnedWords(gate, turned);
  return `${cases}. ${sides}${partsWords(claim)}${bound === "" ? "" : `. ${bound}`}`;
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
  const measured = difference < 0 ? `Measured loss: ${size(difference)}` : "No loss was measured";
  const chance = "with chance taken into account";
  // Bounds that held at every look on the way are not taken back by what came later.
  const earlier = `${measured}. The earlier cases alone tell that it is`;
  if (difference > upper && upper < 0)
    return `${earlier} at least ${size(upper)}: the later ones did better. The limit is ${size(margin)}`;
  if (difference < lower && lower < 0)
    return `${earlier} at most ${size(lower)}: the later ones did worse. The limit is ${size(margin)}`;
  if (state === "regression")
    return `${measured}; ${chance} it is at least ${size(upper)}. The limit is ${size(margin)}`;
  if (lower >= 0) return `${measured}. The limit is ${size(margin)}`;
  if (state === "pass") return `${measured}; ${chance} it is at most ${size(lower)}. The limit is ${size(margin)}`;
  // A gain at one end would contradict the claim that it is worse.
  const isOneEnd = claim.isSurelyWorse && upper >= 0;
  if (lower > -margin || upper < -margin || isOneEnd)
    return `${measured}; ${chance} it could be up to ${size(lower)}. The limit is ${size(margin)}`;
  const between = `The limit of ${size(margin)} lies in between`;
  if (upper < 0)
    return `${measured}; ${chance} it is at least ${size(upper)}, and could be up to ${size(lower)}. ${between}`;
  // There is no such gain above the end of a scale.
  const ends =
    upper > roomAbove(claim)
      ? `from a gain to a loss of ${size(lower)}`
      : `between a gain of ${size(upper)} and a loss of ${size(lower)}`;
  return `${measured}; ${chance} the true change could be anything ${ends}. ${between}`;
}

/** The greatest gain that the scale of a metric has room for beside its baseline. */
function roomAbove({ gate: { baseline }, about: { min, max, lowerIsBetter, relative } }: Claim): number {
  const best = lowerIsBetter ? min : max;
  return best === null || baseline === null || relative ? Infinity : Math.abs(best - baseline);
}

/**
 * ` (a case right in one of two tries counts half)`: 31 worse and 4 better are not 17.3 points of 165 then. Empty where no
 * loss has to be explained so.
 */
function partsWords({ gate, about, tries }: Claim): string {
  const { worse, better, difference, cases, baseline, now } = gate;
  if (!about.passes || tries === 1 || cases === 0) return "";
  if (difference === null || difference >= 0 || baseline === null || now === null) return "";
  // Weighed otherwise, such as by conversation, the two sides would not explain it either.
  if (Math.abs(now - baseline - difference) >= 0.0005) return "";
  if (Math.abs((better - worse) / cases - difference) < 0.0005) return "";
  return tries === 2
    ? " (a case right in one of two tries counts half)"
    : " (a case counts by the share of its tries that are right)";
}

const answersMissing = (missing: number): string =>
  missing === 0 ? "no answer is missing" : `${counted(missing, "answer")} ${missing === 1 ? "is" : "are"} missing`;

const jobsWith = (outcomes: OutcomeCounts, isMeant: (outcome: ShownOutcome) => boolean): number =>
  outcomeEntries(outcomes).reduce((sum, [outcome, jobs]) => (isMeant(outcome) ? sum + jobs : sum), 0);

/** The cases that the verdict is based on, and the answers that are missing or tell of an error. */
export function basisWords({ gates, cases, targets, validity, stopping }: ReportSummary): string | null {
  const [first] = gates;
  if (first === undefined || validity.state !== "valid") return null;
  const count = (isMeant: (outcome: ShownOutcome) => boolean): number =>
    targets.reduce((sum, { outcomes }) => sum + jobsWith(outcomes, isMeant), 0);
  // A function that failed has answered so: nothing is missing, and nobody would call it fine.
  const failed = count((outcome) => outcome === "function-error");
  const missing = count((outcome) => endOf(outcome).asked && !isSound(outcome)) - failed;
  const parts = [
    ...(missing > 0 || failed === 0 ? [answersMissing(missing)] : []),
    ...(failed > 0
      ? [`${counted(failed, "answer")} ${failed === 1 ? "reports" : "report"} an error of the function`]
      : []),
  ];
  const answers = parts.join(", and ");
  // Answers that were in flight when it was decided are told among those that were sent.
  const sent = missing > 0 && (stopping?.spared ?? 0) > 0 ? "of all that were sent, " : "";
  const merged = validity.isPartial === true ? " that were merged" : "";
  return `Based on ${number(first.cases)} of ${counted(cases, "case")}${merged}; ${sent}${answers}.`;
}

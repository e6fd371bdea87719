import { endOf, type OutcomeCounts, outcomeEntries, type ShownOutcome } from "../../api/outcomes.ts";
import { isSound } from "../../compare/cases/side-outcome.ts";
import type { ReportMetric, ReportSummary } from "../shape/model.ts";
import { scoreFigure, sidesFigures } from "./figures.ts";
import { gateKindWords } from "./gate-words.ts";
import type { Claim } from "./kind-words.ts";
import { counted, number } from "./quantity.ts";

/** `test is worse than prod on `correct` where kind is typo`; what is worse for certain is said to be, whatever the limit. */
export function claimWords(claim: Claim): string {
  const { gate, about, baseline, say } = claim;
  const { state, candidate, metric, slice: segment, margin } = gate;
  const where = `\`${metric}\`${segment === null ? "" : ` where ${segment.tag} is ${segment.value}`}`;
  const own = gateKindWords(gate).claim?.(claim, where);
  if (own !== undefined) return own;
  const worse = `${candidate} is worse than ${baseline} on ${where}`;
  if (state === "regression") return worse;
  const hasLimit = margin !== null && margin > 0;
  if (isWorse(claim)) {
    if (!hasLimit) return worse;
    const limit = `the limit of ${say(margin, about, margin)}`;
    return state === "pass"
      ? `${worse}, but by less than ${limit}`
      : `${worse}, but it cannot be told whether by more than ${limit}`;
  }
  if (state === "pass") return passWords(claim, where);
  const by = hasLimit ? ` by ${say(margin, about, margin)} or more` : "";
  return `It cannot be told yet whether ${candidate} is worse than ${baseline} on ${where}${by}`;
}

/** A regression, or a loss even at the end that is nearest to none: the one-sided bounds of a gate that decide. */
export function isWorse({ gate: { state, interval }, isSurelyWorse }: Claim): boolean {
  return state === "regression" || isSurelyWorse || (interval !== null && interval.upper < 0);
}

/** A pass with a loss is no claim that nothing was lost. */
function passWords({ gate, baseline }: Claim, where: string): string {
  const { candidate } = gate;
  const { loss: allowed, wasLost: lost } = gateKindWords(gate).allows(gate);
  if (allowed > 0 && lost) return `${candidate} may be worse than ${baseline} on ${where}, but within the limit`;
  return `${candidate} is not worse than ${baseline} on ${where}${allowed > 0 ? " by more than the limit" : ""}`;
}

/**
 * The figures behind a claim without statistics: how many cases turned, both sides, and the bounds that decide beside the
 * loss that is allowed: `31 of 165 cases newly fail, 4 newly pass. \`correct\`: 86.4 % -> 69.1 %. Measured loss: 17.3
 * percentage points; with chance taken into account it is at least 12.1 points. The limit is 5 points`.
 */
export function evidenceWords(claim: Claim): string {
  const { gate, about } = claim;
  const { metric, baseline, now } = gate;
  if (baseline === null || now === null) return "no case has a score on both sides";
  const sides = `\`${metric}\`: ${sidesFigures(gate, about).join(" -> ").replaceAll("−", "-")}`;
  return gateKindWords(gate).evidence(claim, sides);
}

/** `86.4 % -> 69.1 %` */
export function sidesWords(baseline: number | null, now: number | null, about: ReportMetric): string {
  return `${scoreFigure(baseline, about)} -> ${scoreFigure(now, about)}`.replaceAll("−", "-");
}

const answersMissing = (missing: number): string =>
  missing === 0 ? "no answer is missing" : `${counted(missing, "answer")} ${missing === 1 ? "is" : "are"} missing`;

const jobsWith = (outcomes: OutcomeCounts, isMeant: (outcome: ShownOutcome) => boolean): number =>
  outcomeEntries(outcomes).reduce((sum, [outcome, jobs]) => (isMeant(outcome) ? sum + jobs : sum), 0);

/** The cases that the verdict is based on, and the answers that are missing or tell of an error. */
export function basisWords({ gates, cases, targets, candidates, validity, stopping }: ReportSummary): string | null {
  const [first] = gates;
  if (first === undefined || validity.state !== "valid") return null;
  const count = (isMeant: (outcome: ShownOutcome) => boolean): number =>
    targets.reduce((sum, { outcomes }) => sum + jobsWith(outcomes, isMeant), 0);
  // A function that failed has answered so: nothing is missing, and nobody would call it fine.
  const failed = count((outcome) => outcome === "function-error");
  const missing = count((outcome) => endOf(outcome).asked && !isSound(outcome)) - failed;
  // Beside several candidates stands whose answers are missing.
  const lacking = targets.flatMap(({ name, outcomes }) =>
    jobsWith(outcomes, (outcome) => endOf(outcome).asked && !isSound(outcome) && outcome !== "function-error") > 0
      ? [name]
      : [],
  );
  const whose = candidates.length > 1 && lacking.length > 0 ? ` (${lacking.join(", ")})` : "";
  const parts = [
    ...(missing > 0 || failed === 0 ? [`${answersMissing(missing)}${whose}`] : []),
    ...(failed > 0
      ? [`${counted(failed, "answer")} ${failed === 1 ? "reports" : "report"} an error of the function`]
      : []),
  ];
  const answers = parts.join(", and ");
  // Answers that were in flight when it was decided are told among those that were sent.
  const sent = missing > 0 && (stopping?.spared ?? 0) > 0 ? "of all that were sent, " : "";
  const merged = validity.isPartial === true ? " that were merged" : "";
  const counts = gates.flatMap((gate) => (gate.slice === null && gate.state !== null ? [gate.cases] : []));
  const [least, most] = [Math.min(first.cases, ...counts), Math.max(first.cases, ...counts)];
  const compared =
    candidates.length < 2 || least === most ? number(first.cases) : `${number(least)} to ${number(most)}`;
  return `Based on ${compared} of ${counted(cases, "case")}${merged}; ${sent}${answers}.`;
}

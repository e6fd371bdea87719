import { whereWords } from "./tag-words.ts";
import { sentenceList } from "../../lib/sentence-list.ts";
import { endOf, type OutcomeCounts, outcomeEntries, type ShownOutcome } from "../../api/outcomes.ts";
import { lacksAnswer } from "../../compare/cases/side-outcome.ts";
import type { ReportMetric, ReportSummary, ReportTarget } from "../shape/model.ts";
import { scoreFigure, sidesFigures } from "./figures.ts";
import { gateKindWords } from "./gate-words.ts";
import { type Claim, sizeWords } from "./kind-words.ts";
import { decidedByPeople, labelledTurns } from "./people-words.ts";
import { counted, number } from "./quantity.ts";
import { rowsWords, rowWords } from "./row-words.ts";

/** `test is worse than prod on `correct` where kind is typo`; a loss that is sure is said, whatever the limit. */
export function claimWords(claim: Claim): string {
  const { gate, baseline } = claim;
  const { word, candidate, metric, slice: segment } = gate;
  const where = `\`${metric}\`${whereWords(segment)}`;
  const own = gateKindWords(gate).claim?.(claim, where);
  if (own !== undefined) return own;
  const worse = `${candidate} is worse than ${baseline} on ${where}`;
  if (word === "regression" || word === "worse") return worse;
  if (word === "pass") {
    if (isWorse(claim)) return `${worse}${limitWords(claim, (limit) => `, but by less than the limit of ${limit}`)}`;
    if (gateKindWords(gate).allows(gate).loss <= 0) return `${candidate} is not worse than ${baseline} on ${where}`;
    return `${candidate} is as good as ${baseline} on ${where}${limitWords(claim, (limit) => `, within the limit of ${limit}`)}`;
  }
  const are = gate.cases === 1 && gate.groups === null ? "is" : "are";
  const by = limitWords(claim, (limit) => ` by ${limit} or more`);
  const people = decidedByPeople(gate);
  const size = people === null ? `${sizeWords(gate)} ${are}` : `${counted(people.labels, "labelled case")} are`;
  return `${size} too few to tell whether ${candidate} is worse than ${baseline} on ${where}${by}`;
}

/** Empty without a limit above 0. */
function limitWords({ gate: { margin }, about, say }: Claim, shown: (limit: string) => string): string {
  return margin === null || margin <= 0 ? "" : shown(say(margin, about, margin));
}

/** A loss that is sure at the level of its claim, whatever the limit. */
export const isWorse = ({ gate: { word, sureLoss } }: Pick<Claim, "gate">): boolean =>
  word === "regression" || sureLoss !== undefined;

/**
 * `test is better than prod on `correct`: 21 of 75 cases newly pass, 0 newly fail. `correct`: 72 % -> 100 %. Measured gain:
 * 28 percentage points; with chance taken into account it is at least 18.6 points`
 */
export function betterWords({
  gate,
  about,
  baseline,
  flipped,
  least,
  say,
}: Pick<Claim, "gate" | "about" | "baseline" | "flipped" | "say"> & { least: number }): string {
  const { candidate, metric, worse, better, cases, difference } = gate;
  const people = decidedByPeople(gate);
  const turned =
    people !== null
      ? labelledTurns(people)
      : flipped
        ? `${number(better)} of ${counted(cases, "case")} newly ${better === 1 ? "passes" : "pass"}, ${number(worse)} newly ${worse === 1 ? "fails" : "fail"}`
        : `${number(better)} of ${counted(cases, "case")} got better, ${number(worse)} worse`;
  const sides = `\`${metric}\`: ${sidesFigures(gate, about).join(" -> ").replaceAll("−", "-")}`;
  if (gate.stoppedEarly === true) {
    const bound = `The gain is at least ${say(least, about)}, with chance taken into account`;
    const early = `Measured: ${say(Math.abs(difference ?? 0), about)}; a run that stops early overstates`;
    return `${candidate} is better than ${baseline} on \`${metric}\`: ${turned}. ${sides}. ${bound}. ${early}`;
  }
  const gain = `Measured gain: ${say(Math.abs(difference ?? 0), about)}`;
  return `${candidate} is better than ${baseline} on \`${metric}\`: ${turned}. ${sides}. ${gain}; with chance taken into account it is at least ${say(least, about)}`;
}

/**
 * The figures behind a claim without statistics: how many cases turned, both sides, and the bounds that decide beside the
 * loss that is allowed: `31 of 165 cases newly fail, 4 newly pass. \`correct\`: 86.4 % -> 69.1 %. Measured loss: 17.3
 * percentage points; with chance taken into account it is at least 12.1 points. The limit is 5 points`.
 */
export function evidenceWords(claim: Claim): string {
  const { gate, about } = claim;
  const { metric, baseline, now } = gate;
  const isGraded = baseline !== null && now !== null;
  if (!isGraded && gate.losses === null) return "no case has a score on both sides";
  const sides = isGraded
    ? `\`${metric}\`: ${sidesFigures(gate, about).join(" -> ").replaceAll("−", "-")}`
    : "No row is graded on both sides";
  return gateKindWords(gate).evidence(claim, sides);
}

/** `86.4 % -> 69.1 %` */
export function sidesWords(baseline: number | null, now: number | null, about: ReportMetric): string {
  return `${scoreFigure(baseline, about)} -> ${scoreFigure(now, about)}`.replaceAll("−", "-");
}

/** `2 answers of test are missing (rows 7 and 32)`, of more `(such as row 7)`: whose, and where. */
function missingWords(missing: number, lacking: readonly ReportTarget[]): string {
  if (missing === 0) return "no answer is missing";
  const errors = lacking.flatMap((target) => target.errors.filter(({ outcome }) => isMissing(outcome)));
  const rows = errors.flatMap(({ rows: first = [] }) => first).filter(({ row }) => row !== null);
  const [first] = rows;
  const named = rows.length === missing ? rowsWords(rows) : first === undefined ? "" : `such as ${rowWords(first)}`;
  const where = named === "" ? "" : ` (${named})`;
  const whose = lacking.length === 0 ? "" : ` of ${sentenceList(lacking.map(({ name }) => name))}`;
  return `${counted(missing, "answer")}${whose} ${missing === 1 ? "is" : "are"} missing${where}`;
}

/** An answer that was due and is none; a function that failed has answered so: nothing is missing, and nobody would call it fine. */
const isMissing = (outcome: ShownOutcome): boolean =>
  (outcome === "unfinished" || lacksAnswer(outcome)) && outcome !== "function-error";

const jobsWith = (outcomes: OutcomeCounts, isMeant: (outcome: ShownOutcome) => boolean): number =>
  outcomeEntries(outcomes).reduce((sum, [outcome, jobs]) => (isMeant(outcome) ? sum + jobs : sum), 0);

/** Answers that are missing, and all that were due. */
export function missingAnswers(targets: readonly Pick<ReportTarget, "outcomes">[]): { answers: number; of: number } {
  const count = (isMeant: (outcome: ShownOutcome) => boolean): number =>
    targets.reduce((sum, { outcomes }) => sum + jobsWith(outcomes, isMeant), 0);
  return { answers: count(isMissing), of: count((outcome) => endOf(outcome).due) };
}

/** The cases that the verdict is based on, and the answers that are missing or tell of an error. */
export function basisWords({ gates, cases, targets, candidates, validity, stopping }: ReportSummary): string | null {
  const [first] = gates;
  if (first === undefined || validity.state !== "valid") return null;
  const count = (isMeant: (outcome: ShownOutcome) => boolean): number =>
    targets.reduce((sum, { outcomes }) => sum + jobsWith(outcomes, isMeant), 0);
  const failed = count((outcome) => outcome === "function-error");
  const missing = count(isMissing);
  const lacking = targets.filter(({ outcomes }) => jobsWith(outcomes, isMissing) > 0);
  const parts = [
    ...(missing > 0 || failed === 0 ? [missingWords(missing, lacking)] : []),
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
  const asked = first.questions === undefined ? "" : `, ${counted(first.questions, "question")}`;
  return `Based on ${compared} of ${counted(cases, "case")}${merged}${asked}; ${sent}${answers}.`;
}

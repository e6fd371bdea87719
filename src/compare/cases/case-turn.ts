import { endOf, type ShownOutcome } from "../../api/outcomes.ts";
import { type ComparedMetric, type ComparisonPlan, lowerIsBetter, primaryPlace } from "../comparison-plan.ts";
import type { CaseTurn } from "./case-kinds.ts";
import type { ReadSide } from "./case-side.ts";
import type { FoundDifference } from "./difference.ts";
import { type GappedCase, gappedCase, hasGaps } from "./gapped.ts";
import { valuesOfSameTime } from "./same-time.ts";
import { nothingSaid, type SideValue } from "./side-value.ts";

/** Both sides of a case, the baseline first. */
export interface SidesOfCase {
  baseline: ReadSide;
  candidate: ReadSide;
}

/** The turn of a case by each metric; null: the case leaves its pairing. */
export function turnsOfCase(
  metrics: readonly ComparedMetric[],
  read: SidesOfCase,
  difference: Pick<FoundDifference, "expectedDiffers">,
): (CaseTurn | null)[] {
  return metrics.map((compared, place) => turnBy({ compared, place }, read, difference));
}

/** The turn by the primary metric, which is that of the case itself; null where it says nothing of it, and without a metric. */
export function turnOfCase(
  { metrics }: Pick<ComparisonPlan, "metrics">,
  read: SidesOfCase,
  difference: Pick<FoundDifference, "expectedDiffers">,
): CaseTurn | null {
  const place = primaryPlace(metrics);
  const compared = metrics[place];
  return compared === undefined ? null : turnBy({ compared, place }, read, difference);
}

function turnBy(
  { compared, place }: { compared: ComparedMetric; place: number },
  read: SidesOfCase,
  { expectedDiffers }: Pick<FoundDifference, "expectedDiffers">,
): CaseTurn | null {
  const scores = scoreOfCase({ compared, place }, read);
  const { difference, gapped } = caseNumbers(compared, { ...scores, expectedDiffers });
  if (Number.isNaN(difference)) return isLost(gapped) ? "worse" : null;
  return difference < 0 ? "worse" : difference > 0 ? "better" : "same";
}

/** True where a gate that counts rows takes a case for one that newly fails, because the candidate has no grade of it. */
export function isLostByGap(
  { compared, place }: { compared: ComparedMetric; place: number },
  read: SidesOfCase,
  { expectedDiffers }: Pick<FoundDifference, "expectedDiffers">,
): boolean {
  return isLost(caseNumbers(compared, { ...scoreOfCase({ compared, place }, read), expectedDiffers }).gapped);
}

const isLost = (gapped: GappedCase | null): boolean => gapped !== null && gapped.lost !== null;

/** The scores of both sides of a case by one metric. */
export interface CaseScores {
  baseline: SideValue | undefined;
  candidate: SideValue | undefined;
  /** Both scores where one side alone has no stored answer: the case leaves, and is a gap of that side. Left out elsewhere. */
  unanswered?: { baseline: SideValue; candidate: SideValue };
}

/** The scores of both sides of a case by each metric; a case of which one side was never asked has none. */
export function scoresOfCase(metrics: readonly ComparedMetric[], read: SidesOfCase): CaseScores[] {
  return metrics.map((compared, place) => scoreOfCase({ compared, place }, read));
}

function scoreOfCase(
  { compared, place }: { compared: ComparedMetric; place: number },
  { baseline, candidate }: SidesOfCase,
): CaseScores {
  if (!wasAskedAtAll(baseline) || !wasAskedAtAll(candidate)) {
    const unanswered = unansweredOf({ baseline, candidate }, place);
    return { baseline: undefined, candidate: undefined, ...(unanswered !== null && { unanswered }) };
  }
  const timed = valuesOfSameTime(compared, baseline, candidate);
  return {
    baseline: timed?.baseline ?? baseline.side.scores[place],
    candidate: timed?.candidate ?? candidate.side.scores[place],
  };
}

/** Null where both sides lack the answer, or where none is due. */
function unansweredOf({ baseline, candidate }: SidesOfCase, place: number): Required<CaseScores>["unanswered"] | null {
  const [from, to] = [baseline.side.scores[place], candidate.side.scores[place]];
  const [isFrom, isTo] = [baseline, candidate].map(({ runs }) => runs.some(({ outcome }) => isUnanswered(outcome)));
  if (from === undefined || to === undefined || isFrom === isTo) return null;
  return isFrom === true
    ? { baseline: { ...from, missing: baseline.runs.length }, candidate: to }
    : { baseline: from, candidate: { ...to, missing: candidate.runs.length } };
}

/** A row without a stored answer: an answer was due, and nobody was asked. */
function isUnanswered(outcome: ShownOutcome): boolean {
  const { due, asked } = endOf(outcome);
  return due && !asked;
}

/** A case of which one side was never asked says nothing of the other, whatever that one answered. */
function wasAskedAtAll({ runs }: ReadSide): boolean {
  return runs.length === 0 || runs.some(({ outcome }) => endOf(outcome).asked);
}

/** Scores of the two sides of a case, and whether these were graded by other expected texts. */
interface ReadScores extends CaseScores {
  expectedDiffers: boolean;
}

/** A case as a metric counts it; undefined: that side says nothing of it. `neutral` takes the baseline's place where it is given. */
export function weighed(compared: ComparedMetric, neutral: SideValue | null, read: ReadScores) {
  const isBeside = read.baseline?.isBeside === true || read.candidate?.isBeside === true;
  const isOther = !isBeside && read.expectedDiffers && compared.byExpected === true;
  const isOut = isBeside || isOther;
  const to = isOut ? undefined : read.candidate;
  // Graded beside the baseline: neither better nor worse is the middle of the scale.
  const from = isOut ? undefined : neutral === null ? read.baseline : neutral;
  return { from, to, isBeside, isOther };
}

/** The numbers of one case of a metric. */
export interface CaseNumbers {
  /** Candidate minus baseline, signed so that positive is better; NaN where the case leaves the pairing. */
  difference: number;
  /** Mean of the baseline; NaN as well. */
  baseline: number;
  /** Runs of each side that have a score, and those that could not be graded. */
  runs: { baseline: number; candidate: number };
  unscored: { baseline: number; candidate: number };
  /** Its gaps as fails of their side; null: it has none, or no gate asks. */
  gapped: GappedCase | null;
}

/** The same numbers that the tally of a metric collects, of a case by itself. */
export function caseNumbers(compared: ComparedMetric, read: ReadScores): CaseNumbers {
  const neutral = neutralOf(compared);
  const { from, to } = weighed(compared, neutral, read);
  const sign = signOf(compared);
  const gapped =
    neutral === null && hasGaps(compared) ? gappedCase(compared, { ...sidesWithGaps(compared, read), sign }) : null;
  const runs = { baseline: from?.runs ?? 0, candidate: to?.runs ?? 0 };
  const unscored = { baseline: from?.unscored ?? 0, candidate: to?.unscored ?? 0 };
  const [before, now] = [from?.mean ?? null, to?.mean ?? null];
  if (before === null || now === null) return { difference: Number.NaN, baseline: Number.NaN, runs, unscored, gapped };
  return { difference: sign * (now - before), baseline: before, runs, unscored, gapped };
}

/** The sides of a case as the rule of gaps takes them: also a row without a stored answer has one. */
export function sidesWithGaps(
  compared: ComparedMetric,
  read: ReadScores,
): Pick<ReturnType<typeof weighed>, "from" | "to"> {
  return weighed(compared, null, { ...read, ...read.unanswered });
}

export function signOf(compared: ComparedMetric): 1 | -1 {
  return lowerIsBetter(compared) ? -1 : 1;
}

/** The baseline's value of a metric that grades the candidate beside it; null: the baseline has scores of its own. */
export function neutralOf({ metric }: ComparedMetric): SideValue | null {
  if (metric.against === null || metric.scale.kind === "unbounded") return null;
  const { min, max } = metric.scale.kind === "pass" ? { min: 0, max: 1 } : metric.scale;
  const middle = (min + max) / 2;
  return { ...nothingSaid(), mean: middle, answered: middle, runs: 1 };
}

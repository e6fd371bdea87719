import { endOf, type ShownOutcome } from "../../api/outcomes.ts";
import { type ComparedMetric, endsOf, lowerIsBetter } from "../comparison-plan.ts";
import type { CaseTurn } from "./case-kinds.ts";
import type { ReadSide } from "./case-side.ts";
import type { Difference } from "./difference.ts";
import { type GappedCase, gappedCase, hasGaps } from "./gapped.ts";
import { valuesOfSameTime } from "./same-time.ts";
import { nothingSaid, type SideValue } from "./side-value.ts";

/** Both sides of a case, the baseline first. */
export interface SidesOfCase {
  baseline: ReadSide;
  candidate: ReadSide;
}

/** A case as a metric counts it. */
export interface CountedCase {
  /** Candidate minus baseline, signed so that positive is better; NaN where the case leaves the pairing. */
  difference: number;
  /** Scores of the baseline and of the candidate; undefined: nothing is said of that side. */
  from: SideValue | undefined;
  to: SideValue | undefined;
  /** Its gaps as fails of their side; null: it has none, or no gate asks. */
  gapped: GappedCase | null;
  /** It lacks what the scorer compares with. */
  isBeside: boolean;
  /** Its sides were graded by other expected texts. */
  isOther: boolean;
}

type Compared = Pick<Difference, "expectedDiffers">;

/** The turn of a case by each metric; null: the case leaves its pairing. */
export function turnsOfCase(
  metrics: readonly ComparedMetric[],
  read: SidesOfCase,
  difference: Compared,
): (CaseTurn | null)[] {
  return casesByMetric(metrics, read, difference).map(turnOf);
}

export function turnOf(counted: CountedCase): CaseTurn | null {
  const { difference } = counted;
  if (Number.isNaN(difference)) return isLostByGap(counted) ? "worse" : null;
  return difference < 0 ? "worse" : difference > 0 ? "better" : "same";
}

/** True where a gate that counts rows takes a case for one that newly fails, because the candidate has no grade of it. */
export const isLostByGap = ({ gapped }: Pick<CountedCase, "gapped">): boolean =>
  gapped !== null && gapped.lost !== null;

/** A case as each metric counts it. */
export function casesByMetric(
  metrics: readonly ComparedMetric[],
  read: SidesOfCase,
  difference: Compared,
): CountedCase[] {
  return metrics.map((compared, place) => countedAt({ compared, place }, read, difference));
}

/** A case as the metric at a place counts it. One of which a side was never asked has no scores, but may have a gap. */
export function countedAt(
  { compared, place }: { compared: ComparedMetric; place: number },
  { baseline, candidate }: SidesOfCase,
  { expectedDiffers }: Compared,
): CountedCase {
  if (!wasAskedAtAll(baseline) || !wasAskedAtAll(candidate)) {
    const gaps = unansweredOf({ baseline, candidate }, place) ?? noScores;
    return countedCase(compared, noScores, { expectedDiffers, gaps });
  }
  const timed = valuesOfSameTime(compared, baseline, candidate);
  const scores = timed ?? { baseline: baseline.side.scores[place], candidate: candidate.side.scores[place] };
  return countedCase(compared, scores, { expectedDiffers });
}

/** Scores of both sides of a case by one metric. */
interface CaseScores {
  baseline: SideValue | undefined;
  candidate: SideValue | undefined;
}

const noScores: CaseScores = { baseline: undefined, candidate: undefined };

/** A case with these scores, as the metric counts it. `gaps`: the scores in which gaps are looked for, where these are others. */
export function countedCase(
  compared: ComparedMetric,
  scores: CaseScores,
  { expectedDiffers, gaps = scores }: Compared & { gaps?: CaseScores },
): CountedCase {
  const neutral = neutralOf(compared);
  const sign = signOf(compared);
  const { isBeside, isOther } = leaving(compared, scores, expectedDiffers);
  const isOut = isBeside || isOther;
  const to = isOut ? undefined : scores.candidate;
  // Graded beside the baseline: neither better nor worse is the middle of the scale.
  const from = isOut ? undefined : (neutral ?? scores.baseline);
  const [before, now] = [from?.mean ?? null, to?.mean ?? null];
  const difference = before === null || now === null ? Number.NaN : sign * (now - before);
  const asks = neutral === null && hasGaps(compared);
  const left = gaps === scores ? { isBeside, isOther } : leaving(compared, gaps, expectedDiffers);
  const gapped =
    asks && !left.isBeside && !left.isOther
      ? gappedCase(compared, { from: gaps.baseline, to: gaps.candidate, sign })
      : null;
  return { difference, from, to, gapped, isBeside, isOther };
}

/** Why a case leaves a metric on both sides. */
function leaving(
  { byExpected }: ComparedMetric,
  { baseline, candidate }: CaseScores,
  expectedDiffers: boolean,
): Pick<CountedCase, "isBeside" | "isOther"> {
  const isBeside = baseline?.isBeside === true || candidate?.isBeside === true;
  return { isBeside, isOther: !isBeside && expectedDiffers && byExpected === true };
}

/** Null where both sides lack the answer, or where none is due. */
function unansweredOf({ baseline, candidate }: SidesOfCase, place: number): CaseScores | null {
  const [from, to] = [baseline.side.scores[place], candidate.side.scores[place]];
  const [isFrom, isTo] = [baseline, candidate].map(({ runs }) => runs.some(({ outcome }) => isUnanswered(outcome)));
  if (from === undefined || to === undefined || isFrom === isTo) return null;
  return isFrom === true
    ? { baseline: { ...from, missing: baseline.runs.length }, candidate: to }
    : { baseline: from, candidate: { ...to, missing: candidate.runs.length } };
}

/** A row without a stored answer: one was due, and nothing is sent for it. */
function isUnanswered(outcome: ShownOutcome): boolean {
  const { due, asked } = endOf(outcome);
  return due && !asked;
}

/** A case of which one side was never asked says nothing of the other, whatever that one answered. */
function wasAskedAtAll({ runs }: ReadSide): boolean {
  return runs.length === 0 || runs.some(({ outcome }) => endOf(outcome).asked);
}

export function signOf(compared: ComparedMetric): 1 | -1 {
  return lowerIsBetter(compared) ? -1 : 1;
}

/** The baseline's value of a metric that grades the candidate beside it; null: the baseline has scores of its own. */
export function neutralOf({ metric }: ComparedMetric): SideValue | null {
  const ends = metric.against === null ? null : endsOf({ metric, of: "value" });
  if (ends === null) return null;
  const middle = (ends.min + ends.max) / 2;
  return { ...nothingSaid(), mean: middle, answered: middle, runs: 1 };
}

import { type ComparedMetric, losesGaps, worstOf } from "../comparison-plan.ts";
import type { SideValue } from "./side-value.ts";

/** A case with its gaps, runs that brought no answer or that nothing graded, as fails of their side. */
export interface GappedCase {
  /** Candidate minus baseline, signed so that positive is better; NaN where the case leaves, such as where both sides have nothing but gaps. */
  difference: number;
  /** A side has a gap. */
  baseline: boolean;
  candidate: boolean;
  /** A gate that counts rows takes it for one that newly fails; null: it does not. */
  lost: GapLoss | null;
}

/** Why the candidate has no grade of a row that the baseline passes: no answer came, or nothing graded the one that did. */
export type GapLoss = "unanswered" | "ungraded";

/** True for a metric of which a gap has a worst value: a score without an end has none. */
export const hasGaps = (compared: ComparedMetric): boolean => compared.gates.length > 0 && worstOf(compared) !== null;

/** Null where neither side has a gap: the case is as it stands. */
export function gappedCase(
  compared: ComparedMetric,
  { from, to, sign }: { from: SideValue | undefined; to: SideValue | undefined; sign: 1 | -1 },
): GappedCase | null {
  if (from === undefined || to === undefined) return null;
  const [baseline, candidate] = [gapsOf(from) > 0, gapsOf(to) > 0];
  if (!baseline && !candidate) return null;
  const worst = worstOf(compared) ?? 0;
  const [before, now] = [meanWith(from, worst), meanWith(to, worst)];
  const isOut = before === null || now === null || (from.runs === 0 && to.runs === 0);
  const lost = gapLoss(compared, from, to);
  return { difference: isOut ? Number.NaN : sign * (now - before), baseline, candidate, lost };
}

/**
 * A row that the baseline passes in all runs that were graded, and in which the candidate has gaps and not one grade. Gates that
 * count rows look at each row by itself: what the baseline lacks in others makes up for nothing.
 */
function gapLoss({ gates }: ComparedMetric, from: SideValue, to: SideValue): GapLoss | null {
  if (!gates.some(losesGaps)) return null;
  if (from.mean !== 1 || to.runs > 0 || gapsOf(to) === 0) return null;
  return to.missing > 0 ? "unanswered" : "ungraded";
}

const gapsOf = ({ missing, unscored }: SideValue): number => missing + unscored;

/** Mean over all runs, a gap as the worst value; null for a side that was not asked yet. */
function meanWith(side: SideValue, worst: number): number | null {
  const gaps = gapsOf(side);
  if (side.runs + gaps === 0) return null;
  return ((side.answered ?? 0) * side.runs + gaps * worst) / (side.runs + gaps);
}

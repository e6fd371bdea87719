import type { ComparedMetric } from "../comparison-plan.ts";
import { worstOf } from "../comparison-plan.ts";
import type { SideValue } from "./side-value.ts";

/** A case with its gaps, runs that brought no answer or that nothing graded, as fails of their side. */
export interface GappedCase {
  /** Candidate minus baseline, signed so that positive is better; NaN where the case leaves, such as where both sides have nothing but gaps. */
  difference: number;
  /** A side has a gap. */
  baseline: boolean;
  candidate: boolean;
}

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
  return { difference: isOut ? Number.NaN : sign * (now - before), baseline, candidate };
}

const gapsOf = ({ missing, unscored }: SideValue): number => missing + unscored;

/** Mean over all runs, a gap as the worst value; null for a side that was not asked yet. */
function meanWith(side: SideValue, worst: number): number | null {
  const gaps = gapsOf(side);
  if (side.runs + gaps === 0) return null;
  return ((side.answered ?? 0) * side.runs + gaps * worst) / (side.runs + gaps);
}

import { type Claims, type ClaimLevels, claimsOf, differenceOf } from "../difference.ts";

/** Cases on their own, each passed or failed by either side. */
export interface ReachedCases {
  cases: number;
  /** One run of each side; else the runs of a case are averaged. */
  isSingle: boolean;
}

/** The fewest cases that newly fail, with none that newly passes, that the gate calls a regression; null where not even all do. */
export function fewestLost(of: ReachedCases, levels: ClaimLevels): number | null {
  return fewest(of, (lost) => (judged(of, -lost, levels).pRegression ?? 1) <= levels.alpha);
}

/**
 * The fewest cases that newly pass, with none that newly fails, of which the gate passes and the two-sided p is at most
 * `shownAlpha`; null where not even all do.
 */
export function fewestGained(of: ReachedCases, levels: ClaimLevels & { shownAlpha: number }): number | null {
  return fewest(of, (gained) => {
    const { pPass, p } = judged(of, gained, levels);
    return (pPass ?? 1) <= levels.passAlpha && (p ?? 1) <= levels.shownAlpha;
  });
}

function fewest({ cases }: ReachedCases, isClaimed: (count: number) => boolean): number | null {
  for (let count = 1; count <= cases; count++) if (isClaimed(count)) return count;
  return null;
}

/** Judged by the rule of the comparison itself, as if so many cases were gained, or lost where it is below 0. */
function judged({ cases, isSingle }: ReachedCases, gained: number, levels: ClaimLevels): Claims & { p: number | null } {
  const [onlyA, onlyB] = [Math.max(0, gained), Math.max(0, -gained)];
  const differences = new Float64Array(cases).fill(Math.sign(gained), 0, Math.abs(gained));
  const counts = isSingle ? { bothPass: cases - onlyA - onlyB, onlyA, onlyB, bothFail: 0 } : null;
  const difference = differenceOf({ differences, clusters: null, counts, range: 1, isRate: true });
  return { ...claimsOf(difference, levels), p: difference.p };
}

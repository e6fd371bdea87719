export type PairPreference = "A" | "B" | "tie";

export interface SwapTally {
  winsA: number;
  winsB: number;
  ties: number;
  /** Pairs on which the two orders gave different verdicts. */
  inconsistent: number;
  /** Share of the pairs on which they gave the same; null without pairs. */
  positionConsistency: number | null;
  /** Ties counted half; null without pairs. */
  winRateA: number | null;
}

/** Pairwise verdicts in both orders of showing, already by name: a win counts when both agree, else it is a tie (L. Zheng et al. 2023). */
export function pairwiseSwap(verdicts: Iterable<readonly [PairPreference, PairPreference]>): SwapTally {
  let [winsA, winsB, ties, inconsistent] = [0, 0, 0, 0];
  for (const [first, second] of verdicts) {
    if (first !== second) inconsistent += 1;
    if (first === "A" && second === "A") winsA += 1;
    else if (first === "B" && second === "B") winsB += 1;
    else ties += 1;
  }
  const n = winsA + winsB + ties;
  return {
    winsA,
    winsB,
    ties,
    inconsistent,
    positionConsistency: n === 0 ? null : (n - inconsistent) / n,
    winRateA: n === 0 ? null : (winsA + ties / 2) / n,
  };
}

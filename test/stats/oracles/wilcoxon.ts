import { chance } from "../../../src/stats/paired/mcnemar.ts";
import { normalSurvival } from "../../../src/stats/distributions/normal.ts";

/** Number of differences other than 0 up to which all patterns of signs are counted. */
const exactDifferences = 300;

/** Treatment of differences of 0: left out before ranking, or ranked and then left out (J. Pratt 1959). */
export type Zeros = "wilcox" | "pratt";

/** All null where a difference is not a finite number: it has no rank. */
export interface SignedRank {
  /** Sum of the ranks of the positive differences. */
  V: number | null;
  /** Differences that are not 0. */
  n: number;
  /** Statistic in standard errors, ties taken into account; null when all differences are 0. */
  z: number | null;
  /** Two-sided. */
  normal: number | null;
  normalCorrected: number | null;
  /** All patterns of signs counted, ties and all; null for more than 300 differences. */
  exact: number | null;
}

/** F. Wilcoxon's signed-rank test (1945). Without any difference p is 1. */
export function wilcoxonSignedRank(differences: Float64Array, zeros: Zeros = "wilcox"): SignedRank {
  if (!differences.every((value) => Number.isFinite(value))) {
    return { V: null, n: differences.length, z: null, normal: null, normalCorrected: null, exact: null };
  }
  const ranked = rankedBySize(zeros === "wilcox" ? differences.filter((value) => value !== 0) : differences);
  const ranks = ranked.ranks.filter((_, index) => ranked.sorted[index] !== 0);
  const signs = ranked.sorted.filter((value) => value !== 0);
  let V = 0;
  let expected = 0;
  let variance = 0;
  for (let index = 0; index < ranks.length; index++) {
    const rank = ranks[index] ?? 0;
    if ((signs[index] ?? 0) > 0) V += rank;
    expected += rank / 2;
    variance += (rank * rank) / 4;
  }
  if (ranks.length === 0) return { V: 0, n: 0, z: null, normal: 1, normalCorrected: 1, exact: 1 };
  const distance = Math.abs(V - expected);
  const deviation = Math.sqrt(variance);
  return {
    V,
    n: ranks.length,
    z: (V - expected) / deviation,
    normal: chance(2 * normalSurvival(distance / deviation)),
    normalCorrected: chance(2 * normalSurvival(Math.max(0, distance - 0.5) / deviation)),
    exact: ranks.length > exactDifferences ? null : exactP(ranks, distance),
  };
}

/** Differences in the order of their size, with midranks. */
function rankedBySize(differences: Float64Array): { sorted: Float64Array; ranks: Float64Array } {
  const sorted = differences.toSorted((one, other) => Math.abs(one) - Math.abs(other));
  const ranks = new Float64Array(sorted.length);
  for (let from = 0; from < sorted.length;) {
    const size = Math.abs(sorted[from] ?? 0);
    let to = from;
    // Differences of decimals tie but for rounding: 0.8 - 0.7 and 0.4 - 0.3.
    while (to < sorted.length && Math.abs(sorted[to] ?? 0) - size <= 1e-12 * size) to += 1;
    ranks.fill((from + 1 + to) / 2, from, to);
    from = to;
  }
  return { sorted, ranks };
}

/** The chance that the sum of ranks lies as far from its mean: convolution over doubled ranks, which are whole. */
function exactP(ranks: Float64Array, distance: number): number {
  const doubled = ranks.map((rank) => Math.round(rank * 2));
  const most = doubled.reduce((total, rank) => total + rank, 0);
  const chances = new Float64Array(most + 1);
  chances[0] = 1;
  let reached = 0;
  for (const rank of doubled) {
    reached += rank;
    for (let at = reached; at >= 0; at--) {
      chances[at] = ((chances[at] ?? 0) + (at >= rank ? (chances[at - rank] ?? 0) : 0)) / 2;
    }
  }
  let total = 0;
  for (let at = 0; at <= most; at++) if (Math.abs(at - most / 2) >= 2 * distance - 1e-9) total += chances[at] ?? 0;
  return chance(total);
}

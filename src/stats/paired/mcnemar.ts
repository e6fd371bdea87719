import { binomialAtLeast, binomialCdf, binomialPmf } from "../distributions/binomial.ts";
import { normalSurvival } from "../distributions/normal.ts";

/** Cases by what the candidate (A) and the baseline (B) did with them. */
export interface PairedCounts {
  bothPass: number;
  onlyA: number;
  onlyB: number;
  bothFail: number;
}

/** P values of H0: both pass equally often. Two-sided. */
export interface McNemar {
  /** Cases on which the sides differ: the only ones that say anything. */
  discordant: number;
  exact: number;
  midP: number;
  /** Null where the sides differ on no case. */
  chi2: number | null;
  asymptotic: number;
  asymptoticCorrected: number;
}

/**
 * McNemar's test (1947). Exact: twice the shorter tail of Bin(m, 1/2); mid-p: half the probability of what was seen
 * taken off (M. W. Fagerland, S. Lydersen and P. Laake 2013), which keeps closer to its level. No discordant case: p = 1.
 */
export function mcNemar({ onlyA, onlyB }: Pick<PairedCounts, "onlyA" | "onlyB">): McNemar {
  const m = onlyA + onlyB;
  const less = Math.min(onlyA, onlyB);
  const gap = Math.abs(onlyA - onlyB);
  if (m === 0) return { discordant: 0, exact: 1, midP: 1, chi2: null, asymptotic: 1, asymptoticCorrected: 1 };
  const point = binomialPmf(less, m, 0.5);
  const twoTails = 2 * binomialCdf(less, m, 0.5);
  return {
    discordant: m,
    exact: chance(twoTails),
    midP: chance(onlyA === onlyB ? 1 - point / 2 : twoTails - point),
    chi2: (gap * gap) / m,
    asymptotic: chance(2 * normalSurvival(gap / Math.sqrt(m))),
    asymptoticCorrected: chance(2 * normalSurvival(Math.max(0, gap - 1) / Math.sqrt(m))),
  };
}

/**
 * Tests if a member is different more often than its own noise explains. One-sided exact McNemar on the cases where
 * only the candidate differs from the baseline (`raw`), against those where only the baseline differs from itself
 * (`noise`).
 */
export function mcNemarOneSided({ raw, noise }: { raw: number; noise: number }): number {
  return raw + noise === 0 ? 1 : chance(binomialAtLeast(raw, raw + noise, 0.5));
}

/** Brings a p value into (0, 1]: one that is too small for a number becomes the smallest there is, not 0. */
export function chance(p: number): number {
  return Math.min(1, Math.max(Number.MIN_VALUE, p));
}

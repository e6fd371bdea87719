import { binomialAtLeast, binomialCdf, binomialPmf } from "../distributions/binomial.ts";

/** Cases by what the candidate (A) and the baseline (B) did with them. */
export interface PairedCounts {
  bothPass: number;
  onlyA: number;
  onlyB: number;
  bothFail: number;
}

/**
 * McNemar's test (1947): two-sided p values of H0, both pass equally often. Exact: twice the shorter tail of Bin(m, 1/2); mid-p: half the probability of what was seen
 * taken off (M. W. Fagerland, S. Lydersen and P. Laake 2013), which keeps closer to its level. No discordant case: p = 1.
 */
export function mcNemar({ onlyA, onlyB }: Pick<PairedCounts, "onlyA" | "onlyB">): { exact: number; midP: number } {
  const m = onlyA + onlyB;
  const less = Math.min(onlyA, onlyB);
  if (m === 0) return { exact: 1, midP: 1 };
  const point = binomialPmf(less, m, 0.5);
  const twoTails = 2 * binomialCdf(less, m, 0.5);
  return { exact: chance(twoTails), midP: chance(onlyA === onlyB ? 1 - point / 2 : twoTails - point) };
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

import { binomialPmf } from "../distributions/binomial.ts";
import { binomialTerm } from "../distributions/saddle-point.ts";

/** Grades of a judge that had no reason to be others. */
export interface DriftReference {
  /** Those that were others all the same. */
  flips: number;
  verdicts: number;
}

/** A time at which a judge was asked the same again: grades that are others, in one direction. */
export interface DriftNight {
  flips: number;
  grades: number;
}

/** Shares of grades that a changed judge may flip beside its noise: a little, some, many. */
const shares = [0.03, 0.1, 0.3];

/**
 * The chance of so many flips of a changed judge over that of the same judge: y flips are noise, beta-binomial by the reference
 * (with a prior of Jeffreys), and each further grade is flipped with a chance e, of which the mean over `shares` is taken.
 */
export function driftRatio({ flips: x, grades: k }: DriftNight, reference: DriftReference): number {
  if (k === 0) return 1;
  const a = reference.flips + 0.5;
  const b = reference.verdicts - reference.flips + 0.5;
  const noise = Array.from({ length: x + 1 }, (_, y) => betaBinomial(y, k, { a, b }));
  const same = noise[x] ?? 0;
  // So many that no chance is left to divide by: the same judge cannot have done that.
  if (same === 0) return Number.MAX_VALUE;
  const ratios = shares.map((share) =>
    noise.reduce((sum, chance, y) => sum + (chance / same) * binomialPmf(x - y, k - y, share), 0),
  );
  return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
}

/**
 * The statistic of A. N. Shiryaev (1963) and S. W. Roberts (1966) after each time, M = (M + 1) L from 0 on, by the ratios L. While the judge is the
 * same it grows by 1 a time in the mean, so that it takes N times or more in the mean until it reaches N.
 */
export function driftStatistics(ratios: readonly number[]): number[] {
  let statistic = 0;
  return ratios.map((ratio) => {
    statistic = Math.min(Number.MAX_VALUE, (statistic + 1) * ratio);
    return statistic;
  });
}

/** The place from which on the judge was most likely another, by the ratios up to now. */
export function driftBegan(ratios: readonly number[]): number {
  let [best, evidence, log] = [ratios.length - 1, -Infinity, 0];
  for (const [back, ratio] of ratios.toReversed().entries()) {
    log += Math.log(ratio);
    if (log >= evidence) [best, evidence] = [ratios.length - 1 - back, log];
  }
  return best;
}

/**
 * P(X = x) of n trials whose chance is drawn from a beta distribution: C(n, x) B(x + a, n - x + b) / B(a, b), as the product of
 * three binomial terms at one and the same p, which it does not depend on.
 */
function betaBinomial(x: number, n: number, { a, b }: { a: number; b: number }): number {
  const p = (x + a) / (n + a + b);
  const chance = { p, q: 1 - p };
  const [prior, posterior] = [binomialTerm(a, a + b, chance), binomialTerm(x + a, n + a + b, chance)];
  // B(a, b) = (a + b) / (a b C(a + b, a)), and so for the other.
  const weight = (a * b * (n + a + b)) / ((a + b) * (x + a) * (n - x + b));
  return (binomialTerm(x, n, chance) * prior * weight) / posterior;
}

import { binomialPmf } from "../distributions/binomial.ts";
import { binomialTerm } from "../distributions/saddle-point.ts";

/** Verdicts of the reference nights on the anchors of one chart. */
export interface DriftReference {
  /** Verdicts other than the majority of their anchor. */
  flips: number;
  /** All verdicts. */
  verdicts: number;
}

/** A night on a chart: its flips among the anchors that were answered. */
export interface DriftNight {
  flips: number;
  anchors: number;
}

/** Shares of anchors that a changed judge may flip beside its noise: a little, some, many. */
const shares = [0.03, 0.1, 0.3];

/**
 * The chance of so many flips of a changed judge over that of the same judge: y flips are noise, beta-binomial by the reference
 * (with a prior of Jeffreys), and each further anchor is flipped with a chance e, of which the mean over `shares` is taken.
 */
export function driftRatio({ flips: x, anchors: k }: DriftNight, reference: DriftReference): number {
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
 * The statistic of A. N. Shiryaev (1963) and S. W. Roberts (1966) after each night, M = (M + 1) L from 0 on. While the judge is the
 * same it grows by 1 a night in the mean, so that it takes N nights or more in the mean until it reaches N.
 */
export function driftStatistics(nights: readonly DriftNight[], reference: DriftReference): number[] {
  let statistic = 0;
  return nights.map((night) => {
    statistic = Math.min(Number.MAX_VALUE, (statistic + 1) * driftRatio(night, reference));
    return statistic;
  });
}

/** One false alarm a year on each of two charts, in the mean: an alarm from here on. */
export const driftThreshold = 2 * 365;

/** Place of the night from which on the judge was most likely another, up to a night `to`: after it the evidence has only grown. */
export function driftBegan(nights: readonly DriftNight[], to: number, reference: DriftReference): number {
  let [best, evidence, log] = [to, -Infinity, 0];
  for (let place = to; place >= 0; place--) {
    const night = nights[place];
    if (night === undefined) continue;
    log += Math.log(driftRatio(night, reference));
    if (log >= evidence) [best, evidence] = [place, log];
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

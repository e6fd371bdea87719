import { binomialAtLeast, binomialCdf, binomialPmf } from "../distributions/binomial.ts";
import { normalCdf, normalQuantile, normalSurvival } from "../distributions/normal.ts";
import { chance, type PairedCounts } from "./mcnemar.ts";

/** P of a supposed difference, and the bounds at which it stops to be rejected: all that is known of a difference. */
export interface Method {
  /** P of H0: the difference is at most `supposed` (`greater`), or at least (`less`). */
  p: (supposed: number) => { greater: number; less: number };
  /** One-sided; null where none can be given. `near`: the value on whose side it has to be right, where p does not fall evenly. */
  lower: (confidence: number, near?: number) => number | null;
  upper: (confidence: number, near?: number) => number | null;
}

export function countedCases({ bothPass, onlyA, onlyB, bothFail }: PairedCounts): number {
  return bothPass + onlyA + onlyB + bothFail;
}

/** The rate of A less the rate of B; null without cases. */
export function rateDifference(counts: PairedCounts): number | null {
  const n = countedCases(counts);
  return n === 0 ? null : (counts.onlyA - counts.onlyB) / n;
}

/** Cases on which the sides differ, above which outcomes are no longer counted: the normal distribution is right within .3 points there. */
const mostCounted = 1000;

/**
 * T. Tango's score test (1998; for differences below 0 J. Nam's of 1997) of passes and fails, by the larger of two p: that of the
 * normal distribution, and the one that is counted outcome by outcome, the nuisance rate at its most likely value (C. Lloyd 2008).
 */
export function exactScore(counts: PairedCounts): Method {
  const n = countedCases(counts);
  const swapped = { ...counts, onlyA: counts.onlyB, onlyB: counts.onlyA };
  const isCounted = counts.onlyA + counts.onlyB <= mostCounted;
  const p = (supposed: number): { greater: number; less: number } => {
    const z = scoreStatistic(counts, Math.max(-2, Math.min(2, supposed)));
    const [greater, less] = [normalSurvival(z), normalCdf(z)];
    if (!isCounted || Math.abs(supposed) >= 1) return { greater: chance(greater), less: chance(less) };
    const exact = supposed > 0 ? countedP(swapped, n, supposed) : countedP(counts, n, -supposed);
    const [more, fewer] = supposed > 0 ? [exact.less, exact.greater] : [exact.greater, exact.less];
    return { greater: chance(Math.max(greater, more)), less: chance(Math.max(less, fewer)) };
  };
  return {
    p,
    lower(confidence, near = -1) {
      const start = scoreBound(counts, normalQuantile(confidence));
      return edge((at) => p(at).greater <= 1 - confidence, { rejected: -furthest, start, near });
    },
    upper(confidence, near = 1) {
      const start = scoreBound(counts, -normalQuantile(confidence));
      return edge((at) => p(at).less <= 1 - confidence, { rejected: furthest, start, near });
    },
  };
}

/** The differences nearest to a certain win or loss that are tried: at -1 and 1 nothing is left to count. */
const furthest = 0.9999;

/** Where a test stops to reject, from `start` towards a difference that it surely rejects, within a ten-thousandth of a point. */
function edge(
  isRejected: (at: number) => boolean,
  { rejected, start, near }: { rejected: number; start: number; near: number },
): number {
  if (Math.abs(start) > furthest || isRejected(start)) return start;
  const isBetween = Math.min(rejected, start) < near && near < Math.max(rejected, start);
  let [out, within] = !isBetween ? [rejected, start] : isRejected(near) ? [near, start] : [rejected, near];
  while (Math.abs(out - within) > 1e-6) {
    const middle = (out + within) / 2;
    if (isRejected(middle)) out = middle;
    else within = middle;
  }
  return within;
}

/** P of H0: pA - pB = -margin, added up over all outcomes of so many cases that are as far to a side as the one seen. */
function countedP(counts: PairedCounts, n: number, margin: number): { greater: number; less: number } {
  const rate = Math.max(0, likelyRate({ ...counts, onlyA: counts.onlyB, onlyB: counts.onlyA }, margin));
  // Share of the cases that pass at B alone, among those that do not pass at A alone.
  const rest = Math.min(1, (rate + margin) / (1 - rate));
  const z = (a: number, b: number): number =>
    scoreStatistic({ bothPass: n - a - b, onlyA: a, onlyB: b, bothFail: 0 }, -margin);
  const seen = scoreStatistic(counts, -margin);
  // Rounding must not make a tie look like a difference.
  const slack = 1e-9 * (1 + Math.abs(seen));
  // The greatest number of B alone that is as far to the one side, and the least that is to the other, only rise with those of A.
  let [greater, less, least, beyond] = [0, 0, 0, 0];
  for (let a = 0; a <= n; a++) {
    const weight = rate === 0 ? Number(a === 0) : binomialPmf(a, n, rate);
    if (a > n * rate && (weight <= 1e-17 * Math.min(greater, less) || weight < 1e-200)) break;
    const left = n - a;
    while (least <= left && z(a, least) > seen + slack) least++;
    beyond = Math.max(beyond, least);
    while (beyond <= left && z(a, beyond) >= seen - slack) beyond++;
    if (beyond > 0) greater += weight * (rest === 1 ? Number(beyond - 1 >= left) : binomialCdf(beyond - 1, left, rest));
    if (least <= left) less += weight * (rest === 1 ? 1 : binomialAtLeast(least, left, rest));
  }
  return { greater, less };
}

/**
 * (observed - supposed) / its standard error under the supposition, with the nuisance rate at its most likely value. Falls as
 * delta rises.
 */
export function scoreStatistic(counts: PairedCounts, delta: number): number {
  const n = countedCases(counts);
  const { onlyA, onlyB } = counts;
  // The sides change places for a negative difference, so that the nuisance rate is that of the rarer cell, never below 0.
  return delta < 0 ? -statistic(n, [onlyB, onlyA], -delta) : statistic(n, [onlyA, onlyB], delta);
}

/** Copies no counts: to plan an experiment asks for it millions of times. */
function statistic(n: number, [onlyA, onlyB]: readonly [number, number], delta: number): number {
  const rate = rateOf(n, [onlyA, onlyB], delta);
  const variance = n * (2 * rate + delta * (1 - delta));
  const distance = onlyA - onlyB - n * delta;
  if (variance <= 0) return distance === 0 ? 0 : Math.sign(distance) * Number.MAX_VALUE;
  return distance / Math.sqrt(variance);
}

/** The most likely chance that only B passes where pA - pB is `delta`, from 0 up (closed form of Tango 1998). */
export function likelyRate(counts: PairedCounts, delta: number): number {
  return rateOf(countedCases(counts), [counts.onlyA, counts.onlyB], delta);
}

function rateOf(n: number, [onlyA, onlyB]: readonly [number, number], delta: number): number {
  const linear = (2 * n - onlyA + onlyB) * delta - onlyA - onlyB;
  const constant = onlyB * delta * (1 - delta);
  const root = Math.sqrt(linear * linear + 8 * n * constant);
  // The form of the root that does not subtract near-equal numbers.
  return linear > 0 ? (2 * constant) / (linear + root) : (root - linear) / (4 * n);
}

/** The difference at which the score statistic is z. */
export function scoreBound(counts: PairedCounts, z: number): number {
  const n = countedCases(counts);
  if (counts.onlyA + counts.onlyB === 0) return (-Math.sign(z) * (z * z)) / (n + z * z);
  const observed = (counts.onlyA - counts.onlyB) / n;
  let low = z > 0 ? -1 : observed;
  let high = z > 0 ? observed : 1;
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (scoreStatistic(counts, middle) > z) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

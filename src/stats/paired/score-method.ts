import { type PairedCounts, chance } from "./mcnemar.ts";
import type { Method, OneSided, Rule } from "./method.ts";
import { tangoBounds, tangoTest, likelyRate, scoreStatistic } from "./paired-proportion.ts";
import { binomialAtLeast, binomialCdf, binomialPmf } from "../distributions/binomial.ts";

/** Passes and fails of one run each side: Tango's score test, and its p counted outcome by outcome where few cases differ. */
export function scoreRule(counts: PairedCounts): Rule {
  const first: Method = {
    against: (supposed) => tangoTest(counts, supposed),
    lower: (confidence) => tangoBounds(counts, confidence)?.lower ?? null,
    upper: (confidence) => tangoBounds(counts, confidence)?.upper ?? null,
  };
  return { first, stricter: { by: "counted", ...countedMethod(counts, first) } };
}

const nothing: OneSided = { pGreater: null, pLess: null };

/** The differences nearest to a certain win or loss that are tried: at -1 and 1 nothing is left to count. */
const furthest = 0.9999;

function countedMethod(counts: PairedCounts, first: Method): Method {
  const against = (supposed: number): OneSided => {
    if (supposed <= 0) return countedScore(counts, -supposed) ?? nothing;
    // The gains of the candidate are the losses of the baseline.
    const swapped = countedScore({ ...counts, onlyA: counts.onlyB, onlyB: counts.onlyA }, supposed);
    return swapped === null ? nothing : { pGreater: swapped.pLess, pLess: swapped.pGreater };
  };
  // Null: not counted here, so that the first method stands alone.
  const rejects = (side: keyof OneSided, supposed: number, confidence: number): boolean => {
    const p = against(supposed)[side];
    return p === null || p <= 1 - confidence;
  };
  return {
    against,
    lower: (confidence, near) => {
      const start = first.lower(confidence, near);
      const isRejected = (at: number): boolean => rejects("pGreater", at, confidence);
      if (start === null || start < -furthest || isRejected(start)) return start;
      if (near < start && isRejected(near)) return edge(isRejected, near, start);
      return edge(isRejected, -furthest, Math.min(start, Math.max(near, -furthest)));
    },
    upper: (confidence, near) => {
      const start = first.upper(confidence, near);
      const isRejected = (at: number): boolean => rejects("pLess", at, confidence);
      if (start === null || start > furthest || isRejected(start)) return start;
      if (near > start && isRejected(near)) return edge(isRejected, near, start);
      return edge(isRejected, furthest, Math.max(start, Math.min(near, furthest)));
    },
  };
}

/** Where a test stops to reject, between a difference that it rejects and one that it does not, within a ten-thousandth of a point. */
function edge(isRejected: (at: number) => boolean, rejected: number, kept: number): number {
  let [out, within] = [rejected, kept];
  while (Math.abs(out - within) > 1e-6) {
    const middle = (out + within) / 2;
    if (isRejected(middle)) out = middle;
    else within = middle;
  }
  return within;
}

/**
 * Number of cases on which the sides differ, above which the normal distribution is used: it is right within 0.3 points
 * there.
 */
const fewDiscordant = 1000;

/** P values that are counted outcome by outcome. */
interface CountedScore {
  /** p value for H0: the difference is at most -margin. */
  pGreater: number;
  /** p value for H0: the difference is at least -margin. */
  pLess: number;
}

/**
 * Tango's score test of H0: pA - pB = -margin with its p counted, not taken from the normal distribution: the chance of
 * all outcomes of so many cases whose statistic is at least as extreme as the one seen, the nuisance rate at its most
 * likely value under H0 (C. Lloyd 2008, the estimated p). Where few cases differ the normal distribution promises more
 * than it keeps. Null without cases, for a margin of 1 or more, and where so many cases differ that it makes no odds.
 */
export function countedScore(counts: PairedCounts, margin: number): CountedScore | null {
  const { onlyA, onlyB } = counts;
  const n = counts.bothPass + onlyA + onlyB + counts.bothFail;
  if (n === 0 || onlyA + onlyB > fewDiscordant || !(margin >= 0 && margin < 1)) return null;
  const rate = Math.max(0, likelyRate({ ...counts, onlyA: onlyB, onlyB: onlyA }, margin));
  // Share of the cases that pass at B alone, among those that do not pass at A alone.
  const rest = Math.min(1, (rate + margin) / (1 - rate));
  const reaches = reachesOf({ n, counts, margin });
  let [greater, less] = [0, 0];
  for (let a = 0; a <= n; a++) {
    const weight = rate === 0 ? Number(a === 0) : binomialPmf(a, n, rate);
    if (a > n * rate && weight <= 1e-17 * Math.min(greater, less)) break;
    if (a > n * rate && weight < 1e-200) break;
    const left = n - a;
    const { most, least } = reaches(a);
    if (most >= 0) greater += weight * (rest === 1 ? Number(most >= left) : binomialCdf(most, left, rest));
    if (least <= left) less += weight * (rest === 1 ? 1 : binomialAtLeast(least, left, rest));
  }
  return { pGreater: chance(greater), pLess: chance(less) };
}

/**
 * Finds, for each number of passes of A alone, the greatest number of B alone that is as far to the one side as the
 * observed counts, and the least that is as far to the other. Both only rise with A's, and are looked for from those of
 * the number before.
 */
function reachesOf({ n, counts, margin }: { n: number; counts: PairedCounts; margin: number }) {
  const z = (a: number, b: number): number =>
    scoreStatistic({ bothPass: n - a - b, onlyA: a, onlyB: b, bothFail: 0 }, -margin);
  const seen = scoreStatistic(counts, -margin);
  // Rounding must not make a tie look like a difference.
  const slack = 1e-9 * (1 + Math.abs(seen));
  let [least, beyond] = [0, 0];
  return (a: number): { most: number; least: number } => {
    while (least <= n - a && z(a, least) > seen + slack) least++;
    beyond = Math.max(beyond, least);
    while (beyond <= n - a && z(a, beyond) >= seen - slack) beyond++;
    return { most: beyond - 1, least };
  };
}

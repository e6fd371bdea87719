import type { Interval } from "../interval.ts";
import { chance } from "./mcnemar.ts";
import type { PairedCounts } from "./mcnemar.ts";
import { normalCdf, normalQuantile, normalSurvival, twoSidedZ } from "../distributions/normal.ts";

/**
 * Distance of the observed difference from a supposed one, in standard errors, and the one-sided p of each direction.
 */
export interface ScoreTest {
  /** Null where nothing can be said: no case. */
  z: number | null;
  /** p value for H0: the difference is at most `delta`. */
  pGreater: number | null;
  /** p value for H0: the difference is at least `delta`. */
  pLess: number | null;
}

/** The rate of A less the rate of B; null without cases. */
export function rateDifference(counts: PairedCounts): number | null {
  const n = casesOf(counts);
  return n === 0 ? null : (counts.onlyA - counts.onlyB) / n;
}

/** T. Tango's score test (1998) of H0: pA - pB = delta, which for delta < 0 is J. Nam's test of non-inferiority (1997). */
export function tangoTest(counts: PairedCounts, delta: number): ScoreTest {
  if (casesOf(counts) === 0 || Number.isNaN(delta)) return { z: null, pGreater: null, pLess: null };
  // Rates differ by 1 at most: all that is beyond is as impossible as 2.
  const z = scoreStatistic(counts, Math.max(-2, Math.min(2, delta)));
  return { z, pGreater: chance(normalSurvival(z)), pLess: chance(normalCdf(z)) };
}

/** Tango's interval of pA - pB: the differences that the score test does not reject. Null without cases. */
export function tangoInterval(counts: PairedCounts, level: number): Interval | null {
  const n = casesOf(counts);
  if (n === 0) return null;
  const z = twoSidedZ(level);
  return { low: scoreBound(counts, z), high: scoreBound(counts, -z) };
}

/** One-sided bounds of pA - pB by the same test, each at this confidence. */
export function tangoBounds(counts: PairedCounts, confidence: number): { lower: number; upper: number } | null {
  const n = casesOf(counts);
  if (n === 0) return null;
  const z = normalQuantile(confidence);
  return { lower: scoreBound(counts, z), upper: scoreBound(counts, -z) };
}

function casesOf({ bothPass, onlyA, onlyB, bothFail }: PairedCounts): number {
  return bothPass + onlyA + onlyB + bothFail;
}

/**
 * (observed - supposed) / its standard error under the supposition, with the nuisance rate at its most likely value.
 * Falls as delta rises.
 */
export function scoreStatistic(counts: PairedCounts, delta: number): number {
  const n = casesOf(counts);
  const { onlyA, onlyB } = counts;
  // The sides change places for a negative difference, so that the nuisance rate is that of the rarer cell, never below
  // 0.
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
  return rateOf(casesOf(counts), [counts.onlyA, counts.onlyB], delta);
}

function rateOf(n: number, [onlyA, onlyB]: readonly [number, number], delta: number): number {
  const linear = (2 * n - onlyA + onlyB) * delta - onlyA - onlyB;
  const constant = onlyB * delta * (1 - delta);
  const root = Math.sqrt(linear * linear + 8 * n * constant);
  // The form of the root that does not subtract near-equal numbers.
  return linear > 0 ? (2 * constant) / (linear + root) : (root - linear) / (4 * n);
}

/** The difference at which the score statistic is z. */
function scoreBound(counts: PairedCounts, z: number): number {
  const n = casesOf(counts);
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

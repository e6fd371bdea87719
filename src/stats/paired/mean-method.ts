import type { ClusterEstimate } from "./cluster-t.ts";
import { normalQuantile, normalSurvival } from "../distributions/normal.ts";
import { chance } from "./mcnemar.ts";
import type { Method, OneSided, Rule } from "./method.ts";
import type { SignFlip } from "../resampling/sign-flip.ts";
import { finite } from "../sum.ts";
import { tBounds, tTest } from "./t-estimate.ts";
import { tQuantile, tSurvival } from "../distributions/student-t.ts";

/** Student's t over clusters, corrected for skewness beyond it. */
export function tRule(estimate: ClusterEstimate, range: number | null): Rule {
  const first: Method = {
    against: (supposed) => tTest(estimate, supposed),
    lower: (confidence) => tBounds(estimate, confidence).lower,
    upper: (confidence) => tBounds(estimate, confidence).upper,
  };
  return within({ first, stricter: skewRule(estimate, range) }, range);
}

/**
 * Signs of whole clusters flipped, and t corrected for skewness beside them: flips suppose that there is none. `isFew`: so few
 * clusters rarely show the skewness that there is.
 */
export function flipRule(
  flips: SignFlip,
  estimate: ClusterEstimate,
  { range, isFew }: { range: number | null; isFew: boolean },
): Rule {
  const first: Method = {
    against: (supposed) => flips.test(supposed),
    lower: (confidence) => flips.lower(confidence),
    upper: (confidence) => flips.upper(confidence),
  };
  const method = isFew && range === null ? skewedMethod(estimate, fewValues) : null;
  const stricter = method === null ? skewRule(estimate, range) : { by: "skewness" as const, ...method };
  return within({ first, stricter }, range);
}

/** Where a few clusters carry most of a difference, Student's t is too sure on the side of the few. */
export function isSkewed(skewness: number | null): skewness is number {
  return skewness !== null && Math.abs(skewness) > 1;
}

/** Skewness beyond which a score without bounds is corrected: what is seen of a long tail falls short of it. */
const mildlySkewed = 0.5;

function skewRule(estimate: ClusterEstimate, range: number | null): Rule["stricter"] {
  const isLong = range === null && Math.abs(estimate.skewness ?? 0) > mildlySkewed;
  const isAsked = isLong || isSkewed(estimate.skewness);
  const method = isAsked ? skewedMethod(estimate, isLong ? longTail : asSeen) : null;
  return method === null ? null : { by: "skewness", ...method };
}

/**
 * All clusters differ by the same amount: a standard error of 0 would claim that no other cluster ever differs by
 * another. Wilson's bound for 0 of C clusters says how many may: those are taken to differ by as much as the scale
 * allows. For no difference at all this is +-range z^2 / (C + z^2), as Tango's interval without discordant pairs. The
 * stricter p is the chance that none of so many clusters was one of them. C is the effective number of clusters.
 */
export function stillRule(
  { mean, effectiveClusters: size }: { mean: number; effectiveClusters: number },
  range: number,
): Rule {
  const [down, up] = [Math.max(0, finite(range + mean)), Math.max(0, finite(range - mean))];
  // The z at which the bound reaches this share, as a p value.
  const byWilson = (share: number): number => {
    if (share === 0) return 1;
    return share === 1 ? Number.MIN_VALUE : chance(normalSurvival(Math.sqrt((size * share) / (1 - share))));
  };
  const wilsonShare = (confidence: number): number => {
    const z = Math.max(0, normalQuantile(confidence));
    return (z * z) / (size + z * z);
  };
  const methodOf = (p: (share: number) => number, shareAt: (confidence: number) => number): Method => ({
    against: (supposed): OneSided => ({
      pGreater: p(shareOf(mean - supposed, down)),
      pLess: p(shareOf(supposed - mean, up)),
    }),
    lower: (confidence) => finite(mean - shareAt(confidence) * down),
    upper: (confidence) => finite(mean + shareAt(confidence) * up),
  });
  return {
    first: methodOf(byWilson, wilsonShare),
    stricter: {
      by: "counted",
      ...methodOf(
        (share) => chance((1 - share) ** size),
        (confidence) => -Math.expm1(Math.log1p(-confidence) / size),
      ),
    },
  };
}

/** Share of the clusters that would have to differ by as much as they can, to move the mean by this distance. */
function shareOf(distance: number, headroom: number): number {
  return distance <= 0 ? 0 : headroom <= distance ? 1 : distance / headroom;
}

/** Scores of a known scale differ by its width at most: what of a bound lies beyond is not possible. */
function within({ first, stricter }: Rule, range: number | null): Rule {
  if (range === null) return { first, stricter };
  const possible = (bound: number | null): number | null =>
    bound === null ? null : Math.min(range, Math.max(-range, bound));
  const clipped = ({ against, lower, upper }: Method): Method => ({
    against,
    lower: (confidence, near) => possible(lower(confidence, near)),
    upper: (confidence, near) => possible(upper(confidence, near)),
  });
  return { first: clipped(first), stricter: stricter === null ? null : { by: stricter.by, ...clipped(stricter) } };
}

/**
 * Student's t corrected for the skewness of what is averaged (P. Hall 1992): with w = t / sqrt(C) and skewness g the
 * statistic is sqrt(C) (w + g w^2 / 3 + g^2 w^3 / 27 + g / (6 C)), which rises with w. Where rare large drops carry a
 * difference, t is far too ready to say that there is none; this is not. Null without variation.
 */
export function skewedMethod(estimate: ClusterEstimate, shortfall: Shortfall): Method | null {
  const { mean, se, clusters, df } = estimate;
  const g = skewnessOf(estimate, shortfall);
  if (mean === null || se === null || se === 0 || g === null) return null;
  const root = Math.sqrt(clusters);
  const shift = g / (6 * clusters);
  // Without skewness the cube divides nothing by nothing.
  const isEven = Math.abs(g) < 1e-6;
  const corrected = (supposed: number): number => {
    const w = (tTest(estimate, supposed).t ?? 0) / root;
    return finite(root * ((isEven ? w : ((1 + (g * w) / 3) ** 3 - 1) / g) + shift));
  };
  // Hall's statistic turned round: the w at which it is as large as this quantile.
  const flipped = (quantile: number): number => {
    const y = quantile / root - shift;
    return isEven ? y : (3 / g) * (Math.cbrt(1 + g * y) - 1);
  };
  const at = (confidence: number): number => finite(mean - root * flipped(tQuantile(confidence, df)) * se);
  return {
    against: (supposed) => {
      const t = corrected(supposed);
      return { pGreater: chance(tSurvival(t, df)), pLess: chance(tSurvival(-t, df)) };
    },
    lower: at,
    upper: (confidence) => at(1 - confidence),
  };
}

/** Size of the true skewness beside that of the values. */
interface Shortfall {
  /** Corrected for the number of values, as usual. */
  corrected: boolean;
  times: number;
}

/** A score with bounds has no tail that is longer than its scale. */
export const asSeen: Shortfall = { corrected: false, times: 1 };
/**
 * Few values of a long tail rarely hold its end, so that their skewness falls short of the true one: for scores without
 * bounds it is taken to be so many times as large, and a little more below 20 values. Both were measured: see the log-normal
 * differences in docs/reference/statistics.md.
 */
const longTail: Shortfall = { corrected: true, times: 1.75 };
const fewValues: Shortfall = { corrected: true, times: 2 };

function skewnessOf({ skewness, clusters }: ClusterEstimate, { corrected, times }: Shortfall): number | null {
  if (skewness === null || !corrected || clusters < 3) return skewness;
  return (times * skewness * Math.sqrt(clusters * (clusters - 1))) / (clusters - 2);
}

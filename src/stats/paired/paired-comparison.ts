import { manyUnits } from "../blocks.ts";
import { bcaOfMean } from "../resampling/bootstrap.ts";
import { clusterEstimate } from "./cluster-t.ts";
import type { ClusterEstimate } from "./cluster-t.ts";
import { clusterTotals } from "../clusters.ts";
import type { Clustered } from "../clusters.ts";
import { countedScore } from "./counted-score.ts";
import type { Bounds, Interval } from "../interval.ts";
import { chance, mcNemar } from "./mcnemar.ts";
import type { PairedCounts } from "./mcnemar.ts";
import { normalQuantile, normalSurvival } from "../distributions/normal.ts";
import { rateDifference, tangoBounds, tangoInterval, tangoTest } from "./paired-proportion.ts";
import { signFlip } from "../resampling/sign-flip.ts";
import { skewedTTest } from "./skewed-t.ts";
import { type StricterP, stricterP } from "./stricter-p.ts";
import { finite } from "../sum.ts";
import { tBounds, tInterval, tTest } from "./t-estimate.ts";

/** Clusters from which on Student's t is trusted, and below which nothing is. */
export const enoughForT = 20;
export const enoughToFlip = 5;

/** Data of a comparison: one difference per case, candidate less baseline, signed so that positive is better. */
export interface PairedData {
  /** The runs of a case are averaged before. */
  differences: Float64Array;
  /** Number of each case's cluster, from 0 without gaps; null when every case is its own. */
  clusters: Int32Array | null;
  /** Passes and fails, when each side ran once, the score is pass or fail, and every cluster is one case; else null. */
  counts: PairedCounts | null;
  /** Width of the score's scale, 1 for a pass rate: the most that a case can differ. Null for an unbounded score. */
  range: number | null;
}

export interface PairedOptions {
  /** The drop that is still accepted, not negative. */
  margin: number;
  /** Level of the two-sided interval; 0.95 when left out. */
  level?: number;
  /** Confidence of each one-sided bound; 0.95 when left out. */
  confidence?: number;
  /** Confidence of the lower bound, if it is another one; as `confidence` when left out. */
  passConfidence?: number;
  seed: string;
  /** False leaves out the second interval, which is drawn and takes its time. */
  second?: boolean;
  /** False leaves out the stricter p values, where nothing is decided by them. */
  decides?: boolean;
}

type TestName = "mcnemar-mid-p" | "cluster-t" | "sign-flip" | "none";
type IntervalName = "tango" | "cluster-t" | "sign-flip" | "no-variation" | "none";

/** The difference of two sides, how sure it is, and by which test. Nothing here is NaN or infinite. */
export interface PairedComparison {
  /** Cases. */
  n: number;
  clusters: number;
  /** Mean difference. */
  estimate: number | null;
  /** Two-sided, of H0: no difference. */
  p: number | null;
  interval: Interval | null;
  /** One-sided: the upper at `confidence`, the lower at `passConfidence`. */
  bounds: Bounds;
  /** Standard error of the estimate, where Student's t is used; else null. */
  se: number | null;
  /** Skewness of the differences of clusters; null if Student's t is not used, and without variation. */
  skewness: number | null;
  /** p value for H0: the difference is at least -margin. A small one: it got worse by more than the margin. */
  pRegression: number | null;
  /** p value for H0: the difference is at most -margin. A small one: it did not. */
  pPass: number | null;
  /** The same two by a stricter method, where the first is known to claim too much: a claim has to hold by both. */
  stricter: StricterP | null;
  test: TestName;
  intervalBy: IntervalName;
  /** The reason for this test. */
  why: string;
  /** A second interval, where the first is doubtful. */
  second: { by: "bca"; interval: Interval; why: string } | null;
  /** A sentence on missing data or a special case; null when there is none. */
  reason: string | null;
}

/** Chooses the test and the interval by the kind of the data and the number of clusters, and infers with them. */
export function comparePairs(data: PairedData, options: PairedOptions): PairedComparison {
  const { counts } = data;
  if (counts !== null) return byCounts(counts, options);
  const clustered = clusterTotals(data.differences, data.clusters);
  const estimate = clusterEstimate(clustered);
  if (estimate.clusters >= enoughForT) return byT({ clustered, estimate, range: data.range }, options);
  if (estimate.clusters >= enoughToFlip) return byFlips({ clustered, estimate, range: data.range }, options);
  return {
    ...nothing(clustered, estimate),
    why: `fewer than ${enoughToFlip} clusters allow no test`,
    reason: clustered.reason ?? `too few clusters: ${estimate.clusters}, and at least ${enoughToFlip} are needed`,
  };
}

function byCounts(counts: PairedCounts, options: PairedOptions): PairedComparison {
  const { margin, level = 0.95, confidence = 0.95, passConfidence = confidence } = options;
  const n = counts.bothPass + counts.onlyA + counts.onlyB + counts.bothFail;
  const against = tangoTest(counts, -margin);
  return {
    n,
    clusters: n,
    estimate: rateDifference(counts),
    se: null,
    skewness: null,
    p: n === 0 ? null : mcNemar(counts).midP,
    interval: tangoInterval(counts, level),
    bounds: {
      lower: tangoBounds(counts, passConfidence)?.lower ?? null,
      upper: tangoBounds(counts, confidence)?.upper ?? null,
    },
    pRegression: against.pLess,
    pPass: against.pGreater,
    stricter: stricterP("counted", against, { ...options, again: () => countedScore(counts, margin) }),
    test: n === 0 ? "none" : "mcnemar-mid-p",
    intervalBy: n === 0 ? "none" : "tango",
    why: "pass or fail, one run each side, every case on its own",
    second: null,
    reason: n === 0 ? "there is no case to compare" : null,
  };
}

interface Inferred {
  clustered: Clustered;
  estimate: ClusterEstimate;
  range: number | null;
}

function byT({ clustered, estimate, range }: Inferred, options: PairedOptions): PairedComparison {
  const { margin, level = 0.95, confidence = 0.95, passConfidence = confidence, seed, second = true } = options;
  const still = withoutVariation(estimate, range, options);
  const against = tTest(estimate, -margin);
  const { skewness } = estimate;
  const skewed = isSkewed(skewness);
  const bca = skewed && second ? bcaOfMean(clustered, { level, seed }) : null;
  const blocks = estimate.clusters > manyUnits ? ", over blocks of shuffled clusters since there are so many" : "";
  return {
    ...nothing(clustered, estimate),
    p: tTest(estimate, 0).twoSided,
    interval: possible(tInterval(estimate, level), range),
    bounds: possibleBounds(
      { lower: tBounds(estimate, passConfidence).lower, upper: tBounds(estimate, confidence).upper },
      range,
    ),
    se: estimate.se,
    skewness,
    pRegression: against.pLess,
    pPass: against.pGreater,
    stricter: skewed
      ? stricterP("skewness", against, { ...options, again: () => skewedTTest(estimate, -margin) })
      : null,
    test: "cluster-t",
    intervalBy: "cluster-t",
    why: `scores, several runs, or clusters of several cases; ${estimate.clusters} clusters are enough for Student's t`,
    second: bca === null ? null : { by: "bca", interval: bca, why: `${skewWords(skewness ?? 0)}${blocks}` },
    ...still,
  };
}

/** True when a few clusters carry most of a difference: Student's t is then too sure on the side of the few. */
export function isSkewed(skewness: number | null): skewness is number {
  return skewness !== null && Math.abs(skewness) > 1;
}

export function skewWords(skewness: number): string {
  return `a few cases carry most of the difference (skewness ${skewness.toFixed(1)})`;
}

/** Scores of a known scale differ by its width at most: what of an interval lies beyond is not possible. */
function possible(interval: Interval | null, range: number | null): Interval | null {
  if (interval === null || range === null) return interval;
  return { low: Math.max(-range, interval.low), high: Math.min(range, interval.high) };
}

function possibleBounds({ lower, upper }: Bounds, range: number | null): Bounds {
  if (lower === null || upper === null || range === null) return { lower, upper };
  return { lower: Math.max(-range, lower), upper: Math.min(range, upper) };
}

function byFlips({ clustered, estimate, range }: Inferred, options: PairedOptions): PairedComparison {
  const { margin, level = 0.95, confidence = 0.95, passConfidence = confidence, seed } = options;
  const flips = signFlip(clustered, seed);
  if (flips === null) return { ...nothing(clustered, estimate), why: "nothing can be flipped" };
  const against = flips.test(-margin);
  const interval = flips.interval(level);
  return {
    ...nothing(clustered, estimate),
    p: flips.test(0).twoSided,
    interval,
    bounds: { lower: flips.lower(passConfidence), upper: flips.upper(confidence) },
    pRegression: against.pLess,
    pPass: against.pGreater,
    test: "sign-flip",
    intervalBy: interval === null ? "none" : "sign-flip",
    why: `scores, several runs, or clusters of several cases; ${estimate.clusters} clusters are too few for Student's t, so their signs are flipped`,
    reason:
      interval === null
        ? `${estimate.clusters} clusters are too few for an interval of ${level * 100} %`
        : estimate.reason,
    ...withoutVariation(estimate, range, options),
  };
}

/**
 * When all clusters differ by the same amount, a standard error of 0 would claim that no other cluster ever differs
 * by another. Wilson's bound for 0 of C clusters says how many may: those are taken to differ by as much as the scale
 * allows. For no difference at all this is +-range z^2 / (C + z^2), as Tango's interval without discordant pairs.
 */
function withoutVariation(
  { mean, se, clusters }: ClusterEstimate,
  range: number | null,
  { margin, level = 0.95, confidence = 0.95, passConfidence = confidence }: PairedOptions,
): Partial<PairedComparison> {
  if (mean === null || se !== 0 || range === null) return {};
  const ends = (z: number): Interval => {
    const share = (z * z) / (clusters + z * z);
    return {
      low: finite(mean - share * Math.max(0, finite(range + mean))),
      high: finite(mean + share * Math.max(0, finite(range - mean))),
    };
  };
  // The z at which the bound reaches the margin, as a p value.
  const p = (share: number): number => {
    if (share === 0) return 1;
    return share === 1 ? Number.MIN_VALUE : chance(normalSurvival(Math.sqrt((clusters * share) / (1 - share))));
  };
  // The chance that none of so many clusters is one of that share.
  const none = (share: number): number => chance((1 - share) ** clusters);
  const [worse, not] = [shareOf(-margin - mean, range - mean), shareOf(mean + margin, range + mean)];
  const against = { pLess: p(worse), pGreater: p(not) };
  return {
    interval: ends(normalQuantile((1 + level) / 2)),
    bounds: { lower: ends(normalQuantile(passConfidence)).low, upper: ends(normalQuantile(confidence)).high },
    pRegression: against.pLess,
    pPass: against.pGreater,
    stricter: stricterP("counted", against, {
      confidence,
      passConfidence,
      again: () => ({ pLess: none(worse), pGreater: none(not) }),
    }),
    intervalBy: "no-variation",
    reason: "no variation: every cluster differs by the same amount",
  };
}

/** Share of the clusters that would have to differ by as much as they can, to move the mean by this distance. */
function shareOf(distance: number, room: number): number {
  return distance <= 0 ? 0 : room <= distance ? 1 : distance / room;
}

function nothing({ n }: Clustered, { mean, clusters, reason }: ClusterEstimate): PairedComparison {
  return {
    n,
    clusters,
    estimate: mean,
    p: null,
    interval: null,
    bounds: { lower: null, upper: null },
    se: null,
    skewness: null,
    pRegression: null,
    pPass: null,
    stricter: null,
    test: "none",
    intervalBy: "none",
    why: "",
    second: null,
    reason,
  };
}

import { type ClusterEstimate, clusterEstimate } from "./cluster-t.ts";
import { type Clustered, clusterTotals } from "../clusters.ts";
import type { Interval } from "../interval.ts";
import { flipRule, stillRule, tRule } from "./mean-method.ts";
import { mcNemar, type PairedCounts, chance } from "./mcnemar.ts";
import type { Method, OneMore, PassTest, Rule } from "./method.ts";
import type { PairedData } from "./paired-data.ts";
import { rateDifference, tangoInterval } from "./paired-proportion.ts";
import { scoreRule } from "./score-method.ts";
import { signFlip } from "../resampling/sign-flip.ts";
import { tInterval, tTest } from "./t-estimate.ts";
import { binomialCdf } from "../distributions/binomial.ts";
import { quantile } from "../quantile.ts";
import { finite, sum } from "../sum.ts";

/** Effective clusters from on which Student's t is trusted, and clusters below which nothing is. */
export const enoughForT = 20;
export const enoughToFlip = 5;

/** The fewest clusters whose signs can tell a one-sided p of this level: C of them have 2^C patterns. */
export function patternsFor(level: number): number {
  return Math.ceil(-Math.log2(level) - 1e-9);
}
/** Degrees of freedom below which Student's t is not trusted, however many clusters there are. */
const enoughFreedom = 4;

type TestName = "mcnemar-mid-p" | "cluster-t" | "corrected-t" | "sign-flip" | "sign-test" | "betting" | "none";
export type IntervalName =
  | "tango"
  | "cluster-t"
  | "corrected-t"
  | "sign-flip"
  | "order-statistics"
  | "no-variation"
  | "betting"
  | "none";

/** Which test fits the data, what it says of the difference, and the rule that a gate decides by. */
export interface Inference {
  /** Cases. */
  n: number;
  clusters: number;
  /** Number of clusters of one size that would tell as much. */
  effectiveClusters: number;
  /** Mean difference, or the median where that is compared. */
  estimate: number | null;
  /** Standard error of the estimate, where Student's t is used; else null. */
  se: number | null;
  /** Degrees of freedom that the clusters leave. */
  df: number;
  /** Skewness of the differences of clusters; null without variation, and where passes and fails are counted. */
  skewness: number | null;
  test: TestName;
  intervalBy: IntervalName;
  /** Two-sided, of H0: no difference. */
  p: number | null;
  interval: (level: number) => Interval | null;
  /** Null where nothing can be decided. */
  rule: Rule | null;
  /** The reason for this test. */
  why: string;
  /** A sentence on missing data or a special case; null when there is none. */
  reason: string | null;
  /** Values of which the median is taken, ascending, one for each cluster; null where a mean is compared. */
  median: Float64Array | null;
  /** Sums of the clusters; null for counts of passes and fails. */
  clustered: Clustered | null;
}

/** Cases below which the mean of a score without ends claims no pass: where little was seen, little was lost. */
export const enoughWithoutEnds = 20;

/** Chooses the test by the kind of the data and the number and sizes of the clusters. */
export function inferenceOf(data: PairedData, seed: string): Inference {
  const inference = chosenInference(data, seed);
  const { rule, clustered } = inference;
  if (rule === null || clustered === null || data.statistic === "median") return inference;
  const loss = lossOfOneMore(data, inference);
  const ofPass = passTests(data, inference, clustered);
  const oneMore = loss === null ? undefined : oneMoreOf(clustered, loss, seed);
  return { ...inference, rule: { ...rule, ofPass, ...(oneMore !== undefined && { oneMore }) } };
}

/**
 * The loss of the one more case that a pass of a graded score has to hold with: all of its scale, or the spread of its values where it has no ends. Null:
 * none is asked, because passes and fails are counted by their units, or cases that are all alike by what they could lose.
 */
function lossOfOneMore(
  { range, spread, isRate }: PairedData,
  { intervalBy }: Inference,
): Pick<OneMore, "loss" | "of"> | null {
  if (range === null) return spread === undefined ? null : { of: "spread", loss: finite(spread) };
  return isRate === true || intervalBy === "no-variation" ? null : { of: "scale", loss: range };
}

/**
 * Tests that a pass on a scale with two ends has to hold by, whatever was seen: so many units do not hide the loss, and of means of
 * passes and fails it would be one with fewer losses too.
 */
function passTests({ range, isRate }: PairedData, inference: Inference, clustered: Clustered): PassTest[] {
  if (range === null) return [];
  return [
    unseenTest(clustered, inference.effectiveClusters, range),
    ...(isRate === true ? [fewerLosses(clustered, range)] : []),
  ];
}

/** The chance that none of so many units shows what would be lost, were every loss that was seen none (rule of three). */
function unseenTest({ sums, n, scale }: Clustered, units: number, range: number): PassTest {
  const gained = (sums.reduce((total, each) => total + Math.max(0, each), 0) / n) * scale;
  return {
    by: "unseen",
    p: (supposed) => {
      const share = Math.min(1, Math.max(0, gained - supposed) / (range + gained));
      return chance((1 - share) ** units);
    },
    lower: (confidence) => finite(gained + Math.expm1(Math.log1p(-confidence) / units) * (range + gained)),
  };
}

/** Numbers of losses that are left, from one to all, at which a pass is asked again. */
const mostSteps = 16;

/**
 * A pass with fewer losses: the largest alone, or the smallest, and the others undone. A loss more makes differences less skewed, and a
 * test that corrects for skewness less strict: it must not buy a pass.
 */
function fewerLosses({ sums, sizes, ...clustered }: Clustered, range: number): PassTest {
  const losing = Array.from(sums.keys())
    .filter((unit) => (sums[unit] ?? 0) < 0)
    .toSorted((one, other) => (sums[one] ?? 0) - (sums[other] ?? 0));
  const steps = Math.min(mostSteps, Math.max(0, losing.length - 1));
  const kept = Array.from({ length: steps }, (_, step) => 1 + Math.floor((step * (losing.length - 1)) / steps));
  const rules = (): Rule[] =>
    [
      ...kept.map((count) => losing.slice(0, count)),
      ...kept.map((count) => losing.slice(losing.length - count)),
    ].flatMap((left) => {
      const units = new Set(left);
      const own = sums.map((total, unit) => (total < 0 && !units.has(unit) ? 0 : total));
      const mean = finite((sum(own) / clustered.n) * clustered.scale);
      const estimate = clusterEstimate({ ...clustered, sums: own, sizes, mean, deviation: null });
      return estimate.se === null || estimate.se === 0 ? [] : [tRule(estimate, range)];
    });
  let made: Rule[] | undefined;
  const all = (): Rule[] => (made ??= rules());
  return {
    by: "fewer-losses",
    p: (supposed) =>
      all().reduce((most, { first, stricter }) => {
        const [own, again] = [first.against(supposed).pGreater ?? 0, stricter?.against(supposed).pGreater ?? 0];
        return Math.max(most, own, again);
      }, 0),
    lower: (confidence) =>
      all().reduce((least, { first, stricter }) => {
        const [own, again] = [first.lower(confidence, 0) ?? Infinity, stricter?.lower(confidence, 0) ?? Infinity];
        return Math.min(least, own, again);
      }, Infinity),
  };
}

function oneMoreOf(clustered: Clustered, { of, loss }: Pick<OneMore, "loss" | "of">, seed: string): OneMore {
  const neverOfSpread = loss <= 0 ? "still" : clustered.n < enoughWithoutEnds ? "few" : null;
  const never = of === "scale" ? null : neverOfSpread;
  if (never !== null) return { of, loss, never, method: null };
  // It is only asked of a pass that all else allows.
  let made: Method | null | undefined;
  const method = (): Method | null => (made ??= chosenRule(withOneMore(clustered, loss), seed)?.first ?? null);
  return {
    of,
    loss,
    never,
    method: {
      against: (supposed) => method()?.against(supposed) ?? { pGreater: null, pLess: null },
      lower: (confidence, near) => method()?.lower(confidence, near) ?? null,
      upper: (confidence, near) => method()?.upper(confidence, near) ?? null,
    },
  };
}

/** One more cluster of mean size, every case of which loses so much. */
function withOneMore({ n, sums, sizes, scale, most }: Clustered, loss: number): Clustered {
  const size = n / sums.length;
  const [allSums, allSizes] = [new Float64Array(sums.length + 1), new Float64Array(sums.length + 1)];
  allSums.set(sums);
  allSizes.set(sizes);
  allSums[sums.length] = (-loss / scale) * size;
  allSizes[sums.length] = size;
  const mean = finite((sum(allSums) / (n + size)) * scale);
  const more = { n: n + size, sums: allSums, sizes: allSizes, mean, most: Math.max(most, loss) };
  return { ...more, deviation: null, scale, reason: null };
}

function chosenRule(clustered: Clustered, seed: string): Rule | null {
  return meanInference(clustered, clusterEstimate(clustered), { range: null, seed }).rule;
}

function chosenInference(data: PairedData, seed: string): Inference {
  if (data.counts !== null) return ofCounts(data.counts);
  const clustered = clusterTotals(data.differences, data.clusters);
  const estimate = clusterEstimate(clustered);
  if (estimate.clusters < enoughToFlip) return ofTooFew(clustered, estimate);
  if (data.statistic === "median") return ofMedian(clustered, estimate);
  return meanInference(clustered, estimate, { range: data.range, seed });
}

function meanInference(
  clustered: Clustered,
  estimate: ClusterEstimate,
  { range, seed }: { range: number | null; seed: string },
): Inference {
  const { clusters, effectiveClusters, df } = estimate;
  const isSpread = clusters >= enoughForT && effectiveClusters >= enoughForT && df >= enoughFreedom;
  return isSpread ? ofT(clustered, estimate, range) : ofFlips({ clustered, estimate, range }, seed);
}

function ofCounts(counts: PairedCounts): Inference {
  const n = counts.bothPass + counts.onlyA + counts.onlyB + counts.bothFail;
  const is = n > 0;
  return {
    n,
    clusters: n,
    effectiveClusters: n,
    estimate: rateDifference(counts),
    se: null,
    df: Math.max(0, n - 1),
    skewness: null,
    test: is ? "mcnemar-mid-p" : "none",
    intervalBy: is ? "tango" : "none",
    p: is ? mcNemar(counts).midP : null,
    interval: (level) => tangoInterval(counts, level),
    rule: is ? scoreRule(counts) : null,
    why: "pass or fail, one run each side, every case on its own",
    reason: is ? null : "there is no case to compare",
    median: null,
    clustered: null,
  };
}

function about(clustered: Clustered, { mean, clusters, effectiveClusters, df, reason }: ClusterEstimate): Inference {
  return {
    n: clustered.n,
    clusters,
    effectiveClusters,
    estimate: mean,
    se: null,
    df,
    skewness: null,
    test: "none",
    intervalBy: "none",
    p: null,
    interval: () => null,
    rule: null,
    why: "",
    reason,
    median: null,
    clustered,
  };
}

function ofTooFew(clustered: Clustered, estimate: ClusterEstimate): Inference {
  return {
    ...about(clustered, estimate),
    why: `fewer than ${enoughToFlip} clusters allow no test`,
    reason: clustered.reason ?? `too few clusters: ${estimate.clusters}, and at least ${enoughToFlip} are needed`,
  };
}

function ofT(clustered: Clustered, estimate: ClusterEstimate, range: number | null): Inference {
  return {
    ...about(clustered, estimate),
    se: estimate.se,
    skewness: estimate.skewness,
    test: "cluster-t",
    intervalBy: "cluster-t",
    p: tTest(estimate, 0).twoSided,
    interval: (level) => possible(tInterval(estimate, level), range),
    rule: tRule(estimate, range),
    why: `scores, several runs, or clusters of several cases; ${estimate.clusters} clusters are enough for Student's t`,
    ...still(estimate, range),
  };
}

function ofFlips(
  { clustered, estimate, range }: { clustered: Clustered; estimate: ClusterEstimate; range: number | null },
  seed: string,
): Inference {
  const flips = signFlip(clustered, seed);
  if (flips === null) return { ...about(clustered, estimate), why: "nothing can be flipped" };
  const isShown = flips.interval(0.95) !== null;
  const { clusters, effectiveClusters } = estimate;
  const few =
    clusters < enoughForT
      ? `${clusters} clusters are too few for Student's t`
      : `${clusters} clusters of very unequal sizes tell as much as ${effectiveClusters.toFixed(1)} of one size, too few for Student's t`;
  return {
    ...about(clustered, estimate),
    skewness: estimate.skewness,
    test: "sign-flip",
    intervalBy: isShown ? "sign-flip" : "none",
    p: flips.test(0).twoSided,
    interval: (level) => flips.interval(level),
    rule: flipRule(flips, estimate, { range, isFew: clusters < enoughForT }),
    why: `scores, several runs, or clusters of several cases; ${few}, so their signs are flipped`,
    reason: isShown ? estimate.reason : `${clusters} clusters are too few for an interval of 95 %`,
    ...still(estimate, range),
  };
}

function ofMedian(clustered: Clustered, estimate: ClusterEstimate): Inference {
  const { sums, sizes, scale } = clustered;
  const each = medianEstimate(sums.map((total, place) => (total / (sizes[place] ?? 1)) * scale));
  const isShown = medianInterval(each, 0.95) !== null;
  return {
    ...about(clustered, estimate),
    estimate: each.median,
    test: "sign-test",
    intervalBy: isShown ? "order-statistics" : "none",
    p: medianP(each),
    interval: (level) => medianInterval(each, level),
    rule: { first: medianMethod(each), stricter: null },
    why: "the median of the differences: half of the cases lie on each side of it, however far",
    reason: isShown ? null : `${estimate.clusters} clusters are too few for an interval of 95 %`,
    median: each.sorted,
  };
}

/** When all clusters differ by the same amount, a scale with ends says how far others could. */
function still({ mean, se, effectiveClusters }: ClusterEstimate, range: number | null): Partial<Inference> {
  if (mean === null || se !== 0 || range === null) return {};
  const rule = stillRule({ mean, effectiveClusters }, range);
  return {
    interval: (level) => {
      const [low, high] = [rule.first.lower((1 + level) / 2, 0), rule.first.upper((1 + level) / 2, 0)];
      return low === null || high === null ? null : { low, high };
    },
    rule,
    intervalBy: "no-variation",
    reason: "no variation: every cluster differs by the same amount",
  };
}

/** Scores of a known scale differ by its width at most: what of an interval lies beyond is not possible. */
function possible(interval: Interval | null, range: number | null): Interval | null {
  if (interval === null || range === null) return interval;
  return { low: Math.max(-range, interval.low), high: Math.min(range, interval.high) };
}

/** The median of differences with the sign test and the interval that it gives; values sorted ascending. */
interface MedianEstimate {
  n: number;
  median: number | null;
  sorted: Float64Array;
}

function medianEstimate(values: Float64Array): MedianEstimate {
  const sorted = values.toSorted();
  return { n: values.length, median: quantile(sorted, 0.5), sorted };
}

/**
 * Sign test of H0: the median is on one side of a supposed value; the chance that so few of n values lie beyond it
 * (W. Dixon and A. Mood 1946). A value equal to it counts against the claim, so that the bounds are order statistics
 * (W. R. Thompson 1936) and hold for any distribution, however skewed.
 */
function medianMethod({ n, sorted }: MedianEstimate): Method {
  const atMost = (x: number): number => firstPlace(n, (place) => (sorted[place] ?? 0) > x);
  const below = (x: number): number => firstPlace(n, (place) => (sorted[place] ?? 0) >= x);
  const tail = (count: number): number => chance(binomialCdf(count, n, 0.5));
  /** Values that may lie beyond a bound: the most whose chance is small enough; -1 where not even none is. */
  const rare = (confidence: number): number =>
    firstPlace(n, (count) => binomialCdf(count, n, 0.5) > 1 - confidence) - 1;
  return {
    against: (supposed) => ({ pGreater: tail(atMost(supposed)), pLess: tail(n - below(supposed)) }),
    lower: (confidence) => {
      const count = rare(confidence);
      return count < 0 ? null : (sorted[count] ?? null);
    },
    upper: (confidence) => {
      const count = rare(confidence);
      return count < 0 ? null : (sorted[n - 1 - count] ?? null);
    },
  };
}

/** Two-sided p value for H0: the median is 0, by the exact sign test, which is McNemar's. Values of 0 say nothing of the direction. */
function medianP({ n, sorted }: MedianEstimate): number | null {
  if (n === 0) return null;
  const [losses, wins] = [sorted.filter((value) => value < 0).length, sorted.filter((value) => value > 0).length];
  return mcNemar({ onlyA: wins, onlyB: losses }).exact;
}

function medianInterval(estimate: MedianEstimate, level: number): Interval | null {
  const { lower, upper } = medianMethod(estimate);
  const [low, high] = [lower((1 + level) / 2, 0), upper((1 + level) / 2, 0)];
  return low === null || high === null ? null : { low, high };
}

/** The first place from 0 for which it holds, and so for all after it; n where there is none. */
function firstPlace(n: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, n];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

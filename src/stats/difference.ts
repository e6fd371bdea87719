import { binomialCdf } from "./distributions/binomial.ts";
import { normalQuantile, normalSurvival } from "./distributions/normal.ts";
import { tQuantile, tSurvival } from "./distributions/student-t.ts";
import { type Clustered, clusterTotals, type NothingInferred } from "./clusters.ts";
import type { Bounds, Interval } from "./interval.ts";
import { type ClusterEstimate, clusterEstimate } from "./paired/cluster-t.ts";
import { countedCases, exactScore, type Method, rateDifference } from "./paired/exact-score.ts";
import { chance, mcNemar, type PairedCounts } from "./paired/mcnemar.ts";
import { quantile } from "./quantile.ts";
import { finite, scaleOf, sum } from "./sum.ts";

export type { Method } from "./paired/exact-score.ts";

/** Data of a comparison: one difference for each case, candidate less baseline, signed so that positive is better. */
export interface PairedData {
  /** The runs of a case are averaged before. */
  differences: Float64Array;
  /** Number of each case's cluster, from 0 without gaps; null when every case is its own. */
  clusters: Int32Array | null;
  /** Passes and fails, when each side ran once, the score is pass or fail, and every cluster is one case; else null. */
  counts: PairedCounts | null;
  /** Width of the score's scale, 1 for a pass rate: the most that a case can differ. Null for a score without ends. */
  range: number | null;
  /** Largest value of both sides less the smallest, of a score without ends. */
  spread?: number;
  /** The differences are means of passes and fails, of several runs or of clusters. */
  isRate?: true;
  /** Middle of the differences that is compared; the mean when left out. For a median each cluster brings the mean of its cases. */
  statistic?: "mean" | "median";
}

/** `alike`: all clusters differ by the same amount on a scale with ends. */
export type TestName = "exact-score" | "cluster-t" | "corrected-t" | "alike" | "sign-test" | "betting" | "none";

/** Names what made a claim weaker: the correction for skewness, or a test that is asked of a pass alone. */
export type HeldBy = "skewness" | PassTest["by"];

/** A test that a pass has to hold by too, whatever the differences are. */
interface PassTest {
  /** It holds with one more case that loses much; so many units do not hide the loss; it would be one with fewer losses too. */
  by: "one-more" | "unseen" | "fewer-losses";
  /** P of H0: the difference is at most the supposed one. */
  p: (supposed: number) => number;
  /** Null: there is no bound, and so no pass. */
  lower: (confidence: number) => number | null;
}

/** The one more case that a pass has to hold with: what it loses, and why no pass is possible whatever was seen. */
interface OneMore {
  /** The largest value of both sides less the smallest (`spread`), or all of the scale. */
  of: "spread" | "scale";
  loss: number;
  /** So few cases, or values that are all alike; null: there may be a pass. */
  never: "few" | "still" | null;
}

/** The difference of two sides: how large, how sure, by which test. */
export interface PairedDifference {
  /** Cases, their clusters, and the number of clusters of one size that would tell as much. */
  n: number;
  clusters: number;
  effectiveClusters: number;
  /** Mean difference, or the median where that is compared. */
  estimate: number | null;
  /** Standard error of the estimate, where Student's t is used; else null. */
  se: number | null;
  df: number;
  /** Skewness of the differences of clusters; null without variation, and where passes and fails are counted. */
  skewness: number | null;
  test: TestName;
  /** Two-sided, of no difference. */
  p: number | null;
  interval: (level: number) => Interval | null;
  /** Null: nothing can be claimed, for the reason. */
  method: Method | null;
  /** The same before the correction for skewness. */
  uncorrected?: Method;
  ofPass: readonly PassTest[];
  oneMore: OneMore | null;
  /** Missing data or a special case; null when there is none. */
  reason: NothingInferred | null;
  counts: PairedCounts | null;
  /** Sums of the clusters; null for counts of passes and fails. */
  clustered: Clustered | null;
  /** Values of which the median is taken, ascending, one for each cluster; null where a mean is compared. */
  sorted: Float64Array | null;
}

/** Clusters below which nothing is claimed, and cases below which the mean of a score without ends claims no pass. */
export const fewestClusters = 5;
export const fewestWithoutEnds = 20;

export function differenceOf(data: PairedData): PairedDifference {
  if (data.counts !== null) return ofCounts(data.counts);
  const clustered = clusterTotals(data.differences, data.clusters);
  const estimate = clusterEstimate(clustered);
  const { clusters, effectiveClusters, df, mean } = estimate;
  const about = { n: clustered.n, clusters, effectiveClusters, estimate: mean, df, clustered };
  if (clusters < fewestClusters || mean === null) {
    const few = { kind: "few-clusters", clusters, fewest: fewestClusters } as const;
    return { ...nothing, ...about, reason: clustered.reason ?? few };
  }
  if (data.statistic === "median") return { ...nothing, ...about, ...ofMedian(clustered) };
  const method = meanMethod(estimate, data.range);
  const isAlike = estimate.se === 0 && data.range !== null;
  const oneMore = oneMoreOf(data, clustered.n, isAlike);
  const skewness = isAlike ? 0 : tailOf(estimate, data.range);
  return {
    ...nothing,
    ...about,
    se: estimate.se,
    skewness: estimate.skewness,
    test: isAlike ? "alike" : "cluster-t",
    ...judgedBy(method),
    ...(skewness !== 0 && { uncorrected: meanMethod(estimate, data.range, 0) ?? method }),
    ofPass: [...passTests(data, estimate, clustered), ...(oneMore === null ? [] : [oneMoreTest(clustered, oneMore)])],
    oneMore,
    reason: isAlike ? { kind: "no-variation" } : estimate.reason,
  };
}

const nothing = {
  se: null,
  skewness: null,
  test: "none" as const,
  p: null,
  interval: () => null,
  method: null,
  ofPass: [],
  oneMore: null,
  counts: null,
  sorted: null,
};

/** The two-sided p and interval of a method. */
export function judgedBy(method: Method): Pick<PairedDifference, "method" | "p" | "interval"> {
  const { greater, less } = method.p(0);
  return { method, p: Math.min(1, 2 * Math.min(greater, less)), interval: (level) => intervalBy(method, level) };
}

function intervalBy(method: Method, level: number): Interval | null {
  const [low, high] = [method.lower((1 + level) / 2), method.upper((1 + level) / 2)];
  // Bets that contradict each other, as happens once in a while, leave no interval.
  return low === null || high === null || low > high ? null : { low, high };
}

function ofCounts(counts: PairedCounts): PairedDifference {
  const n = countedCases(counts);
  const about = { n, clusters: n, effectiveClusters: n, estimate: rateDifference(counts), df: Math.max(0, n - 1) };
  if (n === 0) return { ...nothing, ...about, counts, clustered: null, reason: { kind: "no-row" } };
  const method = exactScore(counts);
  const judged = { method, p: mcNemar(counts).midP, interval: (level: number) => intervalBy(method, level) };
  return { ...nothing, ...about, ...judged, test: "exact-score", counts, clustered: null, reason: null };
}

/** Student's t over clusters (CR2), and t corrected for skewness (P. Hall 1992): of each claim the one that says less. */
function meanMethod(estimate: ClusterEstimate, range: number | null, g = tailOf(estimate, range)): Method {
  const mean = estimate.mean ?? 0;
  const { se, clusters } = estimate;
  // Clusters of one size have C - 1 either way; where one holds most of the cases, the others tell as much as so few.
  const df = Math.max(1, Math.min(estimate.df, estimate.effectiveClusters - 1));
  if (se === null || se === 0) return range === null ? certain(mean) : alike(mean, estimate.effectiveClusters, range);
  const root = Math.sqrt(clusters);
  const shift = g / (6 * clusters);
  // Without skewness the cube divides nothing by nothing.
  const isEven = Math.abs(g) < 1e-6;
  const hall = (t: number): number =>
    finite(root * ((isEven ? t / root : ((1 + (g * t) / root / 3) ** 3 - 1) / g) + shift));
  // Hall's statistic turned round: the t at which it is as large as this quantile.
  const back = (y: number): number =>
    root * (isEven ? y / root - shift : (3 / g) * (Math.cbrt(1 + g * (y / root - shift)) - 1));
  const within = (bound: number): number =>
    range === null ? finite(bound) : Math.min(range, Math.max(-range, finite(bound)));
  return {
    p: (supposed) => {
      const t = finite((mean - supposed) / se);
      return {
        greater: chance(Math.max(tSurvival(t, df), tSurvival(hall(t), df))),
        less: chance(Math.max(tSurvival(-t, df), tSurvival(-hall(t), df))),
      };
    },
    lower(confidence) {
      const q = tQuantile(confidence, df);
      return within(mean - Math.max(q, back(q)) * se);
    },
    upper(confidence) {
      const q = tQuantile(confidence, df);
      return within(mean - Math.min(-q, back(-q)) * se);
    },
  };
}

/** Where a few clusters carry most of a difference, Student's t is too sure on the side of the few. */
export function isSkewed(skewness: number | null): skewness is number {
  return skewness !== null && Math.abs(skewness) > 1;
}

/**
 * Skewness as it is corrected for. Few values of a tail without an end rarely hold it, so that what is seen falls short of the true
 * one: both factors were measured, see the log-normal differences in docs/reference/statistics.md.
 */
function tailOf({ skewness, clusters }: ClusterEstimate, range: number | null): number {
  const seen = skewness ?? 0;
  if (range !== null) return isSkewed(skewness) ? seen : 0;
  if (clusters >= fewestWithoutEnds && Math.abs(seen) <= 0.5) return 0;
  const times = clusters < fewestWithoutEnds ? 2 : 1.75;
  return (times * seen * Math.sqrt(clusters * (clusters - 1))) / (clusters - 2);
}

/** All clusters differ by the same amount, and the scale does not say how far others could. */
const certain = (mean: number): Method => ({
  p: (supposed) => ({ greater: mean > supposed ? Number.MIN_VALUE : 1, less: mean < supposed ? Number.MIN_VALUE : 1 }),
  lower: () => mean,
  upper: () => mean,
});

/**
 * All of so many clusters differ by the same amount on a scale with ends: others are taken to differ by as much as it allows, in a
 * share that Wilson's bound for none of them allows, and the chance that none shows (rule of three).
 */
export function alike(mean: number, size: number, range: number): Method {
  const [down, up] = [Math.max(0, finite(range + mean)), Math.max(0, finite(range - mean))];
  const p = (distance: number, room: number): number => {
    const share = distance <= 0 ? 0 : room <= distance ? 1 : distance / room;
    if (share === 0) return 1;
    const byWilson = share === 1 ? 0 : normalSurvival(Math.sqrt((size * share) / (1 - share)));
    return chance(Math.max(byWilson, (1 - share) ** size));
  };
  const missing = (confidence: number): number => {
    const z = Math.max(0, normalQuantile(confidence));
    return Math.max((z * z) / (size + z * z), -Math.expm1(Math.log1p(-confidence) / size));
  };
  return {
    p: (supposed) => ({ greater: p(mean - supposed, down), less: p(supposed - mean, up) }),
    lower: (confidence) => finite(mean - missing(confidence) * down),
    upper: (confidence) => finite(mean + missing(confidence) * up),
  };
}

/**
 * Tests that a pass on a scale with two ends has to hold by, whatever was seen: so many units do not hide the loss, and of means of
 * passes and fails it would be one with fewer losses too.
 */
function passTests({ range, isRate }: PairedData, estimate: ClusterEstimate, clustered: Clustered): PassTest[] {
  if (range === null) return [];
  const unseen = unseenTest(clustered, estimate.effectiveClusters, range);
  return isRate === true ? [unseen, fewerLosses(clustered, range)] : [unseen];
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
  let made: Method[] | undefined;
  const all = (): Method[] =>
    (made ??= [
      ...kept.map((count) => losing.slice(0, count)),
      ...kept.map((count) => losing.slice(losing.length - count)),
    ].flatMap((left) => {
      const units = new Set(left);
      const own = sums.map((total, unit) => (total < 0 && !units.has(unit) ? 0 : total));
      const mean = finite((sum(own) / clustered.n) * clustered.scale);
      const estimate = clusterEstimate({ ...clustered, sums: own, sizes, mean, deviation: null });
      return estimate.se === null || estimate.se === 0 ? [] : [meanMethod(estimate, range)];
    }));
  return {
    by: "fewer-losses",
    p: (supposed) => all().reduce((most, { p }) => Math.max(most, p(supposed).greater), 0),
    lower: (confidence) =>
      all().reduce((least, { lower }) => Math.min(least, lower(confidence) ?? Infinity), Number.MAX_VALUE),
  };
}

/**
 * The loss of the one more case that a pass of a graded score has to hold with: all of its scale, or the spread of its values where it has
 * no ends. Null: passes and fails are counted by their units, and cases that are all alike by what they could lose.
 */
function oneMoreOf({ range, spread, isRate }: PairedData, n: number, isAlike: boolean): OneMore | null {
  if (range !== null) return isRate === true || isAlike ? null : { of: "scale", loss: range, never: null };
  if (spread === undefined) return null;
  return { of: "spread", loss: finite(spread), never: spread <= 0 ? "still" : n < fewestWithoutEnds ? "few" : null };
}

function oneMoreTest(clustered: Clustered, { loss, never }: OneMore): PassTest {
  if (never !== null) return { by: "one-more", p: () => 1, lower: () => null };
  // It is only asked of a pass that all else allows.
  let made: Method | undefined;
  const method = (): Method => (made ??= meanMethod(clusterEstimate(withOneMore(clustered, loss)), null, 0));
  return { by: "one-more", p: (supposed) => method().p(supposed).greater, lower: (level) => method().lower(level) };
}

/** One more cluster of mean size, every case of which loses so much. */
function withOneMore({ n, sums, sizes, ...about }: Clustered, loss: number): Clustered {
  const size = n / sums.length;
  const most = Math.max(about.most, loss);
  // Differences that nearly vanish beside the loss would make it overflow on their own scale.
  const scale = scaleOf(most);
  const [allSums, allSizes] = [new Float64Array(sums.length + 1), new Float64Array(sums.length + 1)];
  allSums.set(sums.map((total) => total * (about.scale / scale)));
  allSizes.set(sizes);
  allSums[sums.length] = (-loss / scale) * size;
  allSizes[sums.length] = size;
  const mean = finite((sum(allSums) / (n + size)) * scale);
  return { n: n + size, sums: allSums, sizes: allSizes, mean, most, deviation: null, scale, reason: null };
}

/**
 * The median by the sign test (W. Dixon and A. Mood 1946). A value equal to the supposed one counts against the claim, so that the
 * bounds are order statistics (W. R. Thompson 1936) and hold for any distribution, however skewed.
 */
function ofMedian({ sums, sizes, scale }: Clustered): Partial<PairedDifference> & Pick<PairedDifference, "reason"> {
  const sorted = sums.map((total, place) => (total / (sizes[place] ?? 1)) * scale).toSorted();
  const n = sorted.length;
  const count = (is: (value: number) => boolean): number => sorted.filter(is).length;
  const tail = (k: number): number => chance(binomialCdf(k, n, 0.5));
  /** Values that may lie beyond a bound: the most whose chance is small enough; -1 where not even none is. */
  const rare = (confidence: number): number => {
    let [most, tooMany] = [-1, n];
    while (tooMany - most > 1) {
      const middle = Math.floor((most + tooMany) / 2);
      if (binomialCdf(middle, n, 0.5) <= 1 - confidence) most = middle;
      else tooMany = middle;
    }
    return most;
  };
  const method: Method = {
    p: (supposed) => ({
      greater: tail(count((value) => value <= supposed)),
      less: tail(count((value) => value >= supposed)),
    }),
    lower: (confidence) => sorted[rare(confidence)] ?? null,
    upper: (confidence) => sorted[n - 1 - rare(confidence)] ?? null,
  };
  const judged = judgedBy(method);
  // Values of 0 say nothing of the direction.
  const p = mcNemar({ onlyA: count((value) => value > 0), onlyB: count((value) => value < 0) }).exact;
  const reason = judged.interval(0.95) === null ? ({ kind: "few-for-interval", clusters: n } as const) : null;
  return { ...judged, p, estimate: quantile(sorted, 0.5), test: "sign-test", sorted, reason };
}

/** Rounding decides nothing: p is at most alpha, with a relative tolerance. */
export function isRejected(p: number | null, alpha: number): boolean {
  return p !== null && p <= alpha * (1 + 1e-9);
}

export interface ClaimLevels {
  margin: number;
  alpha: number;
  passAlpha: number;
}

/** P of the two claims of a gate with a margin: it got worse by more, and it did not. */
export interface Claims {
  pRegression: number | null;
  pPass: number | null;
  /** Names what made one of them too weak, where the plain test would claim it; null: nothing did. */
  heldBy: HeldBy | null;
}

export function claimsOf({ method, uncorrected, ofPass }: Judging, { margin, alpha, passAlpha }: ClaimLevels): Claims {
  if (method === null) return { pRegression: null, pPass: null, heldBy: null };
  const { less, greater } = method.p(-margin);
  let [pPass, heldBy]: [number, HeldBy | null] = [greater, null];
  if (uncorrected !== undefined) {
    const plain = uncorrected.p(-margin);
    const isHeld = (one: number, all: number, level: number): boolean => all > one && isRejected(one, level);
    if (isHeld(plain.less, less, alpha) || isHeld(plain.greater, greater, passAlpha)) heldBy = "skewness";
  }
  // They take time, and are asked of a pass alone.
  for (const { by, p } of ofPass) {
    if (!isRejected(pPass, passAlpha)) break;
    const again = p(-margin);
    if (again > pPass) [pPass, heldBy] = [again, by];
  }
  return { pRegression: less, pPass, heldBy };
}

type Judging = Pick<PairedDifference, "method" | "ofPass" | "uncorrected">;

interface BoundLevels {
  margin: number;
  /** Confidence of each bound. */
  lower: number;
  upper: number;
}

/** The bounds that the two claims are made by. */
export function boundsOf({ method, ofPass }: Judging, { margin, ...confidence }: BoundLevels): Bounds {
  if (method === null) return { lower: null, upper: null };
  const all = [method, ...ofPass].flatMap((each) => each.lower(confidence.lower, -margin) ?? []);
  // One that gives none allows no pass.
  const lower = all.length <= ofPass.length ? null : Math.min(...all);
  return { lower, upper: method.upper(confidence.upper, -margin) };
}

export interface PairedOptions {
  /** The drop that is still accepted, not negative. */
  margin: number;
  /** Confidence of the claim that more is lost than the margin, one-sided; 0.95 when left out. */
  confidence?: number;
  /** Confidence of the claim that it is not, if it is another one; as `confidence` when left out. */
  passConfidence?: number;
}

/** The figures of a difference. Nothing here is NaN or infinite. */
export interface PairedComparison
  extends
    Claims,
    Pick<PairedDifference, "n" | "clusters" | "estimate" | "p" | "se" | "df" | "skewness" | "test" | "reason"> {
  /** Two-sided, of 95 %. */
  interval: Interval | null;
}

export function pairedFigures(difference: PairedDifference, options: PairedOptions): PairedComparison {
  const { margin, confidence = 0.95, passConfidence = confidence } = options;
  const { n, clusters, estimate, p, se, df, skewness, test, reason } = difference;
  const claims = claimsOf(difference, { margin, alpha: 1 - confidence, passAlpha: 1 - passConfidence });
  return { n, clusters, estimate, p, interval: difference.interval(0.95), se, df, skewness, ...claims, test, reason };
}

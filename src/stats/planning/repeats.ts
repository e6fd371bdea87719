import type { Clustered } from "../clusters.ts";
import { sumOf } from "../sum.ts";

/** What the runs of one case share and what they do not. A null has too few cases or runs behind it. */
interface RepeatVariance {
  cases: number;
  /** Mean of the means of the cases. */
  mean: number | null;
  /** Of that mean, over cases. */
  se: number | null;
  /** Mean squares of a one-way analysis of variance. */
  msBetween: number | null;
  msWithin: number | null;
  /** Variance of the runs of one case: the noise. */
  withinVariance: number | null;
  /** Variance of the cases' true means; 0 where it was estimated below 0. */
  betweenVariance: number | null;
  /** P. Shrout and J. Fleiss (1979), ICC(1,1), of one run: below 0 where runs differ more than cases. */
  icc1: number | null;
  /** Of the mean of the runs of a case. */
  icc1k: number | null;
  /** Share of the noise in the variance of one run. */
  noiseShare: number | null;
  /** Of the cases with two runs or more: the share whose runs do not agree. */
  flakyShare: number | null;
}

export interface RepeatTally {
  /** The scores of the runs of one case, finite numbers. */
  add: (runs: ArrayLike<number>) => void;
  result: () => RepeatVariance;
}

/**
 * Variance components of repeated runs, case by case in flat memory. Cases may have different numbers of runs; means
 * are kept by B. Welford's updates (1962), which do not lose digits to a large mean.
 */
export function repeatTally(): RepeatTally {
  let [cases, runs, runsSquared] = [0, 0, 0];
  let [repeated, flaky] = [0, 0];
  let within = 0;
  // Weighted by runs for the analysis of variance, and by case for the mean that is reported.
  let [grand, between] = [0, 0];
  let [mean, spread] = [0, 0];

  return {
    add(values) {
      const k = values.length;
      if (k === 0) return;
      const own = ownMoments(values);
      cases += 1;
      runs += k;
      runsSquared += k * k;
      within += own.squares;
      if (k > 1) repeated += 1;
      if (own.squares > 0) flaky += 1;
      const fromGrand = own.mean - grand;
      grand += (fromGrand * k) / runs;
      between += k * fromGrand * (own.mean - grand);
      const fromMean = own.mean - mean;
      mean += fromMean / cases;
      spread += fromMean * (own.mean - mean);
    },
    result() {
      const msBetween = cases < 2 ? null : known(between / (cases - 1));
      const msWithin = runs === cases ? null : known(within / (runs - cases));
      // Runs per case; of unequal numbers the one that makes the estimate unbiased.
      const k = cases < 2 ? runs : (runs - runsSquared / runs) / (cases - 1);
      return {
        cases,
        mean: cases === 0 ? null : known(mean),
        se: cases < 2 ? null : known(Math.sqrt(spread / (cases - 1) / cases)),
        msBetween,
        msWithin,
        ...components(msBetween, msWithin, k),
        flakyShare: repeated === 0 ? null : flaky / repeated,
      };
    },
  };
}

type Components = Pick<RepeatVariance, "withinVariance" | "betweenVariance" | "icc1" | "icc1k" | "noiseShare">;

function components(msBetween: number | null, msWithin: number | null, k: number): Components {
  if (msBetween === null || msWithin === null) {
    return { withinVariance: msWithin, betweenVariance: null, icc1: null, icc1k: null, noiseShare: null };
  }
  const betweenVariance = Math.max(0, (msBetween - msWithin) / k);
  return {
    withinVariance: msWithin,
    betweenVariance,
    icc1: ratio(msBetween - msWithin, msBetween + (k - 1) * msWithin),
    icc1k: ratio(msBetween - msWithin, msBetween),
    noiseShare: ratio(msWithin, msWithin + betweenVariance),
  };
}

/** Squares of numbers beyond 1e154 are too large to be told. */
function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function ratio(top: number, bottom: number): number | null {
  return bottom > 0 ? top / bottom : null;
}

function ownMoments(values: ArrayLike<number>): { mean: number; squares: number } {
  let mean = 0;
  let squares = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0;
    const from = value - mean;
    mean += from / (index + 1);
    squares += from * (value - mean);
  }
  return { mean, squares };
}

/**
 * How alike the cases of one cluster are: ICC(1) of cases within clusters, as `repeatTally` has it of runs within cases, from
 * what is added up by cluster. Null for fewer than two clusters, clusters of one case each, and without variation.
 */
export function clusterIcc({ n, sums, sizes, mean, deviation, scale }: Clustered): number | null {
  const clusters = sums.length;
  if (mean === null || deviation === null || clusters < 2 || clusters === n) return null;
  const centre = mean / scale;
  const between = sumOf(clusters, (place) => {
    const size = sizes[place] ?? 1;
    return size * ((sums[place] ?? 0) / size - centre) ** 2;
  });
  const all = (deviation / scale) ** 2 * (n - 1);
  const [msBetween, msWithin] = [between / (clusters - 1), Math.max(0, all - between) / (n - clusters)];
  const k = (n - sumOf(clusters, (place) => (sizes[place] ?? 0) ** 2) / n) / (clusters - 1);
  return ratio(msBetween - msWithin, msBetween + (k - 1) * msWithin);
}

/**
 * The runs per case and side that shrink a bound as `times` as many cases would: from the variance of differences
 * between cases and that of their runs (both sides together, of one run each). Null when no number of runs does.
 */
export function repeatsInstead(
  { between, within }: { between: number; within: number },
  { repeats, times }: { repeats: number; times: number },
): number | null {
  const left = (between + within / repeats) / times - between;
  return left > 0 && within > 0 ? Math.max(repeats, Math.ceil((within / left) * (1 - 1e-12))) : null;
}

/**
 * The chance that at least one of k runs passes, from n runs with c passes: M. Chen et al. (2021),
 * 1 - C(n-c, k) / C(n, k). Null for more runs than there are.
 */
export function passAtK(n: number, c: number, k: number): number | null {
  const none = allOfK(n, n - c, k);
  return none === null ? null : 1 - none;
}

/** The chance that all of k runs pass: S. Yao et al. (2024), C(c, k) / C(n, k). Null for more runs than there are. */
export function passHatK(n: number, c: number, k: number): number | null {
  return allOfK(n, c, k);
}

/** C(c, k) / C(n, k) as a product of small fractions. */
function allOfK(n: number, c: number, k: number): number | null {
  if (!(n >= 1 && k >= 1 && k <= n && c >= 0 && c <= n)) return null;
  if (c < k) return 0;
  let chance = 1;
  for (let drawn = 0; drawn < k; drawn++) chance *= (c - drawn) / (n - drawn);
  return chance;
}

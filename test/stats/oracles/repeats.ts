import { ratio } from "../../../src/stats/planning/repeats.ts";

/** Variance that the runs of one case share, and that they do not. A null has too few cases or runs behind it. */
interface RepeatVariance {
  cases: number;
  /** Mean of the means of the cases. */
  mean: number | null;
  /** Standard error of that mean, over cases. */
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
  /** Intraclass correlation of the mean of the runs of a case. */
  icc1k: number | null;
  /** Share of the noise in the variance of one run. */
  noiseShare: number | null;
  /** Share of the cases whose runs do not agree, among those with two runs or more. */
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

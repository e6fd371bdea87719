import type { Comparison } from "../compare/comparison.ts";
import type { MetricSummary } from "../compare/metric-summary.ts";
import { casesFor, designEffect, detectableWith, type DifferenceVariance } from "../stats/power.ts";
import { listBatches } from "../store/batches.ts";
import { storedComparisons } from "../store/comparisons.ts";
import { type Connection, openDatabase } from "../store/database.ts";
import type { Suite } from "../suite/suite.ts";
import { existsSync } from "node:fs";

/** What an experiment of this size can show, and what more would cost. */
export interface PowerPlan {
  metric: string;
  /** Drops are in this: points of a pass rate, or the unit of the value. */
  of: string;
  /** Where the variance comes from: the batch that was compared, or null where it is assumed. */
  from: string | null;
  /** Variance of the difference of a case between cases, and of one run within a case on both sides. */
  between: number;
  within: number;
  /** How many times clusters multiply the variance. */
  designEffect: number;
  rows: PowerRow[];
  /** Cases that it takes to find the drop that was asked for, with the repeats of the suite; null: none was. */
  wanted: { drop: number; cases: number } | null;
}

/** One size. */
interface PowerRow {
  cases: number;
  /** Runs of each case on the baseline and on the candidate. */
  runs: { baseline: number; candidate: number };
  /** Smallest drop that is found: 80 % power, alpha 5 %. */
  detectable: number;
  jobs: number;
  /** null without prices. */
  cost: number | null;
}

export interface PowerRequest {
  suite: Suite;
  /** The database with earlier batches, whether it exists or not. */
  database: string;
  cases: number;
  clusters: number;
  drop: number | null;
}

/** Of a pass rate, where nothing is known: so many cases pass on one side only, and half of that is the noise of runs. */
const assumed = { metric: "a pass rate", of: "pass", discordant: 0.15, noise: 0.5, icc: 0.3 };

/** Plans by the variance that the suite's latest comparison had; without one by an assumed one. */
export function planPower({ suite, database, cases, clusters, drop }: PowerRequest): PowerPlan {
  const known = existsSync(database) ? storedVariance(database, suite.name) : null;
  const variance = known ?? assumedVariance(cases, clusters);
  const runs = { baseline: Math.max(suite.repeats, suite.compare?.noiseRepeats ?? 1), candidate: suite.repeats };
  const sizes = [
    { cases, times: 1 },
    { cases, times: 2 },
    { cases, times: 3 },
    { cases: cases * 2, times: 1 },
    { cases: cases * 4, times: 1 },
  ];
  const rows = sizes.map((size) => {
    const own = { baseline: runs.baseline * size.times, candidate: runs.candidate * size.times };
    return powerRow(suite, variance, { cases: size.cases, runs: own });
  });
  const needed = drop === null ? null : casesFor(drop, asVariance(variance, runs));
  const wanted = drop === null || needed === null ? null : { drop, cases: Math.ceil(needed * variance.designEffect) };
  return { ...variance, rows, wanted };
}

type Variance = Pick<PowerPlan, "metric" | "of" | "from" | "between" | "within" | "designEffect">;

function powerRow(suite: Suite, variance: Variance, size: Pick<PowerRow, "cases" | "runs">): PowerRow {
  const { cases, runs } = size;
  const detectable = detectableWith(cases, asVariance(variance, runs)) ?? 0;
  const jobs = suite.targets.map((target) => {
    const isBaseline = target.name === suite.compare?.baseline;
    const price = suite.deployments.find(({ name }) => name === target.deployment)?.price ?? null;
    return { count: cases * (isBaseline ? runs.baseline : runs.candidate), price };
  });
  const priced = jobs.some(({ price }) => price !== null);
  return {
    ...size,
    detectable: detectable * Math.sqrt(variance.designEffect),
    jobs: jobs.reduce((sum, { count }) => sum + count, 0),
    cost: priced ? jobs.reduce((sum, { count, price }) => sum + count * (price ?? 0), 0) : null,
  };
}

function asVariance({ between, within }: Variance, runs: PowerRow["runs"]): DifferenceVariance {
  return { omega2: between, sigma2A: within / 2, KA: runs.candidate, sigma2B: within / 2, KB: runs.baseline };
}

function assumedVariance(cases: number, clusters: number): Variance {
  const { metric, of, discordant, noise, icc } = assumed;
  const effect = designEffect(cases / Math.max(1, clusters), icc);
  return {
    metric,
    of,
    from: null,
    between: discordant * (1 - noise),
    within: discordant * noise,
    designEffect: Math.max(1, effect),
  };
}

/** Of the primary metric in the latest comparison of the suite that has one. */
function storedVariance(database: string, suite: string): Variance | null {
  const db = openDatabase(database, { mustExist: true });
  try {
    for (const batch of listBatches(db, suite).toReversed()) {
      const found = varianceIn(db, batch.id);
      if (found !== null) return { ...found, from: batch.name };
    }
    return null;
  } finally {
    db.close();
  }
}

function varianceIn(db: Connection, batchId: number): Omit<Variance, "from"> | null {
  const kept = storedComparisons(db, batchId).toReversed();
  // Its targets with each other first: a comparison with another batch was perhaps of other sides.
  for (const { summary } of kept.toSorted((a, b) => Number(b.against === "") - Number(a.against === ""))) {
    // We wrote it ourselves.
    const { candidates }: Comparison = JSON.parse(summary);
    const metric = candidates[0]?.metrics.find(({ primary }) => primary);
    const found = metric === undefined ? null : varianceOf(metric);
    if (metric !== undefined && found !== null) return { metric: metric.metric, of: metric.of, ...found };
  }
  return null;
}

/** The variance of a mean of n cases that the interval tells, clusters included. */
function varianceOf({
  comparison,
  noise,
}: MetricSummary): Pick<Variance, "between" | "within" | "designEffect"> | null {
  if (comparison === null || comparison.interval === null || comparison.n < 2) return null;
  const { interval, n } = comparison;
  const se = (interval.high - interval.low) / 2 / 1.96;
  const whole = se * se * n;
  if (noise === null || noise.variance === 0) return { between: whole, within: 0, designEffect: 1 };
  const ofRuns =
    (noise.within.candidate ?? noise.within.baseline ?? 0) + (noise.within.baseline ?? noise.within.candidate ?? 0);
  const between = Math.max(0, noise.variance * (1 - noise.share));
  return { between, within: ofRuns, designEffect: Math.max(1, whole / noise.variance) };
}

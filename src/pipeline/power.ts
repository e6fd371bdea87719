import type { Comparison } from "../compare/comparison.ts";
import type { MetricSummary } from "../compare/metric-summary.ts";
import { AppError } from "../errors.ts";
import { perNightAlpha } from "../stats/nights.ts";
import { twoSidedZ } from "../stats/normal.ts";
import { casesFor, designEffect, detectableWith, type DifferenceVariance } from "../stats/power.ts";
import { tQuantile } from "../stats/student-t.ts";
import { type Batch, listBatches } from "../store/batches.ts";
import { storedComparisons } from "../store/comparisons.ts";
import { type Connection, openDatabase } from "../store/database.ts";
import type { Suite } from "../suite/suite.ts";
import { existsSync } from "node:fs";

/** What an experiment of this size can show, and what more would cost. */
export interface PowerPlan {
  metric: string;
  /** Drops are in this: points of a pass rate, or the unit of the value. */
  of: string;
  /** Where the variance comes from: the batch and its sides that were compared, or null where it is assumed. */
  from: string | null;
  /** Variance of the difference of a case between cases, and of one run within a case on both sides. */
  between: number;
  within: number;
  /** How many times clusters multiply the variance. */
  designEffect: number;
  /** The gate of the metric: the loss that it accepts, and its alpha in one comparison. Null: it has none. */
  gate: { margin: number; alpha: number } | null;
  rows: PowerRow[];
  /** What it takes to find the drop that was asked for; null: none was. */
  wanted: WantedDrop | null;
}

/** A drop that is to be found. */
interface WantedDrop {
  drop: number;
  /** With the repeats of the suite, and what they send and cost. */
  cases: number;
  jobs: number;
  cost: number | null;
  /** Times the repeats that would do the same with the cases there are; null: none would, or 1 is enough. */
  times: number | null;
  /** Cases with which the gate calls it a regression; null without a gate, and for a loss that the gate accepts. */
  gateCases: number | null;
}

/** One size. */
interface PowerRow {
  cases: number;
  /** Runs of each case on the baseline and on the candidate. */
  runs: { baseline: number; candidate: number };
  /** Smallest drop that is found: 80 % power, alpha 5 %. */
  detectable: number;
  /** Smallest drop that the gate calls a regression, with 80 % power; null without a gate. */
  regression: number | null;
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
  /** Share of the cases that pass on one side only, to be assumed whatever is stored; null: what is stored, if anything. */
  discordant: number | null;
  /** What the questions to judges cost for the cases and repeats of the suite; null: nothing, or not known. */
  judgeCost: number | null;
}

/** Of a pass rate, where nothing is known: so many cases pass on one side only, and half of that is the noise of runs. */
const assumed = { metric: "a pass rate", of: "pass", discordant: 0.15, noise: 0.5, icc: 0.3 };
/** More repeats than these times are no advice. */
const mostTimes = 20;

/** Plans by the variance that the suite's latest comparison had; without one by an assumed one. Throws USAGE. */
export function planPower(request: PowerRequest): PowerPlan {
  const { suite, database, cases, clusters, drop, discordant } = request;
  const known = discordant === null && existsSync(database) ? storedVariance(database, suite.name) : null;
  const variance = known ?? assumedVariance(cases, clusters, discordant ?? assumed.discordant);
  checkShare("--drop", drop, variance.of === "pass" ? 1 : Number.POSITIVE_INFINITY);
  checkShare("--discordant", discordant, 1);
  const gate = gateOf(suite, variance, known === null);
  const runs = { baseline: Math.max(suite.repeats, suite.compare?.noiseRepeats ?? 1), candidate: suite.repeats };
  const sizes = [
    { cases, times: 1 },
    { cases, times: 2 },
    { cases, times: 3 },
    { cases: cases * 2, times: 1 },
    { cases: cases * 4, times: 1 },
  ];
  const rowOf = (size: number, times: number): PowerRow => {
    const own = { baseline: runs.baseline * times, candidate: runs.candidate * times };
    const row = powerRow(suite, variance, { cases: size, runs: own, gate });
    const { judgeCost } = request;
    // Every answer is judged.
    return judgeCost === null
      ? row
      : { ...row, cost: (row.cost ?? 0) + (judgeCost * size * times) / Math.max(1, cases) };
  };
  const rows = sizes.map((size) => rowOf(size.cases, size.times));
  const wanted = drop === null ? null : wantedDrop(drop, { variance, runs, gate, rowOf, cases });
  return { ...variance, gate, rows, wanted };
}

type Variance = Pick<PowerPlan, "metric" | "of" | "from" | "between" | "within" | "designEffect">;

interface WantedGiven extends Pick<PowerPlan, "gate"> {
  variance: Variance;
  runs: PowerRow["runs"];
  cases: number;
  rowOf: (cases: number, times: number) => PowerRow;
}

function wantedDrop(drop: number, { variance, runs, gate, rowOf, cases }: WantedGiven): WantedDrop | null {
  const size = variance.of === "ratio" ? Math.log1p(drop) : drop;
  const needed = casesFor(size, asVariance(variance, runs));
  if (needed === null) return null;
  const enough = Math.max(1, Math.ceil(needed * variance.designEffect));
  const { jobs, cost } = rowOf(enough, 1);
  const times = Array.from({ length: mostTimes }, (_, i) => i + 1).find(
    (each) => rowOf(cases, each).detectable <= size,
  );
  return {
    drop,
    cases: enough,
    jobs,
    cost,
    times: times === undefined || times === 1 ? null : times,
    gateCases: gateCases(drop, { variance, runs, gate }),
  };
}

function gateCases(drop: number, { variance, runs, gate }: Pick<WantedGiven, "variance" | "runs" | "gate">) {
  if (gate === null || drop <= gate.margin) return null;
  const [size, margin] = variance.of === "ratio" ? [Math.log1p(drop), Math.log1p(gate.margin)] : [drop, gate.margin];
  const cases = casesFor(size - margin, asVariance(variance, runs), { alpha: gate.alpha, sides: 1 });
  return cases === null ? null : Math.ceil(cases * variance.designEffect);
}

function checkShare(flag: string, value: number | null, most: number): void {
  if (value === null || (value > 0 && value <= most)) return;
  const hint = value > 1 && value <= 100 ? `${value} points are ${flag} ${value / 100}.` : undefined;
  const what = most === 1 ? "a share above 0, at most 1, such as 0.05" : "a number above 0";
  throw new AppError("USAGE", `${flag} takes ${what}; got ${value}.`, hint === undefined ? {} : { hint });
}

/** The gate of the suite by the metric; of an assumed pass rate its first gate of one. Without gates there is a default. */
function gateOf(suite: Suite, { metric, of }: Variance, isAssumed: boolean): PowerPlan["gate"] {
  const { gates, alpha, nights } = suite.decision;
  const own = gates.find((gate) => (isAssumed || gate.metric === metric) && (gate.of ?? of) === of);
  if (own === undefined && gates.length > 0) return null;
  const margin = own?.margin ?? (of === "value" ? null : usualMargin);
  return margin === null ? null : { margin, alpha: perNightAlpha(alpha, nights) };
}

/** Of a gate that names none. */
const usualMargin = 0.05;

interface RowSize extends Pick<PowerRow, "cases" | "runs">, Pick<PowerPlan, "gate"> {}

function powerRow(suite: Suite, variance: Variance, { cases, runs, gate }: RowSize): PowerRow {
  const effect = Math.sqrt(variance.designEffect);
  const detectable = detectableWith(cases, asVariance(variance, runs)) ?? 0;
  const beyond =
    gate === null ? null : detectableWith(cases, asVariance(variance, runs), { alpha: gate.alpha, sides: 1 });
  const margin = variance.of === "ratio" ? Math.log1p(gate?.margin ?? 0) : (gate?.margin ?? 0);
  const jobs = suite.targets.map((target) => {
    const isBaseline = target.name === suite.compare?.baseline;
    const price = suite.deployments.find(({ name }) => name === target.deployment)?.price ?? null;
    return { count: cases * (isBaseline ? runs.baseline : runs.candidate), price };
  });
  const priced = jobs.some(({ price }) => price !== null);
  return {
    cases,
    runs,
    detectable: detectable * effect,
    regression: beyond === null ? null : margin + beyond * effect,
    jobs: jobs.reduce((sum, { count }) => sum + count, 0),
    cost: priced ? jobs.reduce((sum, { count, price }) => sum + count * (price ?? 0), 0) : null,
  };
}

function asVariance({ between, within }: Variance, runs: PowerRow["runs"]): DifferenceVariance {
  return { omega2: between, sigma2A: within / 2, KA: runs.candidate, sigma2B: within / 2, KB: runs.baseline };
}

function assumedVariance(cases: number, clusters: number, discordant: number): Variance {
  const { metric, of, noise, icc } = assumed;
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

/**
 * Of the primary metric in the latest comparison of the suite in which cases differ. Where nothing differs (prod against the
 * pin of the same prod) there is no variance to plan by; of several candidates the one that varies most tells it.
 */
function storedVariance(database: string, suite: string): Variance | null {
  const db = openDatabase(database, { mustExist: true });
  try {
    for (const batch of listBatches(db, suite).toReversed()) {
      const found = varianceIn(db, batch);
      if (found !== null) return found;
    }
    return null;
  } finally {
    db.close();
  }
}

function varianceIn(db: Connection, batch: Batch): Variance | null {
  const kept = storedComparisons(db, batch.id).toReversed();
  // Its targets with each other first: a comparison with another batch was perhaps of other sides.
  for (const { summary } of kept.toSorted((a, b) => Number(b.against === "") - Number(a.against === ""))) {
    // We wrote it ourselves.
    const { candidates }: Comparison = JSON.parse(summary);
    const found = candidates.flatMap(({ candidate, baseline, metrics }) => {
      const metric = metrics.find(({ primary }) => primary);
      const variance = metric === undefined || metric.better + metric.worse === 0 ? null : varianceOf(metric);
      if (metric === undefined || variance === null) return [];
      const from = `${batch.name} (${candidate} against ${baseline})`;
      return [{ metric: metric.metric, of: metric.of, from, ...variance }];
    });
    const [most] = found.toSorted((a, b) => b.between + b.within - a.between - a.within);
    if (most !== undefined) return most;
  }
  return null;
}

/** The variance of a mean of n cases that the interval tells, clusters included. */
function varianceOf({
  comparison,
  noise,
}: MetricSummary): Pick<Variance, "between" | "within" | "designEffect"> | null {
  if (comparison === null || comparison.interval === null || comparison.n < 2) return null;
  const { interval, n, clusters, intervalBy } = comparison;
  const quantile = intervalBy === "cluster-t" ? tQuantile(0.975, clusters - 1) : twoSidedZ(0.95);
  const se = (interval.high - interval.low) / 2 / quantile;
  const whole = se * se * n;
  if (noise === null || noise.variance === 0) return { between: whole, within: 0, designEffect: 1 };
  const ofRuns =
    (noise.within.candidate ?? noise.within.baseline ?? 0) + (noise.within.baseline ?? noise.within.candidate ?? 0);
  const between = Math.max(0, noise.variance * (1 - noise.share));
  return { between, within: ofRuns, designEffect: Math.max(1, whole / noise.variance) };
}

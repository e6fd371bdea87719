import { readComparison } from "../kept-comparison.ts";
import type { MetricSummary } from "../../compare/summary/metric-summary.ts";
import { twoSidedZ } from "../../stats/distributions/normal.ts";
import { tQuantile } from "../../stats/distributions/student-t.ts";
import { type Batch, listBatches } from "../../store/batches.ts";
import { storedComparisons } from "../../store/compared/comparisons.ts";
import { openDatabase } from "../../store/database.ts";
import type { Connection } from "../../store/connection.ts";

/** Variance of the differences of cases, by which an experiment is planned. */
export interface PlannedVariance {
  metric: string;
  /** Drops are in this: points of a pass rate, or the unit of the value. */
  of: string;
  unit: string | null;
  /** The batch and its sides that were compared, or null if the variance is assumed. */
  from: string | null;
  /** Variance of the difference of a case between cases. */
  between: number;
  /**
   * Variance of one run within a case, on both sides together; null: no case ran twice, so that it is part of
   * `between`.
   */
  within: number | null;
  /** Factor by which clusters multiply the variance between cases; runs of a case are independent of them. */
  designEffect: number;
  /** Share of the cases that turned out differently on the two sides, if passes are counted (McNemar); else null. */
  discordant: number | null;
  /** Clusters for each case, where Student's t is used; null: the normal distribution. */
  clusters: number | null;
}

/**
 * Finds the variance of a metric in the latest comparison of the suite in which cases differ. A comparison without
 * differences (prod with the pin of the same prod) has no variance to plan by; of several candidates the one that
 * varies most is taken. Without a name it is the primary metric of that comparison.
 */
export function storedVariance(
  database: string,
  { suite, metric }: { suite: string; metric: string | null },
): PlannedVariance | null {
  const db = openDatabase(database, { reading: true });
  try {
    for (const batch of listBatches(db, suite).toReversed()) {
      const found = varianceIn(db, batch, metric);
      if (found !== null) return found;
    }
    return null;
  } finally {
    db.close();
  }
}

function varianceIn(db: Connection, batch: Batch, name: string | null): PlannedVariance | null {
  const kept = storedComparisons(db, batch.id).toReversed();
  // Its targets with each other first: a comparison with another batch was perhaps of other sides.
  for (const comparison of kept.toSorted((a, b) => Number(b.against === "") - Number(a.against === ""))) {
    const { candidates } = readComparison(comparison);
    const found = candidates.flatMap(({ candidate, baseline, metrics }) => {
      const metric = metrics.find((each) => (name === null ? each.primary : each.metric === name));
      const variance = metric === undefined || metric.better + metric.worse === 0 ? null : varianceOf(metric);
      if (metric === undefined || variance === null) return [];
      const from = `${batch.name} (${candidate} against ${baseline})`;
      return [{ metric: metric.metric, of: metric.of, unit: metric.unit, from, ...variance }];
    });
    const [most] = found.toSorted((a, b) => size(b) - size(a));
    if (most !== undefined) return most;
  }
  return null;
}

const size = ({ between, within, designEffect }: Varying): number => between * designEffect + (within ?? 0);

type Varying = Omit<PlannedVariance, "metric" | "of" | "unit" | "from">;

function varianceOf({ comparison, noise, better, worse }: MetricSummary): Varying | null {
  if (comparison === null || comparison.interval === null || comparison.n < 2) return null;
  const { n, estimate, test, intervalBy } = comparison;
  const discordant = test === "mcnemar-mid-p" ? (better + worse) / n : null;
  const whole = discordant === null ? wholeVariance(comparison) : discordant - (estimate ?? 0) ** 2;
  const clusters = intervalBy === "cluster-t" ? comparison.clusters / n : null;
  const about = { discordant, clusters };
  if (noise === null || noise.variance === 0) return { between: whole, within: null, designEffect: 1, ...about };
  const { baseline, candidate } = noise.within;
  const within = (candidate ?? baseline ?? 0) + (baseline ?? candidate ?? 0);
  // The rest beside the variance of runs is between cases, clusters included.
  const between = Math.max(0, whole - noise.share * noise.variance);
  return { between, within, designEffect: 1, ...about };
}

/** The variance of a mean of n cases that the interval tells, clusters included. */
function wholeVariance({ interval, n, clusters, intervalBy, se }: NonNullable<MetricSummary["comparison"]>): number {
  if (se !== null) return se * se * n;
  const quantile = intervalBy === "cluster-t" ? tQuantile(0.975, clusters - 1) : twoSidedZ(0.95);
  const told = interval === null ? 0 : (interval.high - interval.low) / 2 / quantile;
  return told * told * n;
}

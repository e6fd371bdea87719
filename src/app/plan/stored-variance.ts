import { readComparison } from "../saved-comparison.ts";
import type { MeasureOf } from "../../compare/comparison-plan.ts";
import { type MetricSummary, standardError } from "../../compare/summary/metric-summary.ts";
import { type Batch, listBatches } from "../../store/batches.ts";
import { storedComparisons } from "../../store/compared/comparisons.ts";
import { openDatabase } from "../../store/database.ts";
import type { Connection } from "../../store/connection.ts";

/** Variance of the differences of cases, by which an experiment is planned. */
export interface PlannedVariance {
  metric: string;
  /** Drops are in this: points of a pass rate, or the unit of the value. */
  of: MeasureOf;
  unit: string | null;
  /** Less of it is better. */
  lowerIsBetter: boolean;
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
  /** Share of the cases that the candidate alone passed, where passes of single runs were counted; else null. */
  gains: number | null;
  /** Clusters for each case. */
  clusters: number;
  /** Degrees of freedom for each case; null: those of so many clusters. */
  df: number | null;
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
  using db = openDatabase(database, { reading: true });
  for (const batch of listBatches(db, suite).toReversed()) {
    const found = varianceIn(db, batch, metric);
    if (found !== null) return found;
  }
  return null;
}

function varianceIn(db: Connection, batch: Batch, name: string | null): PlannedVariance | null {
  const kept = storedComparisons(db, batch.id).toReversed();
  // Its own first: another one was perhaps of other sides.
  for (const comparison of kept.toSorted((a, b) => Number(b.against === "") - Number(a.against === ""))) {
    const { candidates } = readComparison(comparison);
    const found = candidates.flatMap(({ candidate, baseline, metrics }) => {
      const metric = metrics.find((each) => (name === null ? each.primary : each.metric === name));
      const variance = metric === undefined || metric.better + metric.worse === 0 ? null : varianceOf(metric);
      if (metric === undefined || variance === null) return [];
      const from = `${batch.name} (${candidate} against ${baseline})`;
      const { of, unit, lowerIsBetter } = metric;
      return [{ metric: metric.metric, of, unit, lowerIsBetter, from, ...variance }];
    });
    const [most] = found.toSorted((a, b) => size(b) - size(a));
    if (most !== undefined) return most;
  }
  return null;
}

const size = ({ between, within, designEffect }: Varying): number => between * designEffect + (within ?? 0);

type Varying = Omit<PlannedVariance, "metric" | "of" | "unit" | "lowerIsBetter" | "from">;

function varianceOf({ comparison, noise, better, worse }: MetricSummary): Varying | null {
  const se = comparison === null ? null : standardError(comparison);
  if (comparison === null || se === null || comparison.n < 2) return null;
  const { n, estimate, test, clusters, df } = comparison;
  const isCounted = test === "exact-score";
  const whole = isCounted ? (better + worse) / n - (estimate ?? 0) ** 2 : se * se * n;
  const about = { gains: isCounted ? better / n : null, clusters: clusters / n, df: df / n };
  if (noise === null || noise.variance === 0) return { between: whole, within: null, designEffect: 1, ...about };
  const { baseline, candidate } = noise.within;
  const within = (candidate ?? baseline ?? 0) + (baseline ?? candidate ?? 0);
  // The rest beside the variance of runs is between cases, clusters included.
  const between = Math.max(0, whole - noise.share * noise.variance);
  return { between, within, designEffect: 1, ...about };
}

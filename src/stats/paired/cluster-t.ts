import type { Clustered } from "../clusters.ts";
import { finite, sumOf } from "../sum.ts";
import type { TEstimate } from "./t-estimate.ts";

/** The mean difference with a standard error that holds when the cases of a cluster are alike. */
export interface ClusterEstimate extends TEstimate {
  clusters: number;
  /**
   * Standard error without the factor C / (C - 1): E. Miller, "Adding error bars to evals" (2024). Too small for few
   * clusters.
   */
  seUncorrected: number | null;
  /** Standard error as if cases were independent. */
  seIndependent: number | null;
  /** Factor by which the clusters multiply the variance; null without variation. */
  designEffect: number | null;
  /** Skewness of the sums of clusters about their mean; null without variation. Above 1 the t interval is doubtful. */
  skewness: number | null;
}

/**
 * Cluster-robust standard error of a mean with C - 1 degrees of freedom (K.-Y. Liang and S. Zeger 1986, with the
 * correction C / (C - 1)): SE^2 = C/(C-1) sum_c (sum_{i in c} (d_i - dbar))^2 / n^2. With clusters of one case it is
 * the paired t test.
 */
export function clusterEstimate(clustered: Clustered): ClusterEstimate {
  const { n, sums, sizes, mean, deviation, scale, most } = clustered;
  const clusters = sums.length;
  const seIndependent = deviation === null ? null : deviation / Math.sqrt(n);
  const none = { mean, clusters, df: Math.max(0, clusters - 1), seIndependent, designEffect: null, skewness: null };
  if (mean === null) return { ...none, se: null, seUncorrected: null, reason: clustered.reason };
  const centre = mean / scale;
  const residual = (cluster: number): number => (sums[cluster] ?? 0) - centre * (sizes[cluster] ?? 0);
  const squares = sumOf(clusters, (cluster) => residual(cluster) ** 2);
  const root = (Math.sqrt(squares) / n) * scale;
  // The rounding errors of values that are all alike are no variation.
  const alike = root <= 1e-13 * most;
  const seUncorrected = alike ? 0 : finite(root);
  if (clusters < 2) {
    return {
      ...none,
      se: null,
      seUncorrected,
      reason: clusters === n ? "needs at least 2 cases" : "needs at least 2 clusters",
    };
  }
  if (alike) return { ...none, se: 0, seUncorrected, reason: "no variation" };
  const se = finite(root * Math.sqrt(clusters / (clusters - 1)));
  const cubes = sumOf(clusters, (cluster) => residual(cluster) ** 3);
  return {
    ...none,
    se,
    seUncorrected,
    designEffect: seIndependent === null || seIndependent === 0 ? null : finite((se / seIndependent) ** 2),
    skewness: cubes / clusters / (squares / clusters) ** 1.5,
    reason: null,
  };
}

import type { Clustered } from "../clusters.ts";
import { finite, sumOf } from "../sum.ts";
import type { TEstimate } from "./t-estimate.ts";

/** The mean difference with a standard error that holds when the cases of a cluster are alike. */
export interface ClusterEstimate extends TEstimate {
  clusters: number;
  /** Number of clusters of one size that would tell as much: n^2 / sum m_c^2, where cluster c holds m_c of the n cases. */
  effectiveClusters: number;
  /** Standard error as if cases were independent. */
  seIndependent: number | null;
  /** Factor by which the clusters multiply the variance; null without variation. */
  designEffect: number | null;
  /** Skewness of the sums of clusters about their mean; null without variation. Above 1 the t interval is doubtful. */
  skewness: number | null;
}

/**
 * Cluster-robust standard error of a mean with the correction CR2 and the degrees of freedom of R. M. Bell and D. F.
 * McCaffrey (2002; G. Imbens and M. Kolesar 2016), which hold for clusters of very unequal sizes too: with m_c of n
 * cases in cluster c, h_c = m_c / n and e_c the sum of its residuals, SE^2 = sum_c e_c^2 / (1 - h_c) / n^2. For
 * clusters of one size that is the factor C / (C - 1) with C - 1 degrees of freedom, for single cases the paired t test.
 */
export function clusterEstimate(clustered: Clustered): ClusterEstimate {
  const { n, sums, sizes, mean, deviation, scale, most } = clustered;
  const clusters = sums.length;
  const seIndependent = deviation === null ? null : deviation / Math.sqrt(n);
  const about = { mean, clusters, ...freedomOf(n, sizes), seIndependent, designEffect: null, skewness: null };
  if (mean === null) return { ...about, se: null, reason: clustered.reason };
  const centre = mean / scale;
  const residual = (cluster: number): number => (sums[cluster] ?? 0) - centre * (sizes[cluster] ?? 0);
  // A residual is smaller than the deviation it stands for by as much as its cluster draws the mean.
  const adjusted = (cluster: number): number => residual(cluster) / Math.sqrt(1 - (sizes[cluster] ?? 0) / n);
  const root = (Math.sqrt(sumOf(clusters, (cluster) => residual(cluster) ** 2)) / n) * scale;
  // The rounding errors of values that are all alike are no variation.
  const alike = root <= 1e-13 * most;
  if (clusters < 2) return { ...about, se: null, reason: { kind: "few-clusters", clusters, fewest: 2 } };
  if (alike) return { ...about, se: 0, reason: { kind: "no-variation" } };
  const squares = sumOf(clusters, (cluster) => adjusted(cluster) ** 2);
  const cubes = sumOf(clusters, (cluster) => adjusted(cluster) ** 3);
  const se = finite((Math.sqrt(squares) / n) * scale);
  return {
    ...about,
    se,
    designEffect: seIndependent === null || seIndependent === 0 ? null : finite((se / seIndependent) ** 2),
    skewness: cubes / clusters / (squares / clusters) ** 1.5,
    reason: null,
  };
}

/**
 * Bell and McCaffrey's degrees of freedom, (sum_c M_cc)^2 / sum_cd M_cd^2 with M_cd = a_c a_d (1[c=d] m_c - m_c m_d / n) / n^2
 * and a_c^2 = 1 / (1 - h_c). For a mean M_cc is m_c / n^2, and with q_c = m_c^2 / (1 - h_c) the double sum is
 * (sum m_c^2 + ((sum q_c)^2 - sum q_c^2) / n^2) / n^4: no matrix is made.
 */
function freedomOf(n: number, sizes: Float64Array): { df: number; effectiveClusters: number } {
  const clusters = sizes.length;
  const size = (cluster: number): number => sizes[cluster] ?? 0;
  const squares = sumOf(clusters, (cluster) => size(cluster) ** 2);
  const effectiveClusters = clusters === 0 ? 0 : (n / squares) * n;
  if (clusters < 2) return { df: 0, effectiveClusters };
  const weight = (cluster: number): number => size(cluster) ** 2 / (1 - size(cluster) / n);
  const weights = sumOf(clusters, weight);
  const ofPairs = (weights * weights - sumOf(clusters, (cluster) => weight(cluster) ** 2)) / n / n;
  const df = (n / (squares + ofPairs)) * n;
  // Clusters of one size have a whole number, but for rounding.
  return { df: Math.abs(df - Math.round(df)) < 1e-9 * df ? Math.round(df) : df, effectiveClusters };
}

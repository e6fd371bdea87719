import type { Clustered } from "../../../src/stats/clusters.ts";

/** The standard error of a mean by clusters without any correction (E. Miller 2024), which is too small for few of them. */
export function uncorrectedError({ n, sums, sizes, mean, scale }: Clustered): number | null {
  if (mean === null) return null;
  const squares = sums.reduce((sum, own, cluster) => sum + (own - (mean / scale) * (sizes[cluster] ?? 0)) ** 2, 0);
  return (Math.sqrt(squares) / n) * scale;
}

import type { TEstimate } from "../paired/t-estimate.ts";
import { finite, sumOf } from "../sum.ts";

/** An error of a judge, and what it may depend on. */
export interface SlopePoint {
  x: number;
  y: number;
  cluster: string;
  /** 1 over the chance with which its case was drawn; 1 where none was. */
  weight: number;
}

/** Points below which a slope says nothing. */
const fewestPoints = 3;

/**
 * Slope of a straight line by least squares, with the standard error CR1 of whole clusters, multiplied by (n - 1) / (n - 2)
 * (K.-Y. Liang and S. Zeger 1986; the factors as in Stata), and G - 1 degrees of freedom for G clusters.
 */
export function clusterSlope(points: readonly SlopePoint[]): TEstimate {
  const n = points.length;
  const clusters = Map.groupBy(points, ({ cluster }) => cluster);
  const df = Math.max(0, clusters.size - 1);
  const none = { mean: null, se: null, df };
  if (n < fewestPoints || clusters.size < 2)
    return { ...none, reason: { kind: "few-for-slope", points: fewestPoints, clusters: 2 } };
  const at = (index: number): SlopePoint => points[index] ?? { x: 0, y: 0, cluster: "", weight: 0 };
  const total = sumOf(n, (index) => at(index).weight);
  const meanX = sumOf(n, (index) => at(index).weight * at(index).x) / total;
  const meanY = sumOf(n, (index) => at(index).weight * at(index).y) / total;
  const spread = sumOf(n, (index) => at(index).weight * (at(index).x - meanX) ** 2);
  const most = points.reduce((far, { x }) => Math.max(far, Math.abs(x)), 0);
  if (spread <= 1e-20 * total * most * most || spread === 0) return { ...none, reason: { kind: "no-variation" } };
  const slope = sumOf(n, (index) => at(index).weight * (at(index).x - meanX) * (at(index).y - meanY)) / spread;
  const part = ({ x, y, weight }: SlopePoint): number => weight * (x - meanX) * (y - meanY - slope * (x - meanX));
  const scores = Array.from(clusters.values(), (own) => own.reduce((sum, point) => sum + part(point), 0));
  const factor = (clusters.size / (clusters.size - 1)) * ((n - 1) / (n - 2));
  const squares = sumOf(scores.length, (index) => (scores[index] ?? 0) ** 2);
  return { mean: finite(slope), se: finite(Math.sqrt(factor * squares) / spread), df, reason: null };
}

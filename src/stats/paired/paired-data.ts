import type { PairedCounts } from "./mcnemar.ts";

/** Data of a comparison: one difference per case, candidate less baseline, signed so that positive is better. */
export interface PairedData {
  /** The runs of a case are averaged before. */
  differences: Float64Array;
  /** Number of each case's cluster, from 0 without gaps; null when every case is its own. */
  clusters: Int32Array | null;
  /** Passes and fails, when each side ran once, the score is pass or fail, and every cluster is one case; else null. */
  counts: PairedCounts | null;
  /** Width of the score's scale, 1 for a pass rate: the most that a case can differ. Null for an unbounded score. */
  range: number | null;
  /** Largest value of both sides less the smallest, of a score without bounds; left out: nothing is claimed by it. */
  spread?: number;
  /** The differences are means of passes and fails, of several runs or of clusters; left out: they are of a graded score. */
  isRate?: true;
  /** Middle of the differences that is compared; the mean when left out. For a median each cluster brings the mean of its cases. */
  statistic?: "mean" | "median";
}

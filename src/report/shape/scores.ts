/** Numbers of cases by their scores of a metric that does more than pass or fail. */
export interface ReportScores {
  metric: string;
  /** Ranges of scores without a gap between them, the lowest first: from one number to below another. */
  bins: { bin: number; from: number; to: number }[];
  /** Cases of each target in each range. */
  targets: { target: string; counts: number[] }[];
  /** Cases of each pair that have a score on both sides: places of their ranges, and how many have the same two. */
  pairs: ScoredPair[];
}

export interface ScoredPair {
  baseline: string;
  candidate: string;
  cells: { baseline: number; candidate: number; cases: number }[];
}

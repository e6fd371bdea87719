/** Two-sided, both ends within it. */
export interface Interval {
  low: number;
  high: number;
}

/** One-sided bounds, each at the confidence that was asked for; null where no bound can be given. */
export interface Bounds {
  lower: number | null;
  upper: number | null;
}

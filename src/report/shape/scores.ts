import type { Integer } from "../../lib/integer.ts";

/** Numbers of cases by their scores of a metric that does more than pass or fail. */
export interface ReportScores {
  /** Name of the metric. */
  metric: string;
  /** Ranges of scores without a gap between them, the lowest first. */
  bins: {
    /** Number of the range, the same in every report of the metric. */
    bin: Integer;
    /** Its lowest score. */
    from: number;
    /** The score that the next one begins with. */
    to: number;
  }[];
  /** Each target by itself. */
  targets: {
    /** Name of the target. */
    target: string;
    /** Cases in each range. */
    counts: Integer[];
  }[];
  /** Cases of each pair that have a score on both sides: places of their ranges, and how many have the same two. */
  pairs: ScoredPair[];
}

export interface ScoredPair {
  /** Name of the target. */
  baseline: string;
  /** Name of the target. */
  candidate: string;
  /** Cases with a score on both sides. */
  cells: {
    /** Place of the range of the baseline, from 0. */
    baseline: Integer;
    /** The same of the candidate. */
    candidate: Integer;
    /** Cases with both. */
    cases: Integer;
  }[];
}

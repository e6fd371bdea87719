import type { OutcomeCounts, ShownOutcome } from "../../api/outcomes.ts";
import type { ShownInterval } from "./interval.ts";

/** A target with its runs and scores. */
export interface ReportTarget {
  name: string;
  /** Its name for people where it is of another batch, `prod of 19 November`; left out: its own is. */
  label?: string;
  deployment: string;
  endpoint: string;
  exampleId: string;
  jobs: number;
  /** Jobs with a usable answer. */
  answered: number;
  /** Outcome, and for a record the kind of its answer, to number of jobs. */
  outcomes: OutcomeCounts;
  /** Share of the cases without an answer; null when there is no case. */
  errorShare: number | null;
  /** Messages of the errors, the most frequent first; those that differ only in numbers and ids are one. */
  errors: { outcome: ShownOutcome; message: string; jobs: number; example: string }[];
  /** Reasons why answers have no grade of a metric, the most frequent first; `applies` is false where the case lacks what is compared with. */
  ungraded: { metric: string; applies: boolean; message: string; jobs: number; example: string }[];
  /** The reason why nothing more was sent to it; null otherwise. */
  stopped: string | null;
  latency: Latency | null;
  /** Finished jobs that have an expected text, and those whose answer holds it; null where none is expected. */
  expected: { found: number; of: number } | null;
  /** Tokens of all runs that told them; null: none did. */
  tokens: { input: number; output: number } | null;
  /** Cost in the unit of the deployment's price, with runs that were possibly paid; null without a price. */
  cost: number | null;
  /** Scores by metric. */
  scores: (TargetScore | null)[];
  /**
   * The primary metric by the values of tags, the lowest first: a description, by which nothing is decided. Left out where
   * targets are compared, and where there is none.
   */
  byTag?: TaggedValue[];
}

/** A metric in the cases with one value of a tag. */
interface TaggedValue {
  tag: string;
  value: string;
  cases: number;
  mean: number | null;
  interval: ShownInterval | null;
}

export interface Latency {
  p50: number;
  p90: number;
  p99: number;
  /** Time of the slowest. */
  max: number;
  /** Answers by duration: number i counts those from `bounds[i]` to below `bounds[i + 1]`. */
  bounds: number[];
  counts: number[];
}

interface TargetScore {
  /** Mean of the values, or the pass rate when the metric passes. */
  value: number | null;
  interval: ShownInterval | null;
  /** Answers with a score. */
  scored: number;
  unscored: number;
  /**
   * Chances in cases that ran k times: that at least one of k runs passes, and that all do. Null if none did, and if
   * nothing passes or fails.
   */
  repeated: { k: number; cases: number; passAtK: number; passHatK: number } | null;
}

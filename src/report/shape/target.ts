import type { OutcomeCounts, ShownOutcome } from "../../api/outcomes.ts";
import type { TaggedScore } from "../../compare/tallies/target-tally.ts";
import type { ShownInterval } from "./interval.ts";
import type { ReportRow } from "./row.ts";
import type { Integer } from "../../lib/integer.ts";

/** A target with its runs and scores. */
export interface ReportTarget {
  /** Name in the suite; for a target of another batch with that batch before it. */
  name: string;
  /** Its name for people where it is of another batch, `prod of 19 November`; left out: its own is. */
  label?: string;
  /** Name of the deployment; empty where it is not known. */
  deployment: string;
  /** Name of the endpoint; `http` for one that the suite describes. */
  endpoint: string;
  /** The saved configuration, or the model; empty where the endpoint says it all. */
  exampleId: string;
  /** Planned runs. */
  jobs: Integer;
  /** Jobs with a usable answer. */
  answered: Integer;
  /** Number of jobs by outcome; for a run record by the kind of its answer. */
  outcomes: OutcomeCounts;
  /** Share of the runs without an answer; turns that were skipped are not counted. Null when there is no run. */
  errorShare: number | null;
  /** Messages of the errors, the most frequent first; at most 20. */
  errors: {
    /** Outcome of the jobs. */
    outcome: ShownOutcome;
    /** Message of the first of them, cut after 300 characters. */
    message: string;
    /** Jobs with this message, or one that differs only in numbers and ids. */
    jobs: Integer;
    /** Key of the first case with it. */
    example: string;
    /** Rows of the first cases with it, at most 3. Left out: not known. */
    rows?: Pick<ReportRow, "row" | "file">[];
  }[];
  /** Reasons why answers have no grade, the most frequent first; at most 20. */
  ungraded: {
    /** The metric that has no grade. */
    metric: string;
    /** False: the case lacks what the scorer compares with; true: it could not be graded. */
    applies: boolean;
    /** Reason of the first of them, cut after 300 characters. */
    message: string;
    /** Answers with this reason, or one that differs only in numbers and ids. */
    jobs: Integer;
    /** Key of the first case with it. */
    example: string;
    /** Row of that case as a spreadsheet shows it; null or left out: it is of no file, or not known. */
    row?: Integer | null;
    /** Rows of the first cases with it, at most 3. Left out: not known. */
    rows?: Pick<ReportRow, "row" | "file">[];
  }[];
  /** The reason why nothing more was sent to it; null otherwise. */
  stopped: string | null;
  /** Milliseconds of the jobs with a run record, from the first byte sent to the last received; null: there is none. */
  latency: Latency | null;
  /** Answers that hold the expected text; null where none is expected. */
  expected: {
    /** Answers that hold it. */
    found: Integer;
    /** Finished jobs that have one. */
    of: Integer;
  } | null;
  /** Tokens of all runs whose replies tell them; null where none does. */
  tokens: {
    /** Tokens that were read. */
    input: Integer;
    /** Tokens that were written. */
    output: Integer;
  } | null;
  /**
   * Cost in the unit of the deployment's `price`, with runs that were possibly paid; null without a price, or without
   * the tokens that it needs.
   */
  cost: number | null;
  /** Scores in the order of `metrics`; null where there is none. */
  scores: (TargetScore | null)[];
  /** Scores that people put in the place of what a scorer said. */
  edited?: Integer;
  /** Scores that are made of these and were computed again. */
  following?: Integer;
  /**
   * The primary metric by the values of tags, the lowest first: a description, by which nothing is decided. Left out where
   * targets are compared, and where there is none.
   */
  byTag?: TaggedValue[];
}

/** A metric in the cases with one value of a tag. */
interface TaggedValue extends Omit<TaggedScore, "interval"> {
  /** Interval of the mean; null where none can be told. */
  interval: ShownInterval | null;
}

export interface Latency {
  /** The median. */
  p50: number;
  /** Nine of ten are faster. */
  p90: number;
  /** 99 of 100 are faster. */
  p99: number;
  /** Time of the slowest. */
  max: number;
}

interface TargetScore {
  /** Mean of the values, or the pass rate when the metric passes. */
  value: number | null;
  /** Interval of the value; null where none can be told. */
  interval: ShownInterval | null;
  /** Cases with a score. */
  scored: Integer;
  /** Runs that could not be graded. */
  unscored: Integer;
  /** Chances in cases that ran twice or more, of passes and fails; null if none did, and if nothing passes or fails. */
  repeated: {
    /** Runs of a case. */
    k: Integer;
    /** Cases with so many graded runs. */
    cases: Integer;
    /** Mean chance that at least one of k runs passes (pass@k). */
    passAtK: number;
    /** Mean chance that all k runs pass (pass^k). */
    passHatK: number;
  } | null;
}

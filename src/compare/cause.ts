import type { ShownOutcome } from "../api/outcomes.ts";
import type { NothingInferred } from "../stats/clusters.ts";
import type { AskedText } from "../score/contract/scorer.ts";
import type { Integer } from "../lib/integer.ts";
import type { MeasureOf } from "./comparison-plan.ts";

/** Rows that count as one: turns of a conversation, those that ask the same, or those of one value of a column; `rows`: each counts for itself. */
export type RowUnit = PlainUnit | ColumnUnit;

interface PlainUnit {
  /** The kind of unit. */
  kind: "rows" | "conversations" | "questions";
}

interface ColumnUnit {
  /** Rows of one value of a column. */
  kind: "groups";
  /** Name of the column. */
  column: string;
}

/** A number of them. */
export interface UnitCount {
  /** Number of them. */
  count: Integer;
  /** The rows of each. */
  of: RowUnit;
}

/** The unit of so many clusters among so many rows: `column` puts them together, turns do where it is null. */
export function unitOfRows({ clusters, n }: { clusters: number; n: number }, column: string | null): RowUnit {
  if (clusters === n) return { kind: "rows" };
  return column === null ? { kind: "conversations" } : { kind: "groups", column };
}

/** The same, with how many there are. */
export function unitCount({ clusters, n }: { clusters: number; n: number }, column: string | null): UnitCount {
  return { count: clusters, of: unitOfRows({ clusters, n }, column) };
}

/** Null where every row counts for itself. */
export function groupsOf(clusters: number, n: number, column: string | null): UnitCount | null {
  return clusters === n ? null : unitCount({ clusters, n }, column);
}

/** Why something is not known, or not claimed: `report/say` words it, and nothing else does. */
export type Cause = ValidityCause | GateCause | OpenCause | NoDrop | LabelsCause | SecondLookCause | NothingInferred;

/** The batch that stopped when it was decided: its own answers chose its rows. */
export interface ChosenRows {
  kind: "chosen-rows";
  batch: string;
}

/** The data cannot carry a verdict. Names of targets are those that people know them by. */
export type ValidityCause =
  | { kind: "no-rows" }
  | {
      kind: "stopped";
      target: string;
      /** As it was stored when it happened. */
      why: string;
    }
  | { kind: "unfinished"; target: string; unfinished: number; jobs: number; canResume: boolean }
  | {
      kind: "unanswered";
      target: string;
      runs: number;
      of: number;
      /** Each row has one run. */
      isOfRows: boolean;
      share: number;
      allowed: number;
      /** Turns after a failed one. */
      skipped: number;
      /** The most frequent error; null: none is known. */
      error: { outcome: ShownOutcome; message: string; runs: number; ofService: boolean } | null;
    }
  | { kind: "no-common-row"; candidate: string; baseline: string }
  | { kind: "no-common-answer"; candidate: string }
  | { kind: "other-input"; candidate: string; baseline: string; rows: number; share: number }
  | {
      kind: "other-expected";
      candidate: string;
      baseline: string;
      rows: number;
      of: number;
      share: number;
      batches: readonly string[];
    }
  | { kind: "rows-missing"; candidate: string; baseline: string; rows: number; share: number }
  | { kind: "ungraded"; target: string; metric: string; answers: number; share: number }
  | PartsCause
  | { kind: "not-scored"; metric: string }
  | { kind: "scored-in-part"; batch: string }
  | { kind: "answers-since"; batch: string; answers: number }
  | { kind: "graded-in-part"; batch: string; metric: string; needsSuite: boolean }
  | OtherJudge;

/** Parts of a run that its batch lacks (`--shard`). */
export interface PartsCause {
  kind: "parts-missing";
  /** Name of the batch; null: the one that is told of. */
  batch: string | null;
  parts: readonly number[];
  of: number;
  /** Null: how many that are is not known. */
  rows: { missing: number; of: number } | null;
}

/** The second look at a regression does not count. */
export type SecondLookCause =
  | ValidityCause
  | { kind: "not-complete" }
  /** `why`: as it was stored when it stopped; null: that is not known. */
  | { kind: "runs-not-made"; left: number; of: number; why: string | null; isStopped: boolean };

/** A judge that has changed between the grades of two sides. */
export interface OtherJudge {
  kind: "other-judge";
  scorer: string;
  at: number;
  /** Names of the batches that were graded before. */
  batches: string[];
}

/** A metric that is not compared: another batch has no such scores, or it has no bounds to decide by. */
export type NotCompared = { metric: string } & (
  | { kind: "no-bounds" }
  | {
      kind: "other-scores";
      batch: string;
      /** `unscored`: the batch; `missing`: it has no such scorer; `failed`: it could not be scored by it; `differs`: it defines it otherwise. */
      is: "unscored" | "missing" | "failed" | "differs";
      /** The pin's file that it comes from; null: it is here. */
      exportedAs: string | null;
    }
);

/** A guard of a gate stands. */
export type GateCause =
  | { kind: "not-compared"; why: NotCompared }
  | { kind: "nothing-graded"; beside: number; rows: number }
  | { kind: "no-tag-value"; tag: string }
  | { kind: "no-margin"; metric: string }
  | { kind: "no-pair" }
  | { kind: "no-score" }
  | { kind: "answers-missing" }
  | {
      kind: "ceiling";
      metric: string;
      side: string;
      /** `rows`: answers to other rows passed; `stock`: answers that say nothing. */
      of: "rows" | "stock";
      passing: number;
      asked: number;
      example: { answer: string; expected: string } | null;
      withinText: boolean;
    }
  | { kind: "judge-by-chance"; metric: string }
  | { kind: "labels-required"; metric: string; why: LabelsCause | null }
  | FloorCause
  | { kind: "gaps"; candidate: string; rows: number; mostWrong: number | null }
  | {
      kind: "outside-range";
      metric: string;
      target: string;
      answers: number;
      of: number;
      min: number;
      max: number;
    }
  | { kind: "nothing-varied"; rows: number }
  | { kind: "not-sent"; rows: number; of: number }
  | { kind: "tries-open"; rows: number; of: number; first: string; pass: number; tries: number };

/** There is no more to lose than the limit. */
export interface FloorCause {
  kind: "floor";
  metric: string;
  baseline: string;
  candidate: string;
  /** Null for a score that does not pass or fail. */
  passes: FloorPasses | null;
}

export interface FloorPasses {
  rows: number;
  baseline: number;
  candidate: number;
  /** The scorer asks for a long text as a whole: its type, where, and the characters of it in the median; null: it does not. */
  asks: { type: string; place: AskedText["place"]; length: number } | null;
}

/** Nothing speaks against a claim, and yet none is made. */
export type OpenCause =
  | { kind: "too-few-units"; least: number; of: RowUnit }
  | { kind: "close" }
  | { kind: "noisy" }
  | { kind: "grouped" }
  | { kind: "one-more-on-scale" }
  | { kind: "few-without-ends"; fewest: number }
  | { kind: "one-more-without-ends"; of: MeasureOf; loss: number }
  | { kind: "skewed"; skewness: number; isSkewed: boolean }
  | { kind: "few-that-differ" }
  | { kind: "no-variation-without-ends" };

/** No drop is sure to show. */
export type NoDrop =
  | { kind: "looked-at" }
  | { kind: "few"; size: UnitCount }
  | { kind: "few-if-all-lost"; size: UnitCount }
  | { kind: "few-that-vary"; size: UnitCount; toLose: string | null }
  | { kind: "alike-without-ends" }
  | { kind: "less-to-lose" };

/** Labels of people decide nothing. */
export type LabelsCause =
  | { kind: "decided-early-by-labels" }
  | ChosenRows
  | {
      kind: "labellers-disagree";
      alpha: number | null;
      interval: { low: number; high: number } | null;
      answers: number;
    }
  | { kind: "all-examples" }
  | { kind: "no-labels" }
  | { kind: "not-drawn"; labels: number }
  | { kind: "drawn-before"; rows: number }
  | { kind: "draw-incomplete"; labels: number; of: number }
  | { kind: "too-few-labels"; labels: number; fewest: number }
  | { kind: "too-few-label-groups"; fewest: number }
  | { kind: "labels-alike" };

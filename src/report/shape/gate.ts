import type { ShownInterval } from "./interval.ts";

export type ShownGateState = "regression" | "pass" | "inconclusive" | "invalid";

/** One metric of one candidate against the baseline, whether or not a gate depends on it. */
export interface ReportGate {
  candidate: string;
  metric: string;
  /** Unique name for a reader: the metric, with the value of a tag that a gate is about, and what it counts. */
  name: string;
  /** The cases that it is about; null: all. */
  slice: { tag: string; value: string } | null;
  /** Null: measured, but no gate depends on it. */
  state: ShownGateState | null;
  /** A value of a tag with too few cases for a pass: the verdict does not wait for it. */
  tooFew: boolean;
  /** The loss that is still accepted, in the unit of the metric; null without a gate, and where losses are counted. */
  margin: number | null;
  /** Cases that turned from pass to fail in all runs, the reverse, those looked at, and the losses allowed; null where a margin decides. */
  losses: { lost: number; gained: number; cases: number; allowed: number } | null;
  /** Cases that have to hold over repeats: the passes that are asked of so many tries, cases that hold, that do not, that may still, and keys of the first that do not. Left out: it asks for none. */
  tries?: {
    pass: number;
    of: number;
    cases: number;
    held: number;
    failing: number;
    open: number;
    rows: string[];
  };
  /** Signed so that positive is better. */
  difference: number | null;
  /** The bounds by which a gate decides; of a metric without a gate its two-sided interval. */
  interval: ShownInterval | null;
  /** Confidence of the interval, or of each of two one-sided bounds, such as 0.95. */
  confidence: number;
  /** 1: two one-sided bounds; 2: a two-sided interval. */
  sides: 1 | 2;
  /** The p of the gate's claim: of a pass, that not more is lost than the margin, else that more is. Without a gate two-sided, of no difference. */
  p: number | null;
  /** One-sided, of no loss beyond the margin, over all gates (Holm): what the gate decides by. Null where no gate is. */
  pLoss: number | null;
  baseline: number | null;
  now: number | null;
  cases: number;
  clusters: number | null;
  /** Such as `40 conversations`; null where every case is its own. */
  groups: string | null;
  worse: number;
  better: number;
  /** Name of the test; empty where nothing was compared. */
  test: string;
  /** Test and interval, and why these. */
  method: string;
  /** Smallest drop that the gate calls a regression with 80 % power, or that a metric without a gate would show; null where none is sure to show. */
  detectable: number | null;
  /** The same as a sentence, or why there is none; null where nothing was compared. */
  smallestDrop: string | null;
  /** Other details behind it, as sentences: answers that are missing, other intervals and p values. */
  details: string[];
  /** Advice that would settle it, or the reason why there is no answer; null when there is nothing to add. */
  advice: string | null;
}

/** The outcome of asking the cases of a regression once more. */
export interface ReportConfirmation {
  /** The reason why the second look does not count, so that the first one stands; null: it does. */
  unfinished: string | null;
  gates: {
    candidate: string;
    metric: string;
    /** Name of the gate. */
    name: string;
    /** By the rule of two looks. */
    state: ShownGateState;
    first: ReportLook;
    /** Null where there was none that counts. */
    second: ReportLook | null;
    together: ReportLook | null;
  }[];
}

/** The figures of a gate by the runs of one look, or by those of both. */
export interface ReportLook {
  /** State of the gate by these alone. */
  state: ShownGateState;
  cases: number;
  baseline: number | null;
  now: number | null;
  worse: number;
  better: number;
  /** Cases that turned from pass to fail in all their runs; null where a margin decides. */
  lost: number | null;
}

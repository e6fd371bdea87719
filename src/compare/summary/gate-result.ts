import type { IntervalName } from "../../stats/paired/inference.ts";
import type { StricterName } from "../../stats/paired/method.ts";
import type { PairedComparison } from "../../stats/paired/paired-comparison.ts";
import type { MeasureOf } from "../comparison-plan.ts";

export type GateState = "regression" | "pass" | "inconclusive" | "invalid";

/** The cases that have one value of a tag. */
export interface TaggedCases {
  tag: string;
  value: string;
}

/** Subject of a gate: a metric of one candidate. */
export interface GateAbout {
  metric: string;
  of: MeasureOf;
  candidate: string;
  baseline: string;
  /** The cases that it is about; null: all. */
  slice: TaggedCases | null;
  /** A regression is asked once more before it counts; left out: it is not. */
  confirm?: true;
}

/** Result of a gate, with the numbers of the very rule that decided it. */
export type GateResult = MarginGateResult | LossesGateResult;

/** The figures of the cases of a tag, as those of a metric over all cases. */
export interface SliceFigures {
  cases: number;
  /** Means, or medians where these are compared. */
  baseline: number | null;
  candidate: number | null;
  worse: number;
  better: number;
  comparison: PairedComparison | null;
}

interface GateOutcome extends GateAbout {
  /** Figures of the slice; null where the gate is about all cases, whose metric has them. */
  figures: SliceFigures | null;
  state: GateState;
  /** A value of a tag with too few cases for a pass: it is named as such, and the verdict does not wait for it. */
  tooFew: boolean;
  /** The reason why it is invalid or cannot be decided; null otherwise. */
  reason: string | null;
}

/** A gate that accepts a loss. */
export interface MarginGateResult extends GateOutcome {
  kind: "margin";
  /** The loss that is accepted: a share for a pass rate and a ratio, else in the unit of the score. */
  margin: number;
  /** Null where nothing could be inferred. */
  decided: DecidedByBounds | null;
  /** The smallest true drop that this gate calls a regression with 80 % power; null where none is, with the reason. */
  smallestDrop: number | null;
  noSmallestDrop: string | null;
  /** Advice that would settle it; null when it is settled, or when nothing would. */
  settle: GateAdvice | null;
}

/** A gate on what is deterministic: how many cases turned from pass to fail. */
export interface LossesGateResult extends GateOutcome {
  kind: "losses";
  /** The most that may. */
  losses: number;
  decided: DecidedByLosses | null;
}

/** One-sided bounds of the difference and p values, by every method that has to agree; positive is better. */
export interface DecidedByBounds {
  by: IntervalName;
  /** A pass is one where the lower bound is above -margin, a regression one where the upper is below it. */
  lower: number | null;
  upper: number | null;
  /** Confidence of each; that of the upper one rises with the number of gates (Holm). */
  confidence: { lower: number; upper: number };
  /** p value for H0: no more is lost than the margin; and adjusted over all gates (Holm). */
  pRegression: number | null;
  adjusted: number | null;
  /** p value for H0: at least the margin is lost. */
  pPass: number | null;
  /** The second method, where the first alone would have claimed more. */
  stricter: StricterName | null;
}

export interface DecidedByLosses {
  /** Cases in which the baseline passed in all its runs, and the candidate failed in all; and the reverse. */
  lost: number;
  gained: number;
  /** Cases that were looked at. */
  cases: number;
}

/** Advice that would settle a gate, were the difference to stay. */
export type GateAdvice = SettlingAdvice & {
  /** The fewest cases with which it passes when none got worse, where there are not so many; null elsewhere. */
  fewestToPass: number | null;
  /** Other ways to compare a skewed score without bounds, which differ less by chance; empty where it is not. */
  instead: ("median" | "ratio")[];
};

export type SettlingAdvice =
  /** Number of cases in all, such as in `40 conversations`; or number of runs of each case that there is. */
  | { kind: "cases"; cases: number; groups: string | null; repeats: number | null }
  /**
   * Number of cases that nobody would write, null: not known; runs of each case that there is that do instead, and a wider
   * margin with which fewer are enough, where there is one.
   */
  | {
      kind: "too many";
      cases: number | null;
      repeats: number | null;
      wider: { margin: number; cases: number } | null;
    }
  /** Clusters that it takes before anything can be decided, and for a short interval. */
  | { kind: "clusters"; least: number; better: number | null; noun: string }
  | { kind: "unknown" };

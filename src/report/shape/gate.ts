import type { LookFigures } from "../../compare/summary/confirmation.ts";
import type { PeopleView } from "../../compare/metrics/people-view.ts";
import type { GateState, GateWord } from "../../compare/verdict-word.ts";
import type { GateKind } from "../../suite/gate-settings.ts";
import type { ShownInterval } from "./interval.ts";
import type { Integer } from "../../lib/integer.ts";

/** One metric of one candidate against the baseline, whether or not a gate depends on it. */
export interface ReportGate {
  /** Name of the target. */
  candidate: string;
  /** Name of the metric. */
  metric: string;
  /** The limit that it decides by. Left out: no gate depends on it, or nothing is known of it. */
  kind?: GateKind;
  /** Unique name for a reader: the metric, with the value of a tag that a gate is about, and what it counts. */
  name: string;
  /** The cases that it is about; null: all. */
  slice: {
    /** Name of the tag. */
    tag: string;
    /** Value of the tag. */
    value: string;
  } | null;
  /** Null: measured, but no gate depends on it. */
  state: GateState | null;
  /** The state as it is said; null: no gate depends on it. */
  word: GateWord | null;
  /** A loss that is sure, whatever the limit, in the unit of the metric: positive is better. Left out: none is, or the state is a regression. */
  sureLoss?: {
    /** Upper bound of the difference, below 0, at the level of this claim. */
    upper: number;
    /** Confidence of that bound, such as 0.99. */
    confidence: number;
    /** One-sided, of no loss, over all gates (Holm). */
    p: number;
  };
  /** A metric without a gate is surely worse or better, whatever the limit; left out: that is not sure, or it has a gate. */
  sure?: "worse" | "better";
  /** Labels of people beside the judge that grades; where they decide, the figures of the gate are as people see them. Left out: it is no judge, or nobody labelled. */
  people?: ReportPeople;
  /** A value of a tag with too few cases for a pass: the verdict does not wait for it. */
  tooFew: boolean;
  /** The loss that is still accepted, in the unit of the metric; null without a gate, and where losses are counted. */
  margin: number | null;
  /** Cases that a gate counts; null where a margin decides. */
  losses: {
    /** Cases that passed in all runs of the baseline and in none of the candidate. */
    lost: Integer;
    /** Those of them that have no answer of the candidate; left out: none. */
    unanswered?: Integer;
    /** Those of them that are answered, and not graded; left out: none. */
    ungraded?: Integer;
    /** The reverse. */
    gained: Integer;
    /** Cases that were looked at. */
    cases: Integer;
    /** Losses that are accepted. */
    allowed: Integer;
  } | null;
  /** Cases that have to hold over repeats. Left out: the gate asks for none. */
  tries?: {
    /** Passes that are asked of each case. */
    pass: Integer;
    /** Tries of each case that they are asked of. */
    of: Integer;
    /** Cases that were looked at. */
    cases: Integer;
    /** Cases that hold. */
    held: Integer;
    /** Cases that do not. */
    failing: Integer;
    /** Cases that still may: too few of their tries are in. */
    open: Integer;
    /** Keys of the first cases that do not hold; `row 12` where nobody gave one. */
    rows: string[];
  };
  /** Signed so that positive is better. */
  difference: number | null;
  /** The bounds by which a gate decides, the upper one at the level of a loss that is sure; of a metric without a gate, or by which a candidate is called better, its two-sided interval. Null where none can be told. */
  interval: ShownInterval | null;
  /** Confidence of the interval, or of each of two one-sided bounds, such as 0.95. */
  confidence: number;
  /** Confidence of the upper bound of a gate, where it is another one (Holm); left out: as that of the lower. */
  upperConfidence?: number;
  /** The run stopped when this was decided: what was measured is too large then, and the bound is what holds. Left out: it did not. */
  stoppedEarly?: true;
  /** 1: the one-sided bounds by which a gate decides; 2: a two-sided interval, of a metric without a gate, or by which a candidate is called better. */
  sides: 1 | 2;
  /** The p of the gate's claim: of a pass, that not more is lost than the margin, else that more is. Two-sided, of no difference, without a gate and where a candidate is called better. */
  p: number | null;
  /** One-sided, of no loss beyond the margin, over all gates (Holm): what the gate decides by. Null where no gate is. */
  pLoss: number | null;
  /** Value of the baseline in the cases that are compared. */
  baseline: number | null;
  /** Value of the candidate in the same cases. */
  now: number | null;
  /** Cases that are compared. */
  cases: Integer;
  /** Clusters of them, such as conversations. */
  clusters: Integer | null;
  /** The same in words: `40 conversations`, or `40 groups by article`; null where every case is its own. */
  groups: string | null;
  /** Questions that its cases are, where some ask the same; left out: as many. */
  questions?: Integer;
  /** Why cases differ. Left out: each was run once, so that it is not known how far answers vary by themselves. */
  noise?: {
    /** Share of the variation that is due to runs: more repeats make it smaller, more cases the rest. */
    share: number;
    /** Mean runs of a case, of the side that has more. */
    runs: number;
  };
  /** The word that its rows alone would give, where rows of one value of a column that nobody named go wrong together and it is judged by that column; left out: it is judged as the suite says. */
  byRows?: GateWord;
  /** Cases that got worse. */
  worse: Integer;
  /** Cases that got better. */
  better: Integer;
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
  /** Advice that would settle it, or the reason why there is no answer, without the end mark of its last sentence; null when there is nothing to add. */
  advice: string | null;
  /** The end of that advice that is no number of rows: why it is open although nothing speaks against it, or another way to compare. Left out: there is none. */
  otherAdvice?: string;
}

/** Labels of people, and the judge's own figures beside them. */
export interface ReportPeople extends Omit<PeopleView, "judge" | "alone" | "corrected" | "agreement" | "refused"> {
  /** Why the labels decide nothing, in words; null: they decide. */
  refused: string | null;
  /** Two-sided 95 % interval of the difference as people see it; null where the labels decide nothing. */
  interval: ShownInterval | null;
  /** Weight of the judge in it, from 0: it tells nothing; null where no judge takes part. */
  lambda: number | null;
  /** Correlation of the judge's differences with those of people; null where there is none. */
  correlation: number | null;
  /** Few labelled cases differ, so that the interval was widened. */
  isWidened: boolean;
  /** Agreement of those who labelled; left out: one did. */
  agreement?: {
    /** Names of those who labelled. */
    labellers: string[];
    /** Answers that two of them or more labelled. */
    both: Integer;
    /** Krippendorff's alpha; null where it is not known. */
    alpha: number | null;
    /** Its 95 % interval; null below 20 such answers, and where nobody disagrees. */
    interval: ShownInterval | null;
  };
  /** The difference by the labels alone, without the judge; null where they decide nothing, and where every case has one. */
  alone: {
    /** Signed so that positive is better. */
    difference: number;
    /** Two-sided 95 % interval of it. */
    interval: ShownInterval | null;
  } | null;
  /** The figures by the judge alone. */
  judge: {
    /** Value of the baseline. */
    baseline: number | null;
    /** Value of the candidate. */
    now: number | null;
    /** Signed so that positive is better. */
    difference: number | null;
    /** Two-sided 95 % interval of it. */
    interval: ShownInterval | null;
  };
}

/** The outcome of asking the cases of a regression once more. */
export interface ReportConfirmation {
  /** The reason why the second look does not count, so that the first one stands; null: it does. */
  unfinished: string | null;
  /** The gates that called a regression at first. */
  gates: {
    /** Name of the target. */
    candidate: string;
    /** Name of the metric. */
    metric: string;
    /** Name of the gate. */
    name: string;
    /** By the rule of two looks: a regression only where the first look and both together say so. */
    state: GateState;
    /** By the runs that were planned. */
    first: LookFigures;
    /** By the further runs alone; null where there was none that counts. */
    second: LookFigures | null;
    /** By all runs, those of a case averaged first; null where there was no second look that counts. */
    together: LookFigures | null;
  }[];
}

import type { HeldBy, PairedComparison, TestName } from "../../stats/difference.ts";
import type { TriesAsked } from "../../stats/planning/tries.ts";
import type { GateKind } from "../../suite/gate-settings.ts";
import type { Cause, NoDrop, OpenCause, RowUnit, UnitCount } from "../cause.ts";
import type { MeasureOf } from "../comparison-plan.ts";
import type { ComparedFigures } from "../metrics/figures.ts";
import type { PeopleView } from "../metrics/people-view.ts";
import type { TagValue } from "../slice-name.ts";
import type { GroupColumn } from "../tallies/group-columns.ts";
import type { GuardName } from "./guards.ts";
import type { GateState, GateWord } from "../verdict-word.ts";

/** Subject of a gate: a metric of one candidate. */
export interface GateAbout {
  metric: string;
  of: MeasureOf;
  candidate: string;
  baseline: string;
  /** The cases that it is about; null: all. */
  slice: TagValue | null;
  /** A regression is asked once more before it counts. */
  confirm?: true;
}

/** The figures of the cases that a gate is about. */
export interface GateFigures extends ComparedFigures {
  comparison: PairedComparison | null;
}

/** The record of a gate: it is asked, decided and shown as this one object. */
interface Facts extends GateAbout {
  /** ComparedFigures of its slice; null where the gate is about all cases, whose metric has them. */
  figures: GateFigures | null;
  state: GateState;
  /** The same as it is said: never `better`, which is said of a candidate. */
  word: GateWord;
  /** A value of a tag with too few cases for a pass: it is named as such, and the verdict does not wait for it. */
  tooFew: boolean;
  /** The guard that keeps it from saying more; null: none does. */
  guard: GuardName | null;
  /** Why it is invalid or cannot be decided; null otherwise. */
  reason: Cause | null;
}

/** A gate that accepts a loss. */
export interface MarginFacts extends Facts {
  kind: "margin";
  /** The loss that is accepted: a share for a pass rate and a ratio, else in the unit of the score. */
  margin: number;
  /** Null where nothing could be inferred. */
  decided: BoundsEvidence | null;
  /** A loss that is sure, whatever the limit; null: none is, or it is a regression, which says more. */
  sureLoss: SureLoss | null;
  /** The smallest true drop that this gate calls a regression with 80 % power; null where none is, with the reason. */
  smallestDrop: number | null;
  noSmallestDrop: NoDrop | null;
  /** Advice that would settle it; null when it is settled, or when nothing would. */
  settle: GateAdvice | null;
  /** An undeclared column, by which it is judged because rows of one value go wrong together. */
  dependence?: GateDependence;
  /** An undeclared column, by which a gain that is sure by rows is not. */
  openGain?: OpenGain;
  /** Labels of people beside the judge that grades. */
  people?: PeopleView;
}

/** A gate on what is deterministic: how many cases turned from pass to fail. */
interface LossesFacts extends Facts {
  kind: "losses";
  /** The most that may. */
  losses: number;
  decided: LossesEvidence | null;
}

/** A gate on rows that have to hold over repeats: how many do. */
interface CasesFacts extends Facts {
  kind: "cases";
  tries: TriesAsked;
  decided: TriesEvidence | null;
}

interface ByKind {
  margin: MarginFacts;
  losses: LossesFacts;
  cases: CasesFacts;
}

export type FactsOf<K extends GateKind> = ByKind[K];
export type GateFacts = ByKind[GateKind];

/** One-sided bounds of the difference and p values, by every method that has to agree; positive is better. */
export interface BoundsEvidence {
  by: TestName;
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
  /** Names what made a claim too weak, where the plain test would make it; null: nothing did. */
  heldBy: HeldBy | null;
  /** The loss of one more case with which a pass of a score without ends has to hold; the lower bound counts it. */
  oneMore?: number;
}

/** A difference that is surely below 0, by the rule of its gate: positive is better. */
export interface SureLoss {
  /** Upper bound of the difference at the level of the claim, below 0. */
  upper: number;
  /** Confidence of that bound. */
  confidence: number;
  /** One-sided, of H0: nothing is lost; adjusted over all gates (Holm). */
  p: number;
}

interface LossesEvidence {
  /** Cases in which the baseline passed in all its runs, and the candidate in none; and the reverse. */
  lost: number;
  gained: number;
  /** Cases that were looked at. */
  cases: number;
  /** Those that were lost because the candidate has no answer, and because it has no grade. */
  unanswered?: number;
  ungraded?: number;
}

export interface TriesEvidence {
  /** Cases that were looked at; that hold, that cannot hold any more, and that may still. */
  cases: number;
  held: number;
  failing: number;
  open: number;
  /** Names of the first of those that do not hold. */
  rows: string[];
}

/** Advice that would settle a gate, were the difference to stay. */
export type GateAdvice = SettlingAdvice & {
  /** The fewest cases with which it passes when none got worse, where there are not so many; null elsewhere. */
  fewestToPass: number | null;
  /** Other ways to compare a skewed score without bounds, which differ less by chance; empty where it is not. */
  instead: ("median" | "ratio")[];
  /** Runs of each row that tell answers by chance from those that changed; left out: they were made, or cannot be. */
  repeatFirst?: number;
  /** Why rows that newly fail could be counted instead, in the next run; left out: they may fail by chance. */
  countRows?: CountedRows;
  /** The look for which the advice is made: with the level that is left for it. Left out: as this one. */
  next?: NextLook & {
    /** The fewest cases with which it passes when none got worse; null: that is no number of cases. */
    fewestToPass: number | null;
    /** The most cases for which its level holds; left out: for any number. */
    most?: number;
  };
};

/** Grades that are no chance: both sides repeat their answers, or the baseline was graded alike in all runs of every row. */
export type CountedRows = "repeats itself" | "graded alike";

/** A second look at the same comparison, over all of its cases and new ones. */
export interface NextLook {
  alpha: number;
  /** The source of this level: the suite (`looks: 2`), the flag `--second-look`, or `alpha` of the suite. */
  by: "suite" | "flag" | "alpha";
}

/** The cause that keeps a gate open whatever rows are added: a difference beside the limit, runs that vary, or groups that go together. */
export type LastingCause = Extract<OpenCause, { kind: "close" | "noisy" | "grouped" }>;

export type SettlingAdvice =
  /** Number of cases in all, in so many groups; or number of runs of each case that there is. */
  | { kind: "cases"; cases: number; groups: UnitCount | null; repeats: number | null }
  /** A number of cases that is too large to write, null: not known; and runs of each case that there is that do instead. */
  | { kind: "too many"; cases: number | null; repeats: number | null; cause: LastingCause["kind"] }
  /** Clusters that it takes before anything can be decided. */
  | { kind: "clusters"; least: number; of: RowUnit }
  /** In so many cases the candidate lacks a grade: they come first, since a pass has to hold with each of them as a loss. */
  | { kind: "gaps"; cases: number }
  /** It is decided by people's labels: so many labelled cases in all, `more` of them new, or null where so many cases are needed first. */
  | { kind: "labels"; labels: number | null; more: number; cases: number | null; isAll: boolean }
  /** It was the last look: a further one would find something by chance too often. */
  | { kind: "last" }
  | { kind: "unknown" };

/** Levels at which gates decide. Where alpha is spent over nights a pass keeps the whole of it: what is spent are false alarms. */
export interface GateLevels {
  alpha: number;
  passAlpha: number;
}

/** Rows of one value of the column, and those of them that got worse. */
export interface WorstGroup {
  value: string;
  worse: number;
  rows: number;
}

/** A column that the suite does not declare. */
export interface UnnamedColumn extends Pick<GroupColumn, "cluster" | "asTag" | "groups"> {
  column: string;
}

/** A gain that is sure by rows, and is not where each value of a column is one observation. */
export interface OpenGain extends UnnamedColumn {
  /** Two-sided p of the difference, where each value is one observation; null: there is none. */
  p: number | null;
}

/** A column whose rows go right or wrong together, and that opened what the rows alone had said. */
export interface GateDependence extends UnnamedColumn {
  icc: number | null;
  /** The difference where each value is one observation. */
  comparison: PairedComparison;
  /** Adjusted over all columns (Holm). */
  p: number;
  /** The word of the gate by its rows alone. */
  byRows: GateWord;
  /** Values in which most got worse. */
  worst: WorstGroup[];
}

import type { PairedDifference, HeldBy, PairedComparison, TestName } from "../../stats/difference.ts";
import type { TriesAsked } from "../../stats/planning/tries.ts";
import type { GateKind } from "../../suite/gate-settings.ts";
import type { MeasureOf } from "../comparison-plan.ts";
import type { GroupColumn } from "../tallies/group-columns.ts";
import type { GateState, GateWord } from "../verdict-word.ts";
import type { PeopleView } from "./people-view.ts";
import type { FloorCause } from "./floor-cause.ts";
import type { NoiseSummary } from "./metric-noise.ts";

/** Question and result of each kind of gate. */
interface Shapes {
  margin: { question: MarginQuestion; result: MarginGateResult };
  losses: { question: LossesQuestion; result: LossesGateResult };
  cases: { question: CasesQuestion; result: CasesGateResult };
}

export type QuestionOf<K extends GateKind> = Shapes[K]["question"];
export type ResultOf<K extends GateKind> = Shapes[K]["result"];

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
export type GateResult = Shapes[keyof Shapes]["result"];

/** The figures of the cases of a tag, as those of a metric over all cases. */
export interface SegmentFigures {
  cases: number;
  /** Means, or medians where these are compared. */
  baseline: number | null;
  candidate: number | null;
  worse: number;
  better: number;
  comparison: PairedComparison | null;
}

interface GateOutcome extends GateAbout {
  /** Figures of the segment; null where the gate is about all cases, whose metric has them. */
  figures: SegmentFigures | null;
  state: GateState;
  /** The same as it is said: never `better`, which is said of a candidate. */
  word: GateWord;
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
  decided: BoundsEvidence | null;
  /** A loss that is sure, whatever the limit; null: none is, or it is a regression, which says more. */
  sureLoss: SureLoss | null;
  /** The smallest true drop that this gate calls a regression with 80 % power; null where none is, with the reason. */
  smallestDrop: number | null;
  noSmallestDrop: string | null;
  /** Advice that would settle it; null when it is settled, or when nothing would. */
  settle: GateAdvice | null;
  /** A column that nobody named, by which it is judged because rows of one value go wrong together; left out: it is judged as the suite says. */
  dependence?: GateDependence;
  /** A column that nobody named, by which a gain that the rows make sure is not. Left out: there is none. */
  openGain?: OpenGain;
  /** It cannot be told because nothing varied in a score without ends; left out: that is not why. */
  lacksRange?: true;
  /** The loss that could hide under its pass; left out: none could, or it is no pass. */
  hidden?: HiddenLoss;
  /** Labels of people beside the judge that grades; left out: it is no judge, or nobody labelled. */
  people?: PeopleView;
}

/** A gate on what is deterministic: how many cases turned from pass to fail. */
export interface LossesGateResult extends GateOutcome {
  kind: "losses";
  /** The most that may. */
  losses: number;
  decided: LossesEvidence | null;
}

/** A gate on rows that have to hold over repeats: how many do. */
export interface CasesGateResult extends GateOutcome {
  kind: "cases";
  tries: TriesAsked;
  decided: TriesEvidence | null;
}

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
  /** The loss of one more case with which a pass of a score without ends has to hold; the lower bound counts it. Left out: none is asked. */
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
  /** Those that were lost because the candidate has no answer, and because it has no grade; left out: none. */
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

export type SettlingAdvice =
  /** Number of cases in all, such as in `40 conversations`; or number of runs of each case that there is. */
  | { kind: "cases"; cases: number; groups: string | null; repeats: number | null }
  /** Number of cases that nobody would write, null: not known; and runs of each case that there is that do instead. */
  | { kind: "too many"; cases: number | null; repeats: number | null }
  /** Clusters that it takes before anything can be decided. */
  | { kind: "clusters"; least: number; noun: string }
  /** It is decided by people's labels: so many labelled cases in all, `more` of them new, or null where so many cases are needed first. */
  | { kind: "labels"; labels: number | null; more: number; cases: number | null; isAll: boolean }
  /** It was the last look: a further one would find something by chance too often. */
  | { kind: "last" }
  | { kind: "unknown" };

/** Question of a gate, with the numbers that it decides by. */
export type GateQuestion = Shapes[keyof Shapes]["question"];

interface Asked extends GateAbout {
  /** Figures of the segment; null where the gate is about all cases. */
  figures: SegmentFigures | null;
  /** The reason why nothing may be decided; null when something may. */
  invalid: string | null;
  /** The reason why nothing is claimed, although it is valid: the cases were chosen by what was seen in them; null: they were not. */
  chosen: string | null;
  /** Why its scorer measures nothing, so that nothing is decided; null: it does. */
  unable: string | null;
}

export interface MarginQuestion extends Asked {
  kind: "margin";
  /** As it is written. */
  margin: number;
  /** A margin as the statistics take it: of a ratio the logarithm. */
  lossOf: (margin: number) => number;
  /** Null without a case. */
  inferred: Inferred | null;
  noise: NoiseSummary | null;
  /** Null where the candidate has no more gaps than the baseline. */
  gaps: GapsOfGate | null;
  /** The baseline was run before and stays as it is. */
  fixedBaseline: boolean;
  /** The column by which cases belong together; null: they are turns of a conversation, or each its own. */
  clusterColumn: string | null;
  /** Room of the baseline to fall; null: there is no end. */
  headroom: number | null;
  /** Why a metric without headroom says nothing of these cases, as far as it is known. */
  floorCause: FloorCause | null;
  /** Other ways to compare the score, where it has no bounds. */
  instead: ("median" | "ratio")[];
  /** The look after this one; null: none is offered. Left out: as this one. */
  next?: NextLook | null;
  /** Each row of the candidate can be asked more often, and was asked too seldom to tell chance from change. */
  repeatFirst: boolean;
  /** Why each row that newly fails can be counted as one that changed; null: it may have failed by chance. */
  countRows: CountedRows | null;
  /** Values of the tag that this gate asks one by one: they share the weight of one gate. */
  values: number;
  /** Null: it was looked at once, when all cases were in. */
  looked: LookedAt | null;
  /** The most that a case can differ by; null: there is no end. */
  range: number | null;
  /** Labels of people beside the judge that grades; left out: it is no judge, or nobody labelled. */
  people?: PeopleView;
  /** Why a pass would say little: many values lie beyond the ends that the suite gives the score; null: few do. */
  outside: string | null;
  /** The same by each column that nobody named; left out: none is asked. */
  byColumns?: () => readonly ByColumn[];
  /** The column by which it is judged, because its rows are no observations of their own; left out: it is judged by rows. */
  dependence?: GateDependence;
  /** Groups of rows that were drawn together, as the suite or the name of a column says; left out, or null: none is looked for, or there is none. */
  groups?: () => Pick<HiddenLoss, "column" | "groups"> | null;
}

/** A loss that could hide under a pass, because its rows are of fewer groups than the limit takes. */
export interface HiddenLoss {
  /** The column of the groups; null: they are conversations. */
  column: string | null;
  groups: number;
  /** The most that so few groups do not exclude, of which none got worse, in the unit of the metric. */
  loss: number;
}

/** Cases of a gate in which the candidate has more gaps than the baseline: a pass must hold with each gap as a fail of its side too. */
export interface GapsOfGate {
  /** Cases in which the candidate has a gap. */
  cases: number;
  /** The metric with each gap as a fail of its side. */
  inferred: Inferred | null;
  /** The most of them that may be wrong for a pass, were the others right; null: it takes more than one run of a case to tell. */
  mayBeWrong: (passAlpha: number) => number | null;
}

/** A gate that was looked at after each case, so that the run could stop when it was decided. */
export interface LookedAt {
  /** Cases that it would have in the end. */
  planned: number;
  /** Cases that a pass takes with none worse. */
  fewest: number;
}

/** A difference with the rule that judges it. */
export interface Inferred {
  comparison: PairedComparison;
  difference: PairedDifference;
}

export interface LossesQuestion extends Asked {
  kind: "losses";
  losses: number;
  counted: LossesEvidence;
  /** Cases that the baseline passes in all its runs: the others cannot be lost. */
  passing: number;
  /** Cases of the plan that were not looked at, because the run stopped when it was decided. */
  left: number;
  floorCause: FloorCause | null;
}

export interface CasesQuestion extends Asked {
  kind: "cases";
  tries: TriesAsked;
  counted: TriesEvidence;
  /** Names of the first cases that are open. */
  openRows: string[];
  /** Cases of the plan that were not looked at, because the run stopped when it was decided. */
  left: number;
}

/** Levels at which gates decide. Where alpha is spent over nights a pass keeps the whole of it: what is spent are false alarms. */
export interface GateLevels {
  alpha: number;
  passAlpha: number;
}

/** The same difference, where the rows of one value of a column are one observation. */
export interface ByColumn {
  column: Pick<GroupColumn, "tag" | "cluster" | "asTag" | "isNamed" | "groups">;
  inferred: Inferred;
  /** Intraclass correlation of the differences; null without variation. */
  icc: number | null;
  /** p of H0: rows of one value are no more alike than others; null where nothing differs. It is drawn when it is asked for. */
  likeness: () => number | null;
  worst: () => WorstGroup[];
}

/** Rows of one value of the column, and those of them that got worse. */
export interface WorstGroup {
  value: string;
  worse: number;
  rows: number;
}

/** A column that nobody named. */
export interface UnnamedColumn {
  column: string;
  /** Value of `case.cluster` if its values are a sample, and of `case.tags` if they are all there are; null: no tag can be made of it. */
  cluster: string;
  asTag: string | null;
  groups: number;
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

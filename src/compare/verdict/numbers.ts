import type { Cause, FloorPasses } from "../cause.ts";
import type { Inferred } from "../metrics/metric-inference.ts";
import type { NoiseSummary } from "../metrics/metric-noise.ts";
import type { GroupColumn } from "../tallies/group-columns.ts";
import type { CountedRows, GateAbout, MarginFacts, NextLook, WorstGroup } from "./facts.ts";
import type { Basis } from "./guards.ts";

/** The numbers that a gate with a margin is judged by. */
export interface MarginNumbers {
  about: GateAbout;
  /** As it is written. */
  margin: number;
  /** A margin as the statistics take it: of a ratio the logarithm. */
  lossOf: (margin: number) => number;
  /** Null without a case. */
  inferred: Inferred | null;
  noise: NoiseSummary | null;
  /** Null where the candidate has no more gaps than the baseline. */
  gapsOfSide: GapsOfGate | null;
  /** The baseline was run before and stays as it is. */
  fixedBaseline: boolean;
  /** The column by which cases belong together; null: they are turns of a conversation, or each its own. */
  clusterColumn: string | null;
  /** Room of the baseline to fall; null: there is no end. */
  headroom: number | null;
  /** The rows that pass a metric without headroom, as far as they are known. */
  floorPasses: FloorPasses | null;
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
  /** The size of a gate that was looked at while its cases came in; null: it was looked at once, when all were in. */
  looked: LookedAt | null;
  /** The most that a case can differ by; null: there is no end. */
  range: number | null;
  /** Labels of people beside the judge that grades. */
  people?: MarginFacts["people"];
  /** Why a pass would say little: many values lie beyond the ends that the suite gives the score; null: few do. */
  outsideRange: Cause | null;
  /** The same by each undeclared column. */
  byColumns?: () => readonly ByColumn[];
}

/** A gate that was looked at after each case, so that the run could stop when it was decided. */
export interface LookedAt {
  /** Cases that it would have in the end. */
  planned: number;
  /** Cases that a pass takes with none worse. */
  fewest: number;
}

export interface MarginBasis extends Basis {
  numbers: MarginNumbers;
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

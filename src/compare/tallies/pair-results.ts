import type { RelabelTally } from "../../stats/resampling/relabel.ts";
import type { CaseChange } from "../cases/case-kinds.ts";
import type { DifferentCase } from "./different-case.ts";
import type { FlipSummary } from "./flips.ts";
import type { MetricNumbers } from "./metric-tally.ts";
import type { GroupColumn } from "./group-columns.ts";
import type { PairingSummary } from "./pairing-tally.ts";
import type { Slices } from "./slices.ts";
import type { StructureTally } from "./structure-tally.ts";

/** Counts of cases that are in both sides. */
export interface PairCounts {
  /** Cases in which both sides have a run record: the counts of answers and members are out of these. */
  compared: number;
  /** Cases in which a side is not finished or was never planned. */
  unfinished: number;
  /** Cases in which a side ended without a run record. */
  failed: number;
  answerDiffers: number;
  /** Cases among those that differ no more than the baseline from itself. */
  answerVaries: number;
  membersDiffer: number;
  /** Number of all finished cases whose outcome differs. */
  outcomeDiffers: number;
  /** Number of finished cases with an expected text that only the baseline's answer holds, and only the candidate's. */
  expectedLost: number;
  expectedGained: number;
  /** Cases whose sides were graded by other expected texts: in batches between which the dataset changed. */
  expectedDiffers: number;
  /** Keys of the first of them. */
  expectedDiffersIn: string[];
  /** Cases in which both sides were asked, and those of them in which the candidate was asked after the baseline. */
  bothAsked: number;
  askedSecond: number;
}

/** All that was collected of a pair when the last case has gone by. */
export interface PairResults {
  counts: PairCounts;
  changes: Partial<Record<CaseChange, number>>;
  pairing: PairingSummary;
  flips: FlipSummary;
  mostDifferent: DifferentCase[];
  medianGapMs: number | null;
  structure: StructureTally;
  texts: RelabelTally;
  /** The baseline has two runs or more of some case, answered or not. */
  repeated: boolean;
  /** Number of cases that would be `changed`, were all answers of one side; null where it cannot be known. */
  changedByChance: number | null;
  meanDistance: number | null;
  meanNoise: number | null;
  /** Logarithms of candidate / baseline of each case. */
  latency: Float64Array;
  /** Numbers in the order of the metrics that are compared. */
  metrics: MetricNumbers[];
  /** Number of each case's cluster; null when every case is its own. Where the suite names none, cases with the same input are one. */
  clusters: Int32Array | null;
  /** Number of each case's question, where some are asked several times; else null. */
  questions: Int32Array | null;
  /** Number of each case's input, where the suite names no clusters and some inputs are the same; else null. */
  asked: Int32Array | null;
  /** Columns that stand for nothing else, by which cases may belong together: found when they are asked for. */
  groupColumns?: () => readonly GroupColumn[];
  /** Place of each case's cluster in the order of sending, where the run could stop when it was decided; else empty. */
  sent: Int32Array;
  slices: Slices;
  /** Characters of the expected answers in the median; null where none is expected. */
  expectedLength: number | null;
}

import type { HistoryAlarm, NightName } from "./alarm.ts";
import type { ReportConfirmation, ReportGate } from "./gate.ts";
import type { ShownInterval } from "./interval.ts";
import type { CaseChange, CaseFlip } from "../../compare/cases/case-kinds.ts";
import type { ReportRow } from "./row.ts";
import type { ReportScores } from "./scores.ts";
import type { ReportTarget } from "./target.ts";

export type { ReportConfirmation, ReportGate, ReportLook, ShownGateState } from "./gate.ts";
export type { ShownInterval } from "./interval.ts";

export type { ReportChange, ReportRow, ReportRun, ReportSide, RunExtras, RunScore, SideScore } from "./row.ts";
export type { Latency, ReportTarget } from "./target.ts";

/**
 * The content of every report, as plain data: a summary whose size does not depend on the number of cases, and one row
 * for each case. The page of a report and of the viewer knows nothing else. Rates and shares are between 0 and 1, times
 * are milliseconds, instants are milliseconds since 1970; a null is something that is not known, with the reason near
 * it.
 */
export interface ReportSummary {
  /** Version of this shape; a reader refuses a newer one. */
  version: 1;
  /** Version of tandem. */
  tandem: string;
  suite: string;
  batch: string;
  /** `finished`, or how far it came. */
  state: string;
  /** The reason why it stopped before its end; null otherwise. */
  reason: string | null;
  startedAt: number;
  /** The time in which it was read and sent, over all its starts; null while it is not finished. */
  durationMs: number | null;
  verdict: Verdict;
  /** Requests spared by a run that could stop when it was decided; null: it was to be run to its end. */
  stopping: ReportStopping | null;
  /** A regression that was asked once more, by each look; left out: none was. */
  confirmation?: ReportConfirmation;
  /** The one thing to do next, in words and as a command; null: not known. */
  next: { why: string; command: string } | null;
  /** The target that every candidate is compared with; null when nothing is compared, or each with another. */
  baseline: string | null;
  candidates: string[];
  /** The pairs that are compared, in the order of the candidates and of the changes of a row. */
  pairs: { baseline: string; candidate: string }[];
  /** Targets in the order of the suite; the sides of a row have the same order. */
  targets: ReportTarget[];
  /**
   * All targets of the suite, its baseline first, by which pictures tell them apart in every report of it; left out:
   * not known.
   */
  suiteTargets?: string[];
  /** The primary one first; the scores of a row have the same order. */
  metrics: ReportMetric[];
  /** Each metric of each pair, those that a gate decides by first. */
  gates: ReportGate[];
  /** `isPartial`: parts of the run are missing on purpose, as a caution tells; left out: none is. */
  validity: { state: "valid" | "invalid" | "unknown"; checks: ValidityCheck[]; isPartial?: boolean };
  /** Flips of each candidate: every kind, also those without a case. */
  flips: ReportFlip[];
  /** Behaviour of each candidate compared with the baseline. */
  behaviour: ReportBehaviour[];
  /** Member paths that differ, the most telling first. */
  members: ReportOutputField[];
  slices: ReportSlice[];
  /** The judges that were asked to grade answers; empty if there was none. */
  judges: ReportJudge[];
  /** Requests that were sent although an earlier one for the same job may have been paid: for answers, and to judges. */
  possiblyPaidTwice: { cases: number; judges: number };
  /** Earlier batches of the suite and this one, the oldest first. */
  past: PastBatch[];
  /** Changes over these nights that were noticed tonight, go on, or ended tonight. */
  alarms: HistoryAlarm[];
  /** Regressions of earlier nights that this one leaves open; left out: none. */
  stillOn?: StillOn;
  /**
   * Cautions to weigh before relying on the verdict: cases that are not compared, changes that happened meanwhile;
   * sentences.
   */
  cautions: string[];
  /** These, and what else a reader should know, as sentences. */
  notes: string[];
  cases: number;
  /** Tag to its most frequent values with the number of cases. */
  tags: Record<string, { value: string; cases: number }[]>;
  /** The scores of metrics that do more than pass or fail, counted. */
  scores: ReportScores[];
}

/** Regressions that count although the last night does not decide, in a sentence, and the night in which they began. */
export interface StillOn {
  sentence: string;
  began: NightName;
}

interface ReportStopping {
  /** Cases after which it was decided; null: it was not. */
  decidedAfter: number | null;
  /** Jobs of the plan; requests that were sent for them, retries included; jobs that were not sent. */
  planned: number;
  sent: number;
  spared: number;
  /** Price of what was not sent; null: not known, or nothing is. */
  saved: number | null;
}

export type VerdictState = "regression" | "pass" | "inconclusive" | "invalid" | "none";

export interface Verdict {
  state: VerdictState;
  /** The metric that the sentence is about; null: of none. A count of another metric beside it says so. */
  metric: string | null;
  /** The whole result in one sentence without statistics: the same in the terminal, the page, the mail and every file. */
  sentence: string;
  /** The reasons behind it, and advice that would settle it. */
  details: string[];
  /** Measurement behind it: figures with bounds, p and test, and the smallest drop that could have been found. */
  measured: string[];
}

/** A judge, and what asking it took. */
export interface ReportJudge {
  name: string;
  deployment: string;
  questions: number;
  /** Number of these asked for this grading: the others were known. */
  asked: number;
  /** Number of questions without a reply. */
  failed: number;
  /** Cost of the questions asked for this grading; null without a price. */
  cost: number | null;
}

export interface ReportMetric {
  /** Unique: a scorer that is compared in two ways has the second in its name. */
  name: string;
  scorer: string;
  type: string;
  primary: boolean;
  lowerIsBetter: boolean;
  /** It says pass or fail: its figures are rates. */
  passes: boolean;
  /** Differences are shares of what the baseline has, not values. */
  relative: boolean;
  /** Its figures are medians; left out: they are means, or rates. */
  isMedian?: boolean;
  unit: string | null;
  /** Least value of its scale; null: unbounded. */
  min: number | null;
  max: number | null;
}

export interface ValidityCheck {
  ok: boolean;
  text: string;
}

export interface ReportFlip {
  candidate: string;
  /** Passing and failing are those of one metric in all runs of a case; null: no metric says so. */
  metric: string | null;
  kind: CaseFlip;
  cases: number;
  /** Keys of the first cases. */
  keys: string[];
  /** Their rows in the sheet. */
  rows: Pick<ReportRow, "row" | "file">[];
}

export interface ReportBehaviour {
  candidate: string;
  /** Null: not measured. */
  changed: boolean | null;
  sentence: string;
  /** Measurement behind it, in a sentence. */
  measured: string;
  /** Number of cases by kind of change. */
  kinds: Partial<Record<CaseChange, number>>;
}

export interface ReportOutputField {
  candidate: string;
  path: string;
  /** Its change, in words. */
  about: string;
  /** Cases in which it differs from the baseline, and in which the baseline differs from itself. */
  cases: number;
  noise: number | null;
  of: number;
  /** Adjusted for the number of paths. */
  p: number | null;
}

/** A metric in the cases with one value of a tag, or of two. */
export interface ReportSlice {
  candidate: string;
  metric: string;
  tag: string;
  value: string;
  /** The value of a second tag that the cases have too; null: a tag alone. */
  and: { tag: string; value: string } | null;
  cases: number;
  baseline: number | null;
  now: number | null;
  difference: number | null;
  interval: ShownInterval | null;
  /** Adjusted for the number of slices, pairs of tags among them. */
  p: number | null;
  /** Others that are worse, without whose cases it is not worse for sure; empty: it is worse by itself, or not at all. */
  heldBy: { tag: string; value: string; and: { tag: string; value: string } | null }[];
  /** Cases that got worse, and better. */
  worse: number;
  better: number;
  /** It lost much, but not so that chance among so many slices is ruled out: worth a look, and no finding. */
  isHint: boolean;
}

/** A batch among those of its suite. */
export interface PastBatch extends NightName {
  /** Verdict of its comparison; null: nothing was decided. */
  verdict: string | null;
  /** True where other cases of the sheet were asked than in most batches. */
  otherCases: boolean;
  /** Changes since the batch before, in a few words each. */
  changes: string[];
  /** Alarms that were noticed in it, as sentences. */
  noticed: string[];
  /** Target to metric to value. */
  scores: Record<string, Record<string, { value: number | null; interval: ShownInterval | null }>>;
}

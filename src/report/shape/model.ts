import type { NightName, TimedAlarm, TimedNight } from "./alarm.ts";
import type { ReportChoice } from "./choice.ts";
import type { Findings } from "./findings.ts";
import type { JudgeWatch } from "./judge-watch.ts";
import type { ReportConfirmation, ReportGate } from "./gate.ts";
import type { ShownInterval } from "./interval.ts";
import type { VerdictClaim, VerdictWord } from "../../compare/verdict-word.ts";
import type { CaseChange, CaseFlip } from "../../compare/cases/case-kinds.ts";
import type { NextStep } from "./next-step.ts";
import type { LostTag } from "../../compare/summary/lost-tags.ts";
import type { WorsePlace } from "../../compare/summary/places.ts";
import type { SliceCell, SliceTable } from "../../compare/summary/slice-table.ts";
import type { SliceSummary } from "../../compare/summary/slices.ts";
import type { ReportRow } from "./row.ts";
import type { ReportTarget } from "./target.ts";
import type { Integer } from "../../lib/integer.ts";
import type { storedVersion } from "../../lib/stored-version.ts";

export type { ReportConfirmation, ReportGate } from "./gate.ts";
export type { ShownInterval } from "./interval.ts";

export type { ReportChange, ReportRow, ReportRun, ReportSide, RunExtras, RunScore, SideScore } from "./row.ts";
export type { Latency, ReportTarget } from "./target.ts";

/**
 * A result as `report.json` holds it, and as every other report is drawn from it: its size does not depend on the number of
 * cases. Rates and shares are between 0 and 1, times are milliseconds, instants ISO 8601; a null is something that is not known,
 * with the reason near it.
 */
export interface ReportResult {
  /** Version of this format; a reader refuses another. */
  version: typeof storedVersion;
  /** The version of tandem that wrote it. */
  tandem: string;
  /** Name of the suite. */
  suite: string;
  /** Name of the batch. */
  batch: string;
  /** `finished`, or how far the batch came. */
  state: string;
  /** The reason why it stopped before its end; null otherwise. */
  reason: string | null;
  /**
   * When the batch began.
   * @format date-time
   */
  startedAt: string;
  /**
   * The time in which it was read and sent, over all its starts, without what lies between a kill and a resume; null
   * while it is not finished.
   */
  durationMs: number | null;
  /** The whole result. */
  verdict: Verdict;
  /** Everything that it says, as data. */
  findings: Findings;
  /** Requests spared by a run that could stop when it was decided; null: it was to be run to its end. */
  stopping: ReportStopping | null;
  /** A regression that was asked once more (`confirm: rerun`), by each look; left out: none was. */
  confirmation?: ReportConfirmation;
  /** The one thing to do next, as data; null: not known. */
  next: NextStep | null;
  /** The target that every candidate is compared with; null when nothing is compared, or each with another. */
  baseline: string | null;
  /** Names of the targets that are compared. */
  candidates: string[];
  /** The best of all targets that are compared; left out: nobody asked (`compare: { choose: best }`). */
  choice?: ReportChoice;
  /** The pairs that are compared, in the order of the candidates and of the changes of a row. */
  pairs: {
    /** Name of a target. */
    baseline: string;
    /** Name of a target. */
    candidate: string;
    /** The verdict of the candidate; null: no gate decides. */
    word: VerdictWord | null;
    /** The claim beyond the cases at hand; `same`: a pass without a sure difference. */
    claim: VerdictClaim;
  }[];
  /** Targets in the order of the suite; the sides of a row have the same order. */
  targets: ReportTarget[];
  /**
   * All targets of the suite, its baseline first, by which pictures tell them apart in every report of it; left out:
   * not known.
   */
  suiteTargets?: string[];
  /** Metrics that were scored, the primary one first; the scores of a row have the same order. */
  metrics: ReportMetric[];
  /** Each metric of each pair, those that a gate decides by first. */
  gates: ReportGate[];
  /** The data are complete, or why not. */
  validity: {
    /** `unknown`: nothing is compared. */
    state: "valid" | "invalid" | "unknown";
    /** Checks that it is decided by. */
    checks: ValidityCheck[];
    /** It is invalid because the sides were graded by different judges, and for nothing else; left out: it is not. */
    byJudge?: boolean;
    /** Parts of the run are missing on purpose (`merge --partial`), as a caution tells; left out: none is. */
    isPartial?: boolean;
  };
  /** Newly failing, newly passing, flaky and erroneous cases of each candidate: every kind, also those without a case. */
  flips: ReportFlip[];
  /** Behaviour of each candidate compared with the baseline: whether answers differ, whatever the scores say. */
  behaviour: ReportBehaviour[];
  /** Fields of the output that differ, the most telling first. */
  members: ReportOutputField[];
  /** The metrics in the rows with one value of a tag. */
  slices: ReportSlice[];
  /** Where candidates are surely worse than elsewhere: up to two places each, the second without the cases of the first. */
  places: ReportPlace[];
  /** For each candidate its main metric by the values of two tags, those that say most; left out: no two tags have two values. */
  sliceTables?: ReportSliceTable[];
  /** The judges that were asked to grade answers; empty if there was none. */
  judges: ReportJudge[];
  /** Judges that were asked the questions of their first check again in this night, or were found to have changed; left out: none was. */
  judgeWatch?: JudgeWatch[];
  /** Jobs that may have been paid although no record of them came; left out: none. */
  possiblyPaid?: Integer;
  /** Requests that were sent although an earlier one for the same job may have been paid. */
  possiblyPaidTwice: {
    /** For answers. */
    cases: Integer;
    /** To judges, for whatever grading of the batch. */
    judges: Integer;
  };
  /** Values of tags that lost everything, which is said beside the verdict whatever it is; left out: none. */
  lostTags?: ReportLostTag[];
  /** Newly failing rows of each candidate by what is answered; left out: there is none. */
  newFailures?: NewFailures[];
  /** Changes over the nights of the suite that were noticed in this one, go on, or ended in this one. */
  alarms: TimedAlarm[];
  /** Regressions of earlier nights that this one shows again, or leaves open; left out: none. */
  stillOn?: StillOn;
  /**
   * Cautions to weigh before relying on the verdict: cases that are not compared, changes that happened meanwhile;
   * sentences.
   */
  cautions: string[];
  /** These, and what else a reader should know, as sentences. */
  notes: string[];
  /** Number of cases. */
  cases: Integer;
}

/** A result with what pages need beside it to draw its past, and to search its rows. */
export interface ReportSummary extends ReportResult {
  /** Earlier batches of the suite and this one, the oldest first. */
  past: PastBatch[];
  /** Tag to its most frequent values with the number of cases. */
  tags: Record<string, { value: string; cases: number }[]>;
  /** Columns of the sheet that queries may name. */
  columns?: string[];
  /** Fields of answers that are JSON objects; left out: none is. */
  fields?: string[];
}

/** Regressions that began in an earlier night, and count whether or not the last night decides by itself. */
export interface StillOn {
  /** All of them in words. */
  sentence: string;
  /** The night in which they began. */
  began: TimedNight;
}

interface ReportStopping {
  /** Cases after which it was decided; null: it was not. */
  decidedAfter: Integer | null;
  /** Jobs of the plan. */
  planned: Integer;
  /** Requests that were sent for them, retries included. */
  sent: Integer;
  /** Jobs that were not sent, because it was decided without them. */
  spared: Integer;
  /** Price of what was not sent; null: not known, or nothing is. */
  saved: number | null;
}

/** The metric has the name of the report. */
export type ReportLostTag = Omit<LostTag, "place">;

export type VerdictState = "regression" | "pass" | "inconclusive" | "invalid" | "none";

export interface Verdict {
  /** The worst of the gates; `none`: there is nothing to decide by. */
  state: VerdictState;
  /** The state as it is said; null: there is nothing to decide by. */
  word: VerdictWord | null;
  /** The claim of the candidate that the sentence is about; each has its own among the pairs. */
  claim: VerdictClaim;
  /** The metric that the sentence is about; null: of none. A count of another metric beside it says so. */
  metric: string | null;
  /** The headline: the whole result in one sentence, the same everywhere. `findings` have it as data. */
  sentence: string;
}

/** A judge, and what asking it took. */
export interface ReportJudge {
  /** Name in the suite. */
  name: string;
  /** The deployment that was asked. */
  deployment: string;
  /** Questions that it had to answer. */
  questions: Integer;
  /** Number of these asked for this grading: the others were known. */
  asked: Integer;
  /** Number of questions without a reply. */
  failed: Integer;
  /** Cost of the questions asked for this grading; null without a price. */
  cost: number | null;
  /** The latest check for biases (`tandem judge check`) of each score that it gives, as it is asked in this suite. */
  checks: ReportedCheck[];
}

/** The check of a judge for biases. */
export interface ReportedCheck {
  /** Name of the score. */
  scorer: string;
  /** ISO 8601; null: it was never checked. */
  at: string | null;
  /** `fit`: nothing was found; `inconclusive`: too few cases to tell; null as well. */
  state: "fit" | "alarm" | "inconclusive" | null;
  /** In a few words, such as `fit to use`. */
  verdict: string | null;
}

export interface ReportMetric {
  /** Unique: a scorer that is compared in two ways has the second in its name. */
  name: string;
  /** Name of the scorer in the suite. */
  scorer: string;
  /** Kind of the scorer. */
  type: string;
  /** The one that a case is called better or worse by. */
  primary: boolean;
  /** Differences are signed all the same: above 0 is better. */
  lowerIsBetter: boolean;
  /** It says pass or fail: its figures are rates. */
  passes: boolean;
  /** Differences are shares of what the baseline has, not values. */
  relative: boolean;
  /** Its figures are medians; left out: they are means, or rates. */
  isMedian?: boolean;
  /** Unit that a value is counted in; null: it has none. */
  unit: string | null;
  /** Least value of its scale; null: unbounded. */
  min: number | null;
  /** Greatest value of its scale; null: unbounded. */
  max: number | null;
}

export interface ValidityCheck {
  /** It holds. */
  ok: boolean;
  /** The check in words. */
  text: string;
}

export interface ReportFlip {
  /** Name of the target. */
  candidate: string;
  /** Passing and failing are those of one metric in all runs of a case; null: no metric says so. */
  metric: string | null;
  /** The change of these cases. */
  kind: CaseFlip;
  /** Number of cases. */
  cases: Integer;
  /** Keys of the first cases. */
  keys: string[];
  /** Their rows in the sheet. */
  rows: Pick<ReportRow, "row" | "file">[];
}

export interface ReportBehaviour {
  /** Name of the target. */
  candidate: string;
  /** True: beyond the baseline's own noise; null: not measured. */
  changed: boolean | null;
  /** Name of the target that it is compared with. */
  baseline: string;
  /** The result; `no-noise-floor`: the variation of the baseline by itself is not known. */
  state: "changed" | "unchanged" | "no-noise-floor" | "too-few" | "not-compared";
  /** Why, in words. */
  reason: string;
  /** Metrics that surely differ although texts do not show it; most often none. */
  moved: string[];
  /** Answers that differ. */
  differ: Integer;
  /** Cases that changed more than the baseline changes between two runs. */
  beyond: Integer;
  /** Those that would by chance. */
  byChance: Integer;
  /** Cases that both answered. */
  of: Integer;
  /** The difference where texts do not differ; null: texts do, or nothing does. */
  otherwise: {
    /** Member of the output; null: the outcome. */
    path: string | null;
    /** Cases in which it differs. */
    rows: Integer;
    /** Cases that are looked at. */
    of: Integer;
  } | null;
  /** To ask the baseline twice would tell what is chance. */
  canAskTwice: boolean;
  /** Measurement behind it, in a sentence. */
  measured: string;
  /** Number of cases by kind of change. */
  kinds: Partial<Record<CaseChange, Integer>>;
}

export interface ReportOutputField {
  /** Name of the target. */
  candidate: string;
  /** Such as `references[].url`. */
  path: string;
  /** Its change, in words. */
  about: string;
  /** Cases in which it differs from the baseline. */
  cases: Integer;
  /** Cases in which the baseline differs from itself; null: not measured. */
  noise: Integer | null;
  /** Cases that are compared. */
  of: Integer;
  /** Adjusted for the number of paths. */
  p: number | null;
}

/** The rows that newly fail for a candidate, by what it says in them. */
export interface NewFailures {
  /** Name of the target. */
  candidate: string;
  /** Number of newly failing rows. */
  rows: Integer;
  /** Answers that are the same but for names and numbers, the most frequent first; at most 8. */
  said: SaidAlike[];
}

/** Newly failing rows in which the candidate says the same but for names and numbers. */
interface SaidAlike {
  /** The words, with … for names and # for numbers; of JSON objects the fields in which they differ from the baseline. */
  words: string;
  /** Number of rows. */
  rows: Integer;
}

/** A slice in which a metric is surely worse than elsewhere. */
export interface ReportPlace extends Omit<WorsePlace, "metric" | "of" | "pLost"> {
  /** Name of the target. */
  candidate: string;
  /** Name of the metric. */
  metric: string;
}

/** A metric in a slice. */
export interface ReportSlice extends Omit<SliceSummary, "metric" | "of" | "interval" | "p" | "adjusted"> {
  /** Name of the target. */
  candidate: string;
  /** Name of the metric. */
  metric: string;
  /** Interval of the difference; null where none can be told. */
  interval: ShownInterval | null;
  /** Adjusted for the number of values of tags, and of pairs of them. */
  p: number | null;
  /** Surely worse or better, by that p; null: it may be chance, or the data are not complete. */
  mark: SliceCell["mark"];
}

/** The main metric of a candidate by the values of two tags: where a change is. */
export interface ReportSliceTable extends SliceTable {
  /** Name of the target. */
  candidate: string;
  /** Name of the metric. */
  metric: string;
}

/** A batch among those of its suite. */
export interface PastBatch extends NightName {
  /** Verdict of its comparison; null: nothing was decided. */
  verdict: string | null;
  /** The same in one word, such as `too-few-cases`; null: nothing was decided. */
  word: string | null;
  /** True where other cases of the sheet were asked than in most batches. */
  otherCases: boolean;
  /** Changes since the batch before, in a few words each. */
  changes: string[];
  /** Alarms that were noticed in it, as sentences. */
  noticed: string[];
  /** Target to metric to value. */
  scores: Record<string, Record<string, { value: number | null; interval: ShownInterval | null }>>;
}

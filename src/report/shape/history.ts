import type { SliceName } from "../../compare/slice-name.ts";
import type { ShownOutcome } from "../../api/outcomes.ts";
import type { VerdictWord } from "../../compare/verdict-word.ts";
import type { HistoryAlarm } from "./alarm.ts";
import type { ProviderNight } from "./provider.ts";
import type { PastBatch, ReportMetric, ShownInterval } from "./model.ts";

/** A batch of a suite as a line of its history. */
export interface Night extends PastBatch {
  /** `finished`, `running`, `stopped`, `killed` ... */
  state: string;
  /** Candidates of which more is known than its verdict says, `alpha: 17.0 points better`; empty: of none. */
  beside: string[];
  /** The reason why it is invalid, did not finish or is not confirmed; null where none of it is so. */
  why: string | null;
  /** That reason holds the most frequent error. */
  quotesError: boolean;
  /** Scores were edited since it was compared: a sentence with the command that counts them; left out: none were. */
  edited?: string;
  /** The pin or batch that its targets were compared with; null: each other, or nothing. */
  against: string | null;
  /** Its own targets in the order of the suite; empty before it was compared. */
  targets: NightTarget[];
  differences: NightDifference[];
  /** The configurations of which any may be taken: the best, the cheapest, or those that tie; empty: none is known, or nothing is chosen. */
  chosen: string[];
  /** Jobs that were not sent, because it was decided without them. */
  spared: number;
  /** Things that are wrong as of it. */
  troubles: NightIssue[];
  /** The words of its services of themselves. */
  provider: ProviderNight;
  /** The most frequent error of its runs; null: it is not known, or there is none. */
  error: NightError | null;
}

/** Something that is wrong as of a night. */
export interface NightIssue {
  /** The same in every night. */
  name: string;
  /** The target that a regression was measured against; null: it is none. */
  baseline: string | null;
  /** False: a night before has shown it, and this one neither shows it nor rules it out. */
  isShown: boolean;
  /** False: a target of it took no part in this night, or was compared with another, so that nothing is said of it. */
  takesPart: boolean;
}

/** Runs of a target that failed with messages that differ only in numbers. */
export interface NightError {
  target: string;
  outcome: ShownOutcome;
  /** The message of the first of them. */
  message: string;
  runs: number;
}

/** A target in one night. */
export interface NightTarget {
  target: string;
  /** Name of its primary metric; null: it has none. */
  metric: string | null;
  value: number | null;
  interval: ShownInterval | null;
  /** Cases with a value. */
  cases: number;
  /** Runs without an answer, and all of them. */
  failed: number;
  runs: number;
  /** Median, in milliseconds; null without an answer. */
  latencyMs: number | null;
  /** Cost of all runs; null without a price. */
  cost: number | null;
}

/** The primary metric of a candidate minus that of its baseline. */
export interface NightDifference {
  candidate: string;
  baseline: string;
  metric: string;
  /** Signed so that positive is better. */
  difference: number | null;
  /** The bounds by which its gate decides; without a gate, the interval of the difference. */
  interval: ShownInterval | null;
  /** The loss that its gate accepts; null: it has none, or counts lost cases. */
  margin: number | null;
  /** Cases that passed and now fail; null: no metric tells, or it is not known. */
  newlyFailing: number | null;
}

/**
 * Something that stands out at a night of a series. `changed`: a level is another from this night on; `noticed`: that was
 * noticed then; `acknowledged`: somebody said that what is new is known; `known`: the suite, its dataset or a
 * configuration changed; `provider`: a service tells something else of itself.
 */
export interface NightMark {
  kind: "changed" | "noticed" | "acknowledged" | "known" | "provider";
  batch: string;
  /** The metric that it is about; null: no metric, or all of them. */
  metric: string | null;
  sentence: string;
}

/** A change that somebody knows of. */
interface AcknowledgedChange {
  /** The first day that belongs to what is new, `2026-11-19`. */
  since: string;
  note: string;
  author: string;
  /** When it was said. */
  at: number;
}

/** The nights of a suite, and what was noticed in them. */
export interface SuiteHistory {
  suite: string;
  /** The oldest first. */
  nights: Night[];
  /** In the order in which they were noticed. */
  alarms: HistoryAlarm[];
  acknowledged: AcknowledgedChange[];
  /** Marks of the nights that stand out, in their order. */
  marks: NightMark[];
  /** The promise: one false alarm in so many nights, over so many series together. */
  promise: { nights: number; series: number };
  /** The metrics of the latest compared night. */
  metrics: ReportMetric[];
  /** Those that only earlier nights have, as far as it is known of them: for their figures. */
  olderMetrics: ReportMetric[];
  /** Its baseline; null: nothing is compared. */
  baseline: string | null;
  /** The targets of the suite, its baseline first, by which pictures tell them apart in every night. */
  targets: string[];
  /** The words of the nights in which both sides were the same bot on purpose; null: there is none. */
  sameBot: SameBotNights | null;
  /** The value of a tag that lost most in it; null: none is surely worse. */
  worstSlice: WorstSlice | null;
}

/** A/A nights: REGRESSION and WORSE are false alarms there, and BETTER is a false finding. */
export interface SameBotNights {
  nights: number;
  /** Number of nights by their word. */
  words: Partial<Record<VerdictWord, number>>;
}

/** The slice that lost most in a night. */
export interface WorstSlice {
  batch: string;
  candidate: string;
  slice: SliceName;
  sentence: string;
}

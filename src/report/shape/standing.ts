import type { NightName } from "./alarm.ts";
import type { Night, NightError, NightMark, WorstSlice } from "./history.ts";
import type { PastBatch, ReportMetric } from "./model.ts";

/** A reason to look at a suite. */
export interface SuiteReason {
  kind: "regression" | "invalid" | "unfinished" | "alarm";
  /** It was not so in the night before. */
  isNew: boolean;
  /** A regression of which somebody has said, since it began, that a change is known. */
  isKnown: boolean;
  /** The words that were said of it; null: it is not known. */
  known: string | null;
  sentence: string;
  /** Evidence for it, in another sentence; null: there is none. */
  more: string | null;
  /** The evidence holds the most frequent error of the last night. */
  quotesError: boolean;
  /** The night in which it began. */
  began: NightName;
  /** Number of nights that have it, up to the last one. */
  nights: number;
}

/** The latest night of a suite with the figures of its main metric. */
export type LastNight = NightName &
  Pick<Night, "state" | "verdict" | "word" | "beside" | "spared" | "edited" | "chosen" | "targets" | "differences">;

/** All that says why a suite needs a look. */
export interface WhyLook {
  /** The latest night that is not at work any more, with its verdict as a history words it; null: there is none. */
  last: LastNight | null;
  /** Those that nobody knows of first, the gravest of them before the others; empty: it is quiet. */
  reasons: SuiteReason[];
  /** The value of a tag that lost most in its latest comparison; null where it is quiet, or none did. */
  worstSlice: WorstSlice | null;
  /** The most frequent error of the latest night; null: none is known. */
  error: NightError | null;
}

/** A suite as it stands this morning, by the nights that came to an end. */
export interface SuiteStanding extends WhyLook {
  suite: string;
  /** The command that resumes its last night; null: that did finish. */
  resume: string | null;
  /** Number of its nights. */
  nights: number;
  /** Its primary metric in the latest nights, the oldest first; null: it has none. */
  metric: ReportMetric | null;
  /** Its targets, the baseline first, by which pictures tell them apart. */
  targets: string[];
  past: PastBatch[];
  marks: NightMark[];
  /** Why no night of it came to a verdict yet, and what brings one; null: one did, or something is wrong in it. */
  undecided: string | null;
}

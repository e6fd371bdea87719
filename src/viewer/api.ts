import type { SuiteHistory } from "../report/shape/history.ts";
import type { JudgeWatch } from "../report/shape/judge-watch.ts";
import type { ReportRow, ReportSummary } from "../report/shape/model.ts";
import type { RowHead } from "../report/shape/row-head.ts";
import type { SuiteStanding, WhyLook } from "../report/shape/standing.ts";

/** The shapes that the viewer's page and its server exchange as JSON. */
export interface BatchEntry {
  /** Later batches have larger ones. */
  id: number;
  name: string;
  suite: string;
  /** `finished`, `running`, `killed` ... */
  state: string;
  /** It has not come to its end. */
  live: boolean;
  reason: string | null;
  createdAt: number;
  jobs: number;
  finished: number;
  /** Jobs that were not sent, because it was decided without them. */
  spared: number;
  /** Time until it has sent everything, by its pace of late, in milliseconds; null: not known, or it does not run. */
  leftMs: number | null;
  targets: string[];
  verdict: string | null;
  /** The same in one word. */
  word: string | null;
  /** Candidates of which more is known than the verdict says, such as one that is better. */
  beside: string[];
  /** The configurations of which any may be taken; empty: none is known, or nothing is chosen. */
  chosen: string[];
  /** Scores were edited since it was compared: a sentence with the command that counts them; left out: none were. */
  edited?: string;
  /** Names that it is pinned as. */
  pins: string[];
}

/**
 * A comparison that is being made ready, or is; `waiting`: another is made ready before it, `compares`: two sides are, not
 * one that is read by itself, `verdict`: that of these sides
 * when they were compared last, null where they were not.
 */
export type Opened =
  | { id: string; ready: false; waiting: boolean; compares: boolean; done: number; of: number; verdict: string | null }
  | { id: string; ready: true; summary: ReportSummary; counts: Record<string, number>[]; beside: Beside | null };

/** The runs of the suite just before and just after one; null: there is none. */
export interface Beside {
  before: { batch: string; at: number } | null;
  after: { batch: string; at: number } | null;
}

/** A case in one night of its suite. */
export interface CaseNight {
  batch: string;
  at: number;
  /** By the primary metric over its tries; `answered`: it has no pass or fail, `none`: the night did not ask it. */
  mark: "passed" | "failed" | "mixed" | "error" | "answered" | "none";
  /** By the primary metric. */
  score: number | null;
}

/** A page of the rows that a query finds. */
export interface RowPage {
  matched: number;
  /** Number of rows that each filter would find, within the other conditions of the query. */
  counts: Record<string, number>;
  /** Mean of each target over them by the primary metric; left out where the result says it, or none is known. */
  means?: (number | null)[];
  heads: RowHead[];
}

export interface Label {
  /** Empty: the answer as a whole. */
  scorer: string;
  label: string;
  note: string | null;
  author: string;
  at: number;
  /** It takes the place of the score; false: it is kept beside it. */
  edits?: boolean;
}

/** Judgements of people on the answers of a row. */
export interface RowJudged {
  /** By job. */
  labels: Record<string, Label[]>;
}

/** A row in full, with the judgements on its answers. */
export interface RowAnswer extends RowJudged {
  row: ReportRow;
}

/** A label that was kept, and the one that it took the place of; null: there was none. */
export interface LabelKept {
  kept: "added" | "changed" | "same";
  /** The label as it was kept: a number in one writing. */
  label: string;
  before: Pick<Label, "label" | "note"> | null;
}

export interface NewLabel {
  jobId: number;
  /**
   * Name of the scorer whose score is edited, for the reason in `note`; empty: the label is about the answer as a
   * whole.
   */
  scorer: string;
  /** `good`, `bad` or a number. */
  label: string;
  note: string | null;
  author: string;
}

/** Greatest number of turns of a conversation that are shown before a row. */
export const mostEarlier = 20;

/** The label that somebody takes back. */
export type OldLabel = Pick<NewLabel, "jobId" | "scorer" | "author">;

/** The outcome of a name for a batch. */
export interface PinKept {
  /** Batches that have it already, so that nothing was kept; null: it is kept. */
  taken: string[] | null;
}

/** Names that are pinned to batches. */
export interface PinEntry {
  name: string;
  batches: string[];
  /** Targets that it can be compared by. */
  targets: string[];
}

/** The list of batches, the latest first, and the pins. */
export interface BatchList {
  batches: BatchEntry[];
  pins: PinEntry[];
}

/** The answer to a page that asks again and again. */
export interface Versioned<Value> {
  version: string;
  /** Null: as in the version that the asker has. */
  value: Value | null;
}

/** The nights of a suite, with the reasons to look at it as home tells them. */
export interface SuiteNights extends SuiteHistory {
  why: WhyLook;
  /** The judges of the suite that are watched. */
  judges: JudgeWatch[];
}

/** The suites that are known so far. */
export interface KnownSuites {
  /** Number of suites that are still read. */
  open: number;
  suites: SuiteStanding[];
  /** Suites whose nights cannot be read, as sentences. */
  failures: string[];
}

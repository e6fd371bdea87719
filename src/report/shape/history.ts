import type { PastBatch, ReportMetric, ShownInterval } from "./model.ts";

/** A batch among those of its suite, by its name and its start (milliseconds since 1970). */
export interface NightName {
  batch: string;
  at: number;
  /** Its day, `2026-11-19`, with the time where a day has several. */
  label: string;
}

/** A batch of a suite as a line of its history. */
export interface Night extends NightName, Pick<PastBatch, "scores"> {
  /** `finished`, `running`, `stopped`, `killed` ... */
  state: string;
  /** Verdict of its comparison; null: nothing was decided. */
  verdict: string | null;
  /** The reason why it is invalid, or did not finish; null where neither is so. */
  why: string | null;
  /** The pin or batch that its targets were compared with; null: each other, or nothing. */
  against: string | null;
  /** Its own targets in the order of the suite; empty before it was compared. */
  targets: NightTarget[];
  differences: NightDifference[];
  /** Changes since the batch before, in a few words each. */
  changes: string[];
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
  interval: ShownInterval | null;
}

/** The four things that are watched of a target. */
export type WatchedThing = "metric" | "errors" | "latency" | "cost";

/**
 * `new`: noticed in the last night; `still`: noticed before, and it goes on; `over`: the level of before is back, which was
 * seen in the last night; `ended`: over for longer, or changed again; `acknowledged`: somebody said that it is known.
 */
export type AlarmState = "new" | "still" | "over" | "ended" | "acknowledged";

/** A change in the nights of a target that was noticed. */
export interface HistoryAlarm {
  target: string;
  thing: WatchedThing;
  /** Name of the metric; null where it is none. */
  metric: string | null;
  state: AlarmState;
  direction: "higher" | "lower";
  isWorse: boolean;
  /** Mean of the nights before the change, and since: of a latency in milliseconds, of errors a share. */
  before: number;
  since: number;
  /** The first night at the new level, and the first and last that it may have been. */
  changed: NightName;
  earliest: NightName;
  latest: NightName;
  noticed: NightName;
  /** The first night that does not belong to it any more; null while it goes on, or while there is none. */
  until: NightName | null;
  /** The same in words, one or two sentences. */
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
  /** The promise: one false alarm in so many nights, over so many series together. */
  promise: { nights: number; series: number };
  /** The metrics of the latest compared night by their names. */
  metrics: ReportMetric[];
}

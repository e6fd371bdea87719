import type { HistoryAlarm } from "./alarm.ts";
import type { PastBatch, ReportMetric, ShownInterval } from "./model.ts";

/** A batch of a suite as a line of its history. */
export interface Night extends PastBatch {
  /** `finished`, `running`, `stopped`, `killed` ... */
  state: string;
  /** The reason why it is invalid, did not finish or is not confirmed; null where none of it is so. */
  why: string | null;
  /** The pin or batch that its targets were compared with; null: each other, or nothing. */
  against: string | null;
  /** Its own targets in the order of the suite; empty before it was compared. */
  targets: NightTarget[];
  differences: NightDifference[];
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
  /** The metrics of the latest compared night. */
  metrics: ReportMetric[];
  /** Its baseline; null: nothing is compared. */
  baseline: string | null;
}

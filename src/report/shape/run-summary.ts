import type { TimedAlarm } from "./alarm.ts";
import type { ReportJudge } from "./model.ts";
import type { Comparison } from "../../compare/comparison.ts";
import type { BatchState } from "../../store/batches.ts";
import type { StoredOutage } from "../../store/results/outages.ts";
import type { InDoubtJobs } from "../../store/journal/in-doubt.ts";

/** The summary for a person or a program when a batch has run, or is looked at again: bounded in size. */
export interface RunSummary {
  batch: string;
  suite: string;
  state: BatchState;
  /** The reason why it stopped before its end; null otherwise. */
  reason: string | null;
  /** The reason why only the first case of each target was sent; null: it is not so. */
  refused: string | null;
  /** ISO 8601. */
  startedAt: string;
  /** Null while it is not finished. */
  durationMs: number | null;
  comparison: Comparison;
  /**
   * The targets and deployments that nothing more was sent to, in the order in which it happened; empty when a stored
   * batch is looked at again.
   */
  stopped: Stop[];
  /** Jobs of which the service may have made a run that is not known here, with the keys of the first cases. */
  inDoubt: InDoubtJobs;
  /** Requests that were sent although an earlier one for the same job may have been paid. */
  possiblyPaidTwice: number;
  /** The same by what became of the earlier ones: a gateway answered them all in the place of the service, or not. */
  possiblyPaid: { gateway: number; other: number };
  /** Times in which a service was away, and a gateway answered in its place. */
  outages: StoredOutage[];
  /** The judges that were asked to grade answers, and their cost; empty if there was none. */
  judges: ReportJudge[];
  /** Changes over the nights of the suite that were noticed tonight, go on, or ended tonight. */
  alarms: TimedAlarm[];
  files: ReportFile[];
  /** The command that a person may want next. */
  next: string;
  /** Its purpose, and what to mend before it, in words. */
  nextWhy: string;
}

/** A target or deployment that nothing more was sent to, and advice. */
export interface Stop {
  /** A target, or `deployment/endpoint`. */
  name: string;
  /** The reason in the words of the service or the network. */
  reason: string;
  /** null when the reason says it all, such as a budget that is spent. */
  advice: string | null;
}

/** A file that was written, and what it holds in a few words. */
interface ReportFile {
  path: string;
  about: string;
}

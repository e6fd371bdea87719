import type { Outcome } from "../client/outcome.ts";
import type { Decision } from "./decision.ts";
import type { JobSource } from "./job-source.ts";
import type { PendingJob } from "./journal.ts";
import type { RunTarget } from "./run-target.ts";

/** An endpoint queue as gates see it. */
export interface GatedQueue {
  /** Its targets without those of which an earlier process has runs that go on. */
  targets: readonly RunTarget[];
  jobs: Pick<JobSource, "putAhead" | "keepOrder">;
  /**
   * The earliest job of the plan that it has not finished; null when it holds no other back: done, stopped, not reachable,
   * or without a sign for long.
   */
  frontier: () => number | null;
  /** Others of its account ask the service already, which has not answered yet. */
  isAskedByOthers: () => boolean;
}

/** Says of jobs whether they may begin. Several gates are asked in order, until one of them has a word on the job. */
export interface Gate {
  /** A queue takes part, before anything is sent. */
  join(queue: GatedQueue): void;
  /** False: not yet; null: it has no word on this job. */
  mayBegin(job: PendingJob, queue: GatedQueue): boolean | null;
  /** True for a job for whose answer all others wait. */
  isAwaited(jobId: number): boolean;
  /** An attempt of a job is entered; null: the job has ended without an answer. */
  settled(jobId: number, attempt: SettledAttempt | null): void;
}

export interface SettledAttempt {
  outcome: Outcome;
  decision: Decision;
}

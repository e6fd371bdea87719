import type { Outcome } from "../client/outcome.ts";
import { steadyNow } from "../lib/clock.ts";
import type { AccountLimits, AccountSide } from "./account-limits.ts";
import type { Budget } from "./budget.ts";
import { type Completion, reasonOf } from "./completion.ts";
import type { JobSource } from "./job-source.ts";
import type { PendingJob } from "./journal.ts";
import { nextStep, type StepRules } from "./next-step.ts";
import type { RunTarget } from "./run-target.ts";

interface AnswersOptions extends StepRules {
  limits: AccountLimits;
  side: AccountSide;
  budget: Budget;
  jobs: JobSource;
  completion: Completion;
  /** Nothing more is sent to the deployment. */
  onStopped: (reason: string, kind: Outcome["kind"]) => void;
}

/** An attempt with its answer. */
interface AnsweredAttempt {
  /** As it is after the attempt. */
  job: PendingJob;
  target: RunTarget;
  /** When the attempt was queued, as it was entered. */
  queuedAt: number;
  outcome: Outcome;
  /** Nothing is sent again, whatever the outcome. Default: the table decides. */
  isFinal?: boolean;
  /** True for a run that another process had submitted, false for one of this process; left out: its answer was waited for. */
  reattached?: boolean;
}

/** Reads what the answers of an endpoint queue mean for its limits and for their jobs, and hands them on to be committed. */
export class Answers {
  readonly #options: AnswersOptions;

  constructor(options: AnswersOptions) {
    this.#options = options;
  }

  /** Applies the limits that the service told, before the next slot is given away. `queuedAt`: on the steady clock. */
  learn(jobId: number, outcome: Outcome, queuedAt: number): void {
    const { limits, side, jobs, onStopped } = this.#options;
    const sent = { jobId, queuedAt, answeredAt: steadyNow(), more: jobs.hasReady() };
    const givenUp = limits.answered(outcome, sent, side);
    if (givenUp !== null) onStopped(givenUp, outcome.kind);
  }

  /** Decides the fate of a job, and does with the queue what was decided; the rest is done when it is committed. */
  settle({ job, target, queuedAt, outcome, isFinal = false, reattached }: AnsweredAttempt): void {
    const { limits, budget, jobs, completion, onStopped } = this.#options;
    const now = steadyNow();
    const next = nextStep(job, outcome, this.#options, { now, pauseMs: limits.pauseMs(now) });
    const decision = isFinal ? "finish" : next.decision;
    // A limit of failures is passed by what is in flight already, and by nothing that is sent after.
    if (decision === "finish" && outcome.kind !== "ok") budget.failed();
    if (decision === "stop-target") jobs.drop(target.id);
    if (decision === "stop-deployment") onStopped(reasonOf(outcome), outcome.kind);
    const settlement = { jobId: job.id, number: job.attempts, queuedAt, outcome, final: decision === "finish" };
    const entry = reattached === undefined ? settlement : { ...settlement, reattached };
    completion.answered({ job, target, entry, decision, backoffMs: next.backoffMs });
  }
}

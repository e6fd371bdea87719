import { isAnswerer, outcomes } from "../api/outcomes.ts";
import type { Outcome } from "../client/outcome.ts";
import { steadyNow } from "../lib/clock.ts";
import type { AccountSide, Health, Learned } from "./health.ts";
import type { Budget } from "./budget.ts";
import { type Completion, reasonOf } from "./completion.ts";
import type { JobSource } from "./job-source.ts";
import type { Journal, PendingJob } from "./journal.ts";
import { nextStep, type StepRules } from "./next-step.ts";
import type { RefusalMeaning, RefusedRequest, RefusedStreak } from "./refusals.ts";
import type { RunTarget } from "./run-target.ts";

interface AnswersOptions extends StepRules {
  health: Health;
  side: AccountSide;
  budget: Budget;
  jobs: JobSource;
  completion: Completion;
  journal: Pick<Journal, "conclude">;
  /** The key of a case by its id. */
  caseKey: (caseId: number) => string;
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
  /** The lesson of its answer; left out: nothing was learned from it. */
  learned?: Learned;
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
  learn(jobId: number, outcome: Outcome, queuedAt: number): Learned {
    const { health, side, jobs, onStopped } = this.#options;
    const sent = { jobId, queuedAt, answeredAt: steadyNow(), more: jobs.hasReady() };
    const learned = health.answered(outcome, sent, side);
    if (learned.givenUp !== null) onStopped(learned.givenUp, outcome.kind);
    return learned;
  }

  /** Decides the fate of a job, and does with the queue what was decided; the rest is done when it is committed. */
  settle({ job, target, queuedAt, outcome, learned, isFinal = false, reattached }: AnsweredAttempt): void {
    const { health, budget, jobs, completion, onAmbiguous, onStopped } = this.#options;
    const time = steadyNow();
    const { waits = false, isProbe = false, isForgiven = false, goesBehind = false, ownWaitMs = 0 } = learned ?? {};
    // Where nothing that may be paid is sent again, what looks for a service that is away is no loss of a row.
    const mayGoAgain = onAmbiguous === "retry" || (isProbe && isAnswerer(outcome.answeredBy, "tellsAway"));
    const waitsForService = waits && mayGoAgain;
    // An attempt that does not count is as none.
    const counted = isForgiven ? { ...job, failures: -1 } : job;
    if (outcomes[outcome.kind].accepted) health.accepted(target.id, queuedAt);
    const refusal = this.#meaningOf({ job, target, queuedAt, outcome });
    const facts = { now: time - health.standstillMs(time), pauseMs: health.pauseMs(time), waitsForService, refusal };
    const next = nextStep(counted, outcome, this.#options, facts);
    const decision = isFinal ? "finish" : next.decision;
    // A limit of failures is passed by what is in flight already, and by nothing that is sent after.
    if (decision === "finish" && outcome.kind !== "ok") budget.failed();
    if (decision === "stop-target") jobs.drop(target.id);
    if (decision === "stop-deployment") onStopped(this.#stopReason([job], outcome), outcome.kind);
    const settlement = { jobId: job.id, number: job.attempts, queuedAt, outcome, final: decision === "finish" };
    const entry = {
      ...settlement,
      ...(reattached !== undefined && { reattached }),
      ...(isForgiven && { isForgiven: true as const }),
    };
    const givenBack = health.givenBackTo(job.id);
    const stopReason = decision === "stop-target" ? this.#stopReason([job], outcome) : null;
    completion.answered({
      job: counted,
      target,
      entry,
      decision,
      backoffMs: next.backoffMs,
      givenBack,
      goesBehind,
      ownWaitMs,
      stopReason,
    });
  }

  /** The meaning of a refusal; `stops` too for what is none. */
  #meaningOf({ job, target, queuedAt, outcome }: AnsweredAttempt): RefusalMeaning {
    const { health, side, journal, completion, onStopped } = this.#options;
    const { next } = outcomes[outcome.kind];
    const ofKey = next === "stop-deployment";
    if ((!ofKey && next !== "stop-target") || journal.conclude === undefined) return "stops";
    const refusal = {
      side,
      jobId: job.id,
      caseId: job.caseId,
      targetId: target.id,
      sentAt: queuedAt,
      ofKey,
      onRow: () => completion.conclude(job, target, outcome),
      onStop: ({ refused, ofKey: isOfKey }: RefusedStreak) => {
        const reason = this.#stopReason(refused, outcome);
        if (isOfKey) onStopped(reason, outcome.kind);
        else completion.stopTarget(target, reason, outcome.kind);
      },
    };
    return health.refused(refusal, side.isFirst(job.id));
  }

  /** The reason of a stop, with the cases that were refused. */
  #stopReason(refused: readonly Pick<RefusedRequest, "caseId">[], outcome: Outcome): string {
    const keys = [...new Set(refused.map(({ caseId }) => this.#options.caseKey(caseId)))].filter((key) => key !== "");
    const reason = reasonOf(outcome);
    if (keys.length === 0) return reason;
    return keys.length === 1
      ? `${reason} (case ${keys[0]})`
      : `${reason} (cases ${keys.join(", ")}, one after the other)`;
  }

  /** Applies what the answer to a question for a run tells of the service. `askedAt`: on the steady clock. */
  onOutcome(jobId: number, outcome: Outcome, askedAt: number): void {
    const { health, side, onStopped } = this.#options;
    const givenUp = health.onOutcome(outcome, { jobId, queuedAt: askedAt, answeredAt: steadyNow() }, side);
    if (givenUp !== null) onStopped(givenUp, outcome.kind);
  }
}

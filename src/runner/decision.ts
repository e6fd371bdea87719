import { outcomes } from "../api/outcomes.ts";
import type { Outcome } from "../client/outcome.ts";
import type { Random } from "../lib/random.ts";
import type { Deployment } from "../suite/suite.ts";
import { fullJitter, type Waits } from "./backoff.ts";
import type { PendingJob } from "./journal.ts";
import type { RefusalMeaning } from "./refusals.ts";

/**
 * Consequence of an outcome for its job.
 * - `finish`: the job is decided, for better or worse
 * - `retry`: send again after a back-off; uses up one retry
 * - `wait`: send again when the service or the machine is ready; uses up nothing
 * - `hold`: a gateway answered in the place of the service: send again when it is known that the service is there
 * - `set-aside`: refused by a service that accepts others: the next answers tell whether the row is at fault
 * - `stop-target`, `stop-deployment`: nothing more is sent there; the job stays unfinished and can be resumed
 */
export type Decision = "finish" | "retry" | "wait" | "hold" | "set-aside" | "stop-target" | "stop-deployment";

/** The rules by which a job goes on after an attempt. */
export interface StepRules {
  deployment: Deployment;
  onAmbiguous: "retry" | "fail";
  random: Random;
  waits: Waits;
}

interface StepFacts {
  /** On the clock of jobs. */
  now: number;
  /** Milliseconds for which the service asks all to wait. */
  pauseMs: number;
  /** It belongs to an outage, or to what may become one, for whose end the job waits. */
  waitsForService: boolean;
  /** The meaning of a refusal, where the outcome is one. */
  refusal: RefusalMeaning;
}

/** Facts that the decision may depend on beside the outcome. */
export interface DecisionContext
  extends Pick<StepFacts, "waitsForService" | "refusal">, Pick<StepRules, "onAmbiguous"> {
  /** Attempts of this job before this one that used up a retry. */
  failures: number;
  retries: number;
  /** The job's time would be over before it could be sent again. */
  outOfTime: boolean;
}

/** Decides the fate of a job after an attempt. `backoffMs`: until a retry. */
export function nextStep(
  job: PendingJob,
  outcome: Outcome,
  { deployment, onAmbiguous, random, waits }: StepRules,
  { now, pauseMs, waitsForService, refusal }: StepFacts,
): { decision: Decision; backoffMs: number } {
  const { failures } = job;
  const backoffMs = fullJitter(failures + 1, random, waits.retry);
  const waitMs = outcomes[outcome.kind].spends ? backoffMs : pauseMs;
  const outOfTime = timeLeft(job, deployment, now) <= waitMs;
  const { retries } = deployment;
  const decision = decide(outcome, { failures, retries, onAmbiguous, outOfTime, waitsForService, refusal });
  return { decision, backoffMs };
}

/** Milliseconds of the job's time that are left; `now` on the clock of jobs, which stands still in an outage. */
export function timeLeft({ firstTriedAt }: PendingJob, { jobTimeoutMs }: Deployment, now: number): number {
  return (firstTriedAt ?? now) + jobTimeoutMs - now;
}

/** The table of outcomes, and nothing else: by kind, never by text. */
export function decide(outcome: Outcome, context: DecisionContext): Decision {
  const mayRetry = context.failures < context.retries && !context.outOfTime;
  const { next } = outcomes[outcome.kind];
  switch (next) {
    case "finish":
      return next;
    case "stop-target":
    case "stop-deployment":
      return context.refusal === "stops" ? next : context.refusal === "row" ? "finish" : "set-aside";
    case "wait":
      if (!context.outOfTime) return "wait";
      // A lack of this machine is never a job's failure.
      return outcome.localLimit ? "stop-deployment" : "finish";
    case "retry":
      return mayRetry ? "retry" : "finish";
    case "retry-if-allowed":
      if (context.waitsForService) return "hold";
      return mayRetry && context.onAmbiguous === "retry" ? "retry" : "finish";
  }
}

/** So many failures with the same text, one after the other and of different cases, are one permanent mistake. */
const repetitionsToStop = 5;

/** Notices that every run of a target fails for the same reason. Texts are compared for equality, never searched. */
export class Repetition {
  #text: string | null = null;
  readonly #cases = new Set<number>();

  /** Takes note of a committed outcome; returns the text when it has now been the same for `repetitionsToStop` distinct cases. */
  note(caseId: number, outcome: Outcome): string | null {
    // Waiting says nothing about the target.
    const { next, ownError } = outcomes[outcome.kind];
    if (next === "wait") return null;
    if (!ownError || outcome.error !== this.#text) {
      this.#cases.clear();
      this.#text = ownError ? outcome.error : null;
    }
    if (this.#text === null) return null;
    this.#cases.add(caseId);
    return this.#cases.size >= repetitionsToStop ? this.#text : null;
  }
}

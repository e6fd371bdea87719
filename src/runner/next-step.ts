import type { Outcome } from "../client/outcome.ts";
import type { Random } from "../lib/random.ts";
import type { Deployment } from "../suite/suite.ts";
import { fullJitter, type Waits } from "./backoff.ts";
import { decide, type Decision, isSpent } from "./decision.ts";
import type { PendingJob } from "./journal.ts";
import type { RefusalMeaning } from "./refusals.ts";

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
  /** The answer belongs to an outage, or to what may become one. */
  waitsForService: boolean;
  refusal: RefusalMeaning;
}

/** Decides the fate of a job after an attempt. */
export function nextStep(
  job: PendingJob,
  outcome: Outcome,
  { deployment, onAmbiguous, random, waits }: StepRules,
  { now, pauseMs, waitsForService, refusal }: StepFacts,
): { decision: Decision; backoffMs: number } {
  const backoffMs = fullJitter(job.failures + 1, random, waits.retry);
  const waitMs = isSpent(outcome) ? backoffMs : pauseMs;
  const outOfTime = timeLeft(job, deployment, now) <= waitMs;
  const context = {
    failures: job.failures,
    retries: deployment.retries,
    onAmbiguous,
    outOfTime,
    waitsForService,
    refusal,
  };
  return { decision: decide(outcome, context), backoffMs };
}

/** Milliseconds of the job's time that are left; `now` on the clock of jobs, which stands still in an outage. */
export function timeLeft({ firstTriedAt }: PendingJob, { jobTimeoutMs }: Deployment, now: number): number {
  return (firstTriedAt ?? now) + jobTimeoutMs - now;
}

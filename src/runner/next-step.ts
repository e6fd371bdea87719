import type { Outcome } from "../client/outcome.ts";
import type { Random } from "../lib/random.ts";
import type { Deployment } from "../suite/suite.ts";
import { fullJitter, type Waits } from "./backoff.ts";
import { decide, type Decision, isSpent } from "./decision.ts";
import type { PendingJob } from "./journal.ts";

/** The rules by which a job goes on after an attempt. */
export interface StepRules {
  deployment: Deployment;
  onAmbiguous: "retry" | "fail";
  random: Random;
  waits: Waits;
}

/** Decides the fate of a job after an attempt. `pauseMs`: how long the service asks all to wait. */
export function nextStep(
  job: PendingJob,
  outcome: Outcome,
  { deployment, onAmbiguous, random, waits }: StepRules,
  { now, pauseMs }: { now: number; pauseMs: number },
): { decision: Decision; backoffMs: number } {
  const backoffMs = fullJitter(job.failures + 1, random, waits.retry);
  const waitMs = isSpent(outcome) ? backoffMs : pauseMs;
  const outOfTime = timeLeft(job, deployment, now) <= waitMs;
  const context = { failures: job.failures, retries: deployment.retries, onAmbiguous, outOfTime };
  return { decision: decide(outcome, context), backoffMs };
}

/** Milliseconds of the job's time that are left. */
export function timeLeft({ firstTriedAt }: PendingJob, { jobTimeoutMs }: Deployment, now: number): number {
  return (firstTriedAt ?? now) + jobTimeoutMs - now;
}

import { outcomes } from "../api/outcomes.ts";
import type { Outcome } from "../client/outcome.ts";
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

/** Facts that the decision may depend on beside the outcome. */
export interface DecisionContext {
  /** Attempts of this job before this one that used up a retry. */
  failures: number;
  retries: number;
  onAmbiguous: "retry" | "fail";
  /** It belongs to an outage, or to what may become one, for whose end the job waits. */
  waitsForService: boolean;
  /** The meaning of a refusal, where the outcome is one. */
  refusal: RefusalMeaning;
  /** The job's time would be over before it could be sent again. */
  outOfTime: boolean;
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

/** True when an attempt used up a request of the budget. */
export function isSpent({ kind }: Outcome): boolean {
  return outcomes[kind].spends;
}

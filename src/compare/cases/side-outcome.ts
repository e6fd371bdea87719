import { isAnswerKind, isSoundKind } from "../../api/answer-kind.ts";
import type { JobResult } from "../../store/results/case-result.ts";

/**
 * Outcome in one word, as every file and screen has it, whatever is stored (`ok` and the kind of the answer): for a run record the kind of its answer (`answered`, `empty` ...), else the outcome of the job;
 * `unfinished` for a job without one, `missing` if no job was planned.
 */
export type SideOutcome = string;

/** A turn that was not sent because an earlier one of its conversation failed. */
export const skipped: SideOutcome = "skipped";

/** A row without a stored answer, or a job that was never planned: nothing was asked, so that nothing failed. */
export const missing: SideOutcome = "missing";

/** A turn of which no answer is kept, because only the last reply of its conversation is: there is none to miss. */
export const notAsked: SideOutcome = "not-asked";

/** A run of the plan that was not sent, because the comparison was decided without it. */
export const spared: SideOutcome = "spared";

/** False where nobody was asked: such a run is no failed one. */
export function wasAsked(outcome: SideOutcome): boolean {
  return outcome !== missing && outcome !== notAsked && outcome !== spared;
}

export function isFinished(outcome: SideOutcome): boolean {
  return outcome !== "unfinished" && wasAsked(outcome);
}

/** True where a turn has no answer only because an earlier one has none: the reason is the earlier one's. */
export const isConsequence = (outcome: string): boolean => outcome === skipped;

/** A turn that was skipped differs from nothing. */
export function outcomesDiffer(one: SideOutcome, other: SideOutcome): boolean {
  return one !== other && one !== skipped && other !== skipped;
}

/** The outcome of a job in that word: nothing else makes it of what is stored. */
export function sideOutcome({ outcome, answer }: Pick<JobResult, "outcome" | "answer">): SideOutcome {
  if (outcome === null) return "unfinished";
  return outcome === "ok" ? (answer ?? "ok") : outcome;
}

/** True for a run record that says something, be it that a function failed. */
export function hasAnswer({ outcome, answer }: Pick<JobResult, "outcome" | "answer">): boolean {
  return outcome === "ok" && answer !== "empty";
}

/** True for an outcome with which a target has said what it has to say. */
export function isSound(outcome: string): boolean {
  return outcome === "ok" || (isAnswerKind(outcome) && isSoundKind(outcome));
}

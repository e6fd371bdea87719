import { isAnswerKind, isSoundKind } from "../../api/answer-kind.ts";
import { endOf, type ShownOutcome } from "../../api/outcomes.ts";
import type { JobResult } from "../../store/results/case-result.ts";

/** The outcome of a job that was never planned. */
export const notPlanned: ShownOutcome = "missing";

/** Left out because the comparison was decided without it. */
export const isSpared = (outcome: ShownOutcome): boolean => outcome === "spared";

export function isFinished(outcome: ShownOutcome): boolean {
  return outcome !== "unfinished" && endOf(outcome).asked;
}

/** True where an answer was due and there is none, also where a row has no stored one. */
export function lacksAnswer(outcome: ShownOutcome): boolean {
  return outcome !== "unfinished" && endOf(outcome).due && !isSound(outcome);
}

/** A turn that was skipped differs from nothing. */
export function outcomesDiffer(one: ShownOutcome, other: ShownOutcome): boolean {
  return one !== other && !endOf(one).follows && !endOf(other).follows;
}

/** The outcome of a job, or of an attempt, in one word: nothing else makes it of what is stored. */
export function sideOutcome({ outcome, answer }: Pick<JobResult, "outcome" | "answer">): ShownOutcome {
  if (outcome === null) return "unfinished";
  return outcome === "ok" ? (answer ?? "ok") : outcome;
}

/** True for a run record that says something, be it that a function failed. */
function hasAnswer({ outcome, answer }: Pick<JobResult, "outcome" | "answer">): boolean {
  return outcome === "ok" && answer !== "empty";
}

/** The part of a run in the share of runs without an answer; null: none was due. A run without a job was never planned. */
export function triedAs(
  job: Pick<JobResult, "outcome" | "answer"> | null,
  outcome: ShownOutcome,
): "answered" | "unanswered" | "skipped" | null {
  const { due, follows } = endOf(outcome);
  if (!due) return null;
  if (follows) return "skipped";
  return job !== null && hasAnswer(job) ? "answered" : "unanswered";
}

/** True for an outcome with which a target has said what it has to say. */
export function isSound(outcome: ShownOutcome): boolean {
  return outcome === "ok" || (isAnswerKind(outcome) && isSoundKind(outcome));
}

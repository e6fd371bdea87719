import type { ReportTarget } from "../shape/model.ts";

/** Answers or runs of a target that something is missing of for one reason. */
export interface Reason {
  target: string;
  /** The kind and the message: `run-failed: no model`. */
  text: string;
  jobs: number;
  /** Key of the first case. */
  example: string;
}

/** Reasons for runs without an answer and answers without a grade, the most frequent first. */
export function reasonsOf(targets: readonly Pick<ReportTarget, "name" | "errors" | "ungraded">[]): Reason[] {
  return targets
    .flatMap(({ name: target, errors, ungraded }) => [
      ...errors.map(({ outcome, message, ...rest }) => ({ target, text: `${outcome}: ${message}`, ...rest })),
      ...ungraded.map(({ metric, applies, message, ...rest }) => ({
        target,
        text: applies ? `no grade of ${metric}: ${message}` : `not graded by ${metric}: ${message}`,
        ...rest,
      })),
    ])
    .toSorted((a, b) => b.jobs - a.jobs)
    .map(({ target, text, jobs, example }) => ({ target, text, jobs, example }));
}

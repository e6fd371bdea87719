import { isConsequence } from "../../compare/cases/side-outcome.ts";
import type { ReportTarget } from "../shape/model.ts";

/** Answers or runs of a target that something is missing of for one reason. */
export interface Reason {
  target: string;
  /** The thing that is missing. */
  missing: "answer" | "grade";
  /** The kind and the message: `run-failed: no model`. */
  text: string;
  /** The outcome, or the metric, and what was said. */
  kind: string;
  message: string;
  jobs: number;
  /** Key of the first case. */
  example: string;
}

/** Reasons for runs without an answer and answers without a grade, the most frequent first; what follows from another one last. */
export function reasonsOf(targets: readonly Pick<ReportTarget, "name" | "errors" | "ungraded">[]): Reason[] {
  return targets
    .flatMap(({ name: target, errors, ungraded }) => [
      ...errors.map(({ outcome, message, ...rest }) => ({
        target,
        missing: "answer" as const,
        text: `${outcome}: ${message}`,
        kind: outcome,
        message,
        ...rest,
      })),
      ...ungraded.map(({ metric, applies, message, ...rest }) => ({
        target,
        missing: "grade" as const,
        text: applies ? `no grade of ${metric}: ${message}` : `not graded by ${metric}: ${message}`,
        kind: metric,
        message,
        ...rest,
      })),
    ])
    .toSorted((a, b) => Number(isConsequence(a.kind)) - Number(isConsequence(b.kind)) || b.jobs - a.jobs)
    .map(({ target, missing, text, kind, message, jobs, example }) => ({
      target,
      missing,
      text,
      kind,
      message,
      jobs,
      example,
    }));
}

/** The heading of a list of reasons, by what is missing in it. */
export function reasonHeading(reasons: readonly Reason[]): string {
  const isMissing = (what: Reason["missing"]): boolean => reasons.some(({ missing }) => missing === what);
  if (!isMissing("answer")) return "Without a grade";
  return isMissing("grade") ? "Without an answer or a grade" : "Without an answer";
}

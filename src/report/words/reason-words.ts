import { endOf, type ShownOutcome } from "../../api/outcomes.ts";
import type { ReportTarget } from "../shape/model.ts";

/** Answers or runs of a target that something is missing of for one reason. */
export type Reason = {
  target: string;
  /** The kind and the message: `run-failed: no model`. */
  text: string;
  message: string;
  jobs: number;
  /** Key of the first case. */
  example: string;
} & Missing;

/** The thing that is missing. */
type Missing = { missing: "answer"; outcome: ShownOutcome } | { missing: "grade"; metric: string };

/** Reasons for runs without an answer and answers without a grade, the most frequent first; what follows from another one last. */
export function reasonsOf(targets: readonly Pick<ReportTarget, "name" | "errors" | "ungraded">[]): Reason[] {
  return targets
    .flatMap(({ name: target, errors, ungraded }): Reason[] => [
      ...errors.map((error) => ({
        target,
        missing: "answer" as const,
        text: `${error.outcome}: ${error.message}`,
        ...error,
      })),
      ...ungraded.map(({ applies, ...reason }) => ({
        target,
        missing: "grade" as const,
        text: applies
          ? `no grade of ${reason.metric}: ${reason.message}`
          : `not graded by ${reason.metric}: ${reason.message}`,
        ...reason,
      })),
    ])
    .toSorted((a, b) => Number(follows(a)) - Number(follows(b)) || b.jobs - a.jobs);
}

const follows = (reason: Reason): boolean => reason.missing === "answer" && endOf(reason.outcome).follows;

/** The heading of a list of reasons, by what is missing in it. */
export function reasonHeading(reasons: readonly Reason[]): string {
  const isMissing = (what: Reason["missing"]): boolean => reasons.some(({ missing }) => missing === what);
  if (!isMissing("answer")) return "Without a grade";
  return isMissing("grade") ? "Without an answer or a grade" : "Without an answer";
}

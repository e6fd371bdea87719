import { endOf, type ShownOutcome } from "../../api/outcomes.ts";
import type { ReportTarget } from "../shape/model.ts";
import { rowWords } from "./row-words.ts";

/** Answers or runs of a target that something is missing of for one reason. */
export type Reason = {
  target: string;
  /** The kind and the message: `run-failed: no model`. */
  text: string;
  message: string;
  jobs: number;
  /** Key of the first case, or its row; null: the text names it. */
  example: string | null;
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
        example: exampleOf(error),
      })),
      ...ungraded.map((reason) => ({ target, missing: "grade" as const, ...reason, ...ungradedWords(reason) })),
    ])
    .toSorted((a, b) => Number(follows(a)) - Number(follows(b)) || b.jobs - a.jobs);
}

/** `row 61 has no expected answer: not graded by correct`: one case by its row, where that is known; of several an example. */
function ungradedWords({
  applies,
  metric,
  message,
  jobs,
  row = null,
  ...reason
}: ReportTarget["ungraded"][number]): Pick<Reason, "text" | "example"> {
  const shown = row === null ? exampleOf(reason) : `row ${row}`;
  if (applies) return { text: `no grade of ${metric}: ${message}`, example: shown };
  const isExpected = message !== nothingExpected;
  if (isExpected) return { text: `not graded by ${metric}: ${message}`, example: shown };
  if (jobs === 1 && row !== null)
    return { text: `${shown} has no expected answer: not graded by ${metric}`, example: null };
  return { text: `${nothingExpected}: not graded by ${metric}`, example: shown };
}

/** `row 3`; the key of the case where it is of no file. */
function exampleOf({ example, rows: [first] = [] }: Pick<ReportTarget["errors"][number], "example" | "rows">): string {
  const place = first === undefined ? "" : rowWords(first);
  return place === "" ? example : place;
}

const nothingExpected = "no expected answer";

const follows = (reason: Reason): boolean => reason.missing === "answer" && endOf(reason.outcome).follows;

/** The heading of a list of reasons, by what is missing in it. */
export function reasonHeading(reasons: readonly Reason[]): string {
  const isMissing = (what: Reason["missing"]): boolean => reasons.some(({ missing }) => missing === what);
  if (!isMissing("answer")) return "Without a grade";
  return isMissing("grade") ? "Without an answer or a grade" : "Without an answer";
}

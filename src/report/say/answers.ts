import { sentenceList } from "../../lib/sentence-list.ts";
import { endOf, type OutcomeCounts, outcomeEntries, type ShownOutcome } from "../../api/outcomes.ts";
import { lacksAnswer } from "../../compare/cases/side-outcome.ts";
import type { ReportSummary, ReportTarget } from "../shape/model.ts";
import { counted, number } from "./quantity.ts";
import { rowsWords, rowWords } from "./names.ts";

/** `2 answers of test are missing (rows 7 and 32)`, of more `(such as row 7)`: whose, and where. */
function missingWords(missing: number, lacking: readonly ReportTarget[]): string {
  if (missing === 0) return "no answer is missing";
  const errors = lacking.flatMap((target) => target.errors.filter(({ outcome }) => isMissing(outcome)));
  const rows = errors.flatMap(({ rows: first = [] }) => first).filter(({ row }) => row !== null);
  const [first] = rows;
  const named = rows.length === missing ? rowsWords(rows) : first === undefined ? "" : `such as ${rowWords(first)}`;
  const where = named === "" ? "" : ` (${named})`;
  const whose = lacking.length === 0 ? "" : ` of ${sentenceList(lacking.map(({ name }) => name))}`;
  return `${counted(missing, "answer")}${whose} ${missing === 1 ? "is" : "are"} missing${where}`;
}

/** An answer that was due and is none; a function that failed has answered so: nothing is missing, and nobody would call it fine. */
const isMissing = (outcome: ShownOutcome): boolean =>
  (outcome === "unfinished" || lacksAnswer(outcome)) && outcome !== "function-error";

const jobsWith = (outcomes: OutcomeCounts, isMeant: (outcome: ShownOutcome) => boolean): number =>
  outcomeEntries(outcomes).reduce((sum, [outcome, jobs]) => (isMeant(outcome) ? sum + jobs : sum), 0);

/** Answers that are missing, and all that were due. */
export function missingAnswers(targets: readonly Pick<ReportTarget, "outcomes">[]): { answers: number; of: number } {
  const count = (isMeant: (outcome: ShownOutcome) => boolean): number =>
    targets.reduce((sum, { outcomes }) => sum + jobsWith(outcomes, isMeant), 0);
  return { answers: count(isMissing), of: count((outcome) => endOf(outcome).due) };
}

/** The cases that the verdict is based on, and the answers that are missing or tell of an error. */
export function basisWords({ gates, cases, targets, candidates, validity, stopping }: ReportSummary): string | null {
  // A gate of one value of a tag compares some of the rows.
  const first = gates.find(({ slice }) => slice === null) ?? gates[0];
  if (first === undefined || validity.state !== "valid") return null;
  const count = (isMeant: (outcome: ShownOutcome) => boolean): number =>
    targets.reduce((sum, { outcomes }) => sum + jobsWith(outcomes, isMeant), 0);
  const failed = count((outcome) => outcome === "function-error");
  const missing = count(isMissing);
  const lacking = targets.filter(({ outcomes }) => jobsWith(outcomes, isMissing) > 0);
  const parts = [
    ...(missing > 0 || failed === 0 ? [missingWords(missing, lacking)] : []),
    ...(failed > 0
      ? [`${counted(failed, "answer")} ${failed === 1 ? "reports" : "report"} an error of the function`]
      : []),
  ];
  const answers = parts.join(", and ");
  // Answers that were in flight when it was decided are told among those that were sent.
  const sent = missing > 0 && (stopping?.spared ?? 0) > 0 ? "of all that were sent, " : "";
  const merged = validity.isPartial === true ? " that were merged" : "";
  const counts = gates.flatMap((gate) => (gate.slice === null && gate.state !== null ? [gate.cases] : []));
  const [least, most] = [Math.min(first.cases, ...counts), Math.max(first.cases, ...counts)];
  const compared =
    candidates.length < 2 || least === most ? number(first.cases) : `${number(least)} to ${number(most)}`;
  const asked = first.questions === undefined ? "" : `, ${counted(first.questions, "question")}`;
  return `Based on ${compared} of ${counted(cases, "row")}${merged}${asked}; ${sent}${answers}.`;
}

/** Answers or runs of a target that something is missing of for one reason. */
export type Reason = {
  target: string;
  /** The kind and the message: `run-failed: no model`. */
  text: string;
  message: string;
  jobs: number;
  /** Key of the first case, or its row. */
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
        example: exampleOf(error),
      })),
      ...ungraded.map((reason) => ({ target, missing: "grade" as const, ...reason, ...ungradedWords(reason) })),
    ])
    .toSorted((a, b) => Number(follows(a)) - Number(follows(b)) || b.jobs - a.jobs);
}

/** `not graded by correct: no expected answer`, with the row of one of them. */
function ungradedWords({
  applies,
  metric,
  message,
  row = null,
  ...reason
}: ReportTarget["ungraded"][number]): Pick<Reason, "text" | "example"> {
  const shown = row === null ? exampleOf(reason) : `row ${row}`;
  return { text: `${applies ? "no grade of" : "not graded by"} ${metric}: ${message}`, example: shown };
}

/** `row 3`; the key of the case where it is of no file. */
function exampleOf({ example, rows: [first] = [] }: Pick<ReportTarget["errors"][number], "example" | "rows">): string {
  const place = first === undefined ? "" : rowWords(first);
  return place === "" ? example : place;
}

const follows = (reason: Reason): boolean => reason.missing === "answer" && endOf(reason.outcome).follows;

/** The heading of a list of reasons, by what is missing in it. */
export function reasonHeading(reasons: readonly Reason[]): string {
  const lacks = (what: Reason["missing"]): boolean => reasons.some(({ missing }) => missing === what);
  if (!lacks("answer")) return "Without a grade";
  return lacks("grade") ? "Without an answer or a grade" : "Without an answer";
}

/** Runs that may have been paid although no record of them came, and requests that may have been paid a second time; empty: none. */
export function paidWords(
  { possiblyPaid = 0, possiblyPaidTwice: { cases, judges } }: Pick<ReportSummary, "possiblyPaid" | "possiblyPaidTwice">,
  after = "",
): string[] {
  const toJudges = judges === 0 ? "" : cases === 0 ? "to judges" : `${number(judges)} of them to judges`;
  const about = [toJudges, after].filter((part) => part !== "").join("; ");
  // Both are about the same jobs.
  const why = possiblyPaid === 0 ? "" : ", sent again for such jobs";
  const requests = `${counted(cases + judges, "request")}${why}${about === "" ? "" : ` (${about})`}`;
  return [
    ...(possiblyPaid === 0 ? [] : [`Possibly paid without a record: ${counted(possiblyPaid, "job")}`]),
    ...(cases + judges === 0 ? [] : [`Possibly paid twice: ${requests}`]),
  ];
}

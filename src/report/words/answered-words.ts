import { sentenceList } from "../../lib/sentence-list.ts";
import { endOf, type OutcomeCounts, outcomeEntries, type ShownOutcome } from "../../api/outcomes.ts";
import { lacksAnswer } from "../../compare/cases/side-outcome.ts";
import type { ReportSummary, ReportTarget } from "../shape/model.ts";
import { counted, number } from "./quantity.ts";
import { rowsWords, rowWords } from "./row-words.ts";

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
  const [first] = gates;
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
  return `Based on ${compared} of ${counted(cases, "case")}${merged}${asked}; ${sent}${answers}.`;
}

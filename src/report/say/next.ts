import { shellWord } from "../../lib/shell-word.ts";
import { sentenceList } from "../../lib/sentence-list.ts";
import type { ReportSummary } from "../shape/model.ts";
import type { NextStep, Step, StepRows } from "../shape/next-step.ts";
import { unitNoun } from "./causes.ts";
import { rowsWords, sliceWords } from "./names.ts";
import { counted, number, wholeShare } from "./quantity.ts";

const rowsTo: Record<StepRows, string> = {
  worse: "look at the rows that got worse",
  "not-holding": "look at the rows that do not hold",
  "bad-by-people": "look at the answers that people call bad",
  disputed: "look at the rows on which they disagree",
  changed: "look at what changed",
  answers: "look at the answers",
  "some-answers": "look at some answers",
  expected: "compare some answers with the expected ones",
  all: "look at the rows",
};

/** The commands of a next step as they are typed. */
export const commandText = ({ commands }: Pick<NextStep, "commands">): string =>
  commands.map((words) => words.map(shellWord).join(" ")).join(" && ");

/** The next step in a few words, without its command: first whom of several candidates to take. */
export function nextWords(next: Pick<NextStep, "step" | "lost">, summary: Pick<ReportSummary, "pairs">): string {
  const { step } = next;
  const count = "count" in step ? (step.count ?? 0) : 0;
  const isSeen = step.kind === "look" || (step.kind === "look-at-place" && step.isTold);
  const words = isSeen && count > 1 ? `look at all ${number(count)}` : nextWhy(next);
  return [...replacingWords(summary), words].join("; ");
}

/** `c may replace prod`: those of several candidates that are surely better. */
export function replacingWords({ pairs }: Pick<ReportSummary, "pairs">): string[] {
  const better = pairs.filter(({ word }) => word === "better");
  const [first] = better;
  if (pairs.length < 2 || first === undefined) return [];
  return [
    `${sentenceList(
      better.map(({ candidate }) => candidate),
      "or",
    )} may replace ${first.baseline}`,
  ];
}

/** The purpose of the command of a next step, and what to mend before it. */
export function nextWhy({ step, lost }: Pick<NextStep, "step" | "lost">): string {
  if (lost === undefined) return stepWords(step);
  return `${stepWords(step)}; ${lostWords(lost)}. To see what was run`;
}

/** The reason why no suite file can be named. */
function lostWords({ folder, alike }: NonNullable<NextStep["lost"]>): string {
  if (folder === null) return "it has no suite file";
  return alike === undefined
    ? `its suite file is not found any more in ${folder}`
    : `its suite file is one of ${sentenceList(alike)} in ${folder}, which have the same name`;
}

function stepWords(step: Step): string {
  switch (step.kind) {
    case "look":
      return rowsTo[step.rows];
    case "look-at-place": {
      const more = step.more === 0 ? "" : ` (and those of ${counted(step.more, "more value")})`;
      const turned = step.fails ? `newly ${step.count === 1 ? "fails" : "fail"}` : "got worse";
      return `look at the ${counted(step.count, "row")} with ${sliceWords(step.place)} that ${turned}${more}`;
    }
    case "read":
      return `read and judge ${step.count === 1 ? "this row" : `these ${number(step.count)} rows`}`;
    case "check-judge":
      return `check the judge of \`${step.metric}\` against people, by ${number(step.count)} rows to label`;
    case "done":
      return takeWords(step) ?? `nothing has to be done; to ${rowsTo[step.rows]}`;
    case "resume":
      if (step.rest) return "send the rest too (without --rest it is left out)";
      return step.mend ? "mend what stopped it, then resume" : "resume what is not finished";
    case "ask-failed": {
      const when = step.mend ? "mend what stopped it" : `wait until ${step.target} answers again`;
      return `${when}, then go on, and ask the ${counted(step.failed, "failed question")} of ${step.target} again`;
    }
    case "send-in-doubt":
      return "send again what is in doubt";
    case "grade":
      return {
        scorer: "grade the answers",
        judge: "grade both sides by the judge of today",
        expected: "grade by the expected answers of today",
        "same-scorer": `grade the other side by \`${step.metric ?? ""}\` as it is now, then compare again`,
        range: `give the scorer of \`${step.metric ?? ""}\` a \`range: [min, max]\`, then grade the answers again`,
      }[step.by];
    case "merge": {
      const lacks = sentenceList(step.parts.map((part) => `${part}/${step.of}`));
      return `merge --shard ${lacks} too, or do without it (--partial), by the results folders of all parts; to see how`;
    }
    case "find-out": {
      const what = step.runs === null ? "fails to answer" : `gave no answer in ${counted(step.runs, "run")}`;
      return `find out why ${step.target} ${what}, then ask these rows again`;
    }
    case "fill": {
      const rows = rowsWords(step.first, step.rows);
      const of = step.file === null ? "" : ` of ${step.file}`;
      return `fill column \`${step.column}\`${of}${rows === "" ? "" : ` in ${rows}`}, then run it again`;
    }
    case "explain":
      return `see why answers have no grade of ${step.metric}`;
    case "same-sheet":
      return "ask both sides the same sheet";
    case "repeat":
      return step.rows === null
        ? `ask each row ${step.repeats} times, to see which changes are chance`
        : `ask each of the ${counted(step.rows, "row")} ${step.repeats} times`;
    case "sample-more":
      return "ask more rows of the sheet, or all where it has fewer";
    case "add":
      return `${addWords(step)}, then ${step.isSecond ? "compare all of them (a second look)" : "run it again"}`;
    case "correct":
      return "when it is corrected";
  }
}

/** `take lean, which costs 60 % less than careful`; null: nothing was chosen. */
export function takeWords({ take, cheaper }: Extract<Step, { kind: "done" }>): string | null {
  if (take === null) return null;
  return cheaper === null
    ? `take ${take}`
    : `take ${take}, which costs ${wholeShare(cheaper.share)} less than ${cheaper.than}`;
}

function addWords({ rows, mustDiffer, file, most, groups }: Extract<Step, { kind: "add" }>): string {
  if (rows === null)
    return groups === null
      ? "add rows"
      : `bring the sheet to at least ${groups.least} ${unitNoun(groups.of, groups.least)}`;
  const asking = mustDiffer ? ` that ${rows === 1 ? "asks" : "ask"} something else` : "";
  const bound = most === null ? "" : ` (the two looks of the suite hold for ${number(most)} rows at most)`;
  return `add ${counted(rows, "row")}${asking} to ${file ?? "the sheet"}${bound}`;
}

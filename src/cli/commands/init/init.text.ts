import { findingText } from "../../../dataset/finding.ts";
import type { Inspection } from "../../../dataset/inspect.ts";
import { orderColumn } from "../../../dataset/table/column.ts";
import { envValue } from "../../../suite/environment.ts";
import type { FieldSource } from "../../../suite/suite.ts";
import type { Sheet } from "../../../init/sheet.ts";
import { sentenceList } from "../../../lib/sentence-list.ts";
import { shellWord } from "../../../lib/shell-word.ts";
import { showText } from "../../../lib/show.ts";
import { scriptColumns } from "../../../lib/script-columns.ts";
import { madeColumns } from "../../progress/mapping-summary.ts";
import { formWords, isUsualForm } from "../../file-form.ts";
import { type FoundBy, hasNoHeader, type Roles } from "../../../init/roles.ts";
import type { Converted, Written } from "../../../init/conversion.ts";
import { type Proposal, scorerArgument } from "../../../score/proposal/proposal.ts";
import { counted } from "../../../report/say/quantity.ts";
import { visible } from "../../../report/text/visible.ts";

interface ToldSheet {
  sheet: Pick<Sheet, "rows" | "facts" | "columns">;
  roles: Roles;
  blank: number;
  /** The rows bring checks of their own. */
  hasChecks: boolean;
}

/** The sheet and what its columns were taken for; `blank` rows have no question. */
export function sheetText(
  path: string,
  { sheet: { rows, facts, columns }, roles, blank, hasChecks }: ToldSheet,
): string {
  const form = facts === null || isUsualForm(facts) ? "" : ` (${formWords(facts)})`;
  const left = blank === 0 ? [] : [`  ${counted(blank, "row")} without a question: --skip-invalid leaves them out`];
  const others = columns.map(({ name }) => name).filter((name) => name !== roles.question && name !== roles.key);
  const isTaken = roles.foundBy.question === "content" && facts?.format === "csv" && !hasNoHeader({ columns });
  const lacks = roles.answer === null && roles.stored === null && !hasChecks;
  return [
    `${path}: ${counted(rows, "row")}${form}`,
    ...(isTaken ? line("first row", "taken for the names of the columns; if it is a case: --no-header") : []),
    ...rolesLines(roles),
    ...(lacks ? noAnswerLines(others) : []),
    ...left,
  ].join("\n");
}

const mostNames = 6;

/** Says that nothing tells a right answer from a wrong one, and where to name the column that does. */
function noAnswerLines(others: readonly string[]): string[] {
  const shown = others.slice(0, mostNames).map((name) => visible(showText(name)));
  const among = shown.length === 0 ? "" : ` among ${shown.join(", ")}${others.length > shown.length ? ", ..." : ""}`;
  return [
    ...line("answer", `none found${among}: no answer is graded as right or wrong`),
    "               If a column holds the expected answers, name it in the suite: case: { expected: COLUMN }",
  ];
}

/** A column with the way it was found, where that was a guess. */
function guessLine(what: string, column: string | null, by: FoundBy | null): string[] {
  if (column === null) return [];
  const guess = by === null ? undefined : guesses[by];
  return line(what, guess === undefined ? column : `${column} (${guess})`);
}

const guesses: Partial<Record<FoundBy, string>> = {
  "likely-name": "taken for the expected answer: if a bot gave these answers, change it in the suite",
  word: "a guess by a word of its name: change it in the suite if it is another",
  content: "a guess by what is in it: change it in the suite if it is another",
};

/** Says that the first row is a case, and what to do if it is not. */
export const firstRowText = (path: string, sign: string): string =>
  `${path}: the first row is taken for a case, not for names of columns: ${sign}. If it names them: --header`;

/** Rows that can be sent and are suspicious, the first of each kind; `suite` is what lists them all. */
export function suspiciousLines({ counts, listed }: Inspection["warnings"], suite: string): string[] {
  return Object.keys(counts).flatMap((kind) => {
    const found = listed.filter((each) => each.kind === kind).slice(0, mostOfKind);
    const more = (counts[kind] ?? 0) - found.length;
    const rest = `${counted(more, "more row")} like the last: tandem check ${shellWord(suite)} lists them`;
    return [...found.map((each) => visible(findingText(each))), ...(more > 0 ? [rest] : [])];
  });
}

const mostOfKind = 3;

/** The scorer that is proposed, below the columns. */
export const scorerText = (scorer: Proposal): string => line("scorer", scorerArgument(scorer)).join("\n");

/** The parts of promptfoo's files that are in the suite, and those that are not. */
export function promptfooText({
  tests,
  prompts,
  targets,
  keys,
  left,
  env,
}: Pick<Converted, "tests" | "prompts" | "targets" | "keys" | "left"> & {
  env: Readonly<Record<string, string | undefined>>;
}): string {
  const lacking = keys.filter((name) => envValue(env, name) === "");
  const needed =
    lacking.length === 0 ? [] : [`Set ${lacking.join(" and ")} in the environment or in .env before you run it.`];
  const made = `From promptfoo: ${counted(tests, "test")}, ${counted(prompts, "prompt")}, ${counted(targets, "target")}`;
  const named =
    left.length === 0 ? [] : ["Not in the suite, or not as it was:", ...left.map((each) => `  ${visible(each)}`)];
  return [made, ...named, ...needed].join("\n");
}

/** The files that were written, and the command that comes next. */
export function writtenText(files: readonly Written[], next: string | null): string {
  const width = Math.max(...files.map(({ path }) => path.length));
  const lines = files.map(({ path, about }) => `  ${path.padEnd(width)}  ${about}`);
  return ["Written:", ...lines, ...(next === null ? [] : ["", "Next:", `  ${next}`])].join("\n");
}

const line = (what: string, column: string | null): string[] =>
  column === null ? [] : [`  ${what.padEnd(12)} ${visible(madeColumns.get(column) ?? column)}`];

/** The text that is sent, on one line. */
function promptText({ input_prompt: text }: Record<string, FieldSource>): string {
  return typeof text === "string" ? text.replaceAll(/\s+/g, " ").trim() : "a chat";
}

function rolesLines({
  question,
  foundBy,
  prompt,
  answer,
  key,
  cluster,
  turn,
  orderBy,
  stored,
  drawn,
  tags,
  files = [],
}: Roles): string[] {
  return [
    ...(prompt === null ? guessLine("question", question, foundBy.question) : line("prompt", promptText(prompt))),
    ...files.flatMap(({ column, field }) => line(field.replace("input_", ""), column)),
    ...guessLine("answer", answer, foundBy.answer),
    ...line("key", key),
    ...line("conversation", cluster),
    ...line(
      "turn",
      turn === orderColumn
        ? orderBy === null
          ? "as the rows stand"
          : `in the order of ${orderBy}`
        : turn === scriptColumns.turn
          ? null
          : turn,
    ),
    ...line("answered", stored?.answer ?? null),
    ...line("feedback", stored?.label ?? null),
    ...line(
      "cluster",
      drawn === undefined ? null : `${drawn} (a proposal: rows of one value go right or wrong together)`,
    ),
    ...line("tags", tags.length === 0 ? null : tags.join(", ")),
  ];
}

/** Says which sheet of a workbook is read: that with most rows. */
export function sheetsText(path: string, sheet: string, sheets: readonly { name: string; rows: number }[]): string {
  const size = (name: string): string =>
    counted(Math.max(0, (sheets.find((each) => each.name === name)?.rows ?? 0) - 1), "row");
  const others = sheets.filter(({ name }) => name !== sheet).map(({ name }) => `${visible(name)} (${size(name)})`);
  return `${visible(path)}: the sheet ${visible(sheet)} (${size(sheet)}) is read, not ${sentenceList(others, "or")}; --sheet NAME takes another`;
}

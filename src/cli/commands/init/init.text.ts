import { orderColumn } from "../../../dataset/table/column.ts";
import type { FieldSource } from "../../../suite/suite.ts";
import type { Sheet } from "../../../init/sheet.ts";
import { formWords, isUsualForm } from "../../file-form.ts";
import type { Roles } from "../../../init/roles.ts";
import type { Written } from "../../../init/init.ts";
import { type Proposal, scorerArgument } from "../../../score/proposal/proposal.ts";
import { counted } from "../../../report/words/quantity.ts";
import { visible } from "../../../report/text/visible.ts";

/** The sheet and what its columns were taken for; `blank` rows have no question. */
export function sheetText(
  path: string,
  { sheet: { rows, facts }, roles, blank }: { sheet: Pick<Sheet, "rows" | "facts">; roles: Roles; blank: number },
): string {
  const form = facts === null || isUsualForm(facts) ? "" : ` (${formWords(facts)})`;
  const left = blank === 0 ? [] : [`  ${counted(blank, "row")} without a question: --skip-invalid leaves them out`];
  return [`${path}: ${counted(rows, "row")}${form}`, ...rolesLines(roles), ...left].join("\n");
}

/** The scorer that is proposed, below the columns. */
export const scorerText = (scorer: Proposal): string => line("scorer", scorerArgument(scorer)).join("\n");

/** The parts of promptfoo's files that are in the suite, and those that are not. */
export function promptfooText({
  tests,
  prompts,
  left,
}: {
  tests: number;
  prompts: number;
  left: readonly string[];
}): string {
  const made = `From promptfoo: ${counted(tests, "test")}, ${counted(prompts, "prompt")}`;
  return [made, ...(left.length === 0 ? [] : ["Not in the suite:"]), ...left.map((each) => `  ${visible(each)}`)].join(
    "\n",
  );
}

/** The files that were written, and the command that comes next. */
export function writtenText(files: readonly Written[], next: string): string {
  const width = Math.max(...files.map(({ path }) => path.length));
  const lines = files.map(({ path, about }) => `  ${path.padEnd(width)}  ${about}`);
  return ["Written:", ...lines, "", "Next:", `  ${next}`].join("\n");
}

const line = (what: string, column: string | null): string[] =>
  column === null ? [] : [`  ${what.padEnd(12)} ${visible(column)}`];

/** The text that is sent, on one line. */
function promptText({ input_prompt: text }: Record<string, FieldSource>): string {
  return typeof text === "string" ? text.replaceAll(/\s+/g, " ").trim() : "a chat";
}

function rolesLines({
  question,
  prompt,
  answer,
  key,
  cluster,
  turn,
  orderBy,
  stored,
  tags,
  files = [],
}: Roles): string[] {
  return [
    ...(prompt === null ? line("question", question) : line("prompt", promptText(prompt))),
    ...files.flatMap(({ column, field }) => line(field.replace("input_", ""), column)),
    ...line("answer", answer),
    ...line("key", key),
    ...line("conversation", cluster),
    ...line(
      "turn",
      turn === orderColumn ? (orderBy === null ? "as the rows stand" : `in the order of ${orderBy}`) : turn,
    ),
    ...line("answered", stored?.answer ?? null),
    ...line("feedback", stored?.label ?? null),
    ...line("tags", tags.length === 0 ? null : tags.join(", ")),
  ];
}

import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { defaultEndpoint } from "../../api/endpoint-name.ts";
import { AppError, exitCodes } from "../../errors.ts";
import { nameFor, writeInit } from "../../init/init.ts";
import { orderColumn } from "../../dataset/table/column.ts";
import { guessRoles, type Roles } from "../../init/roles.ts";
import { lookAt, lookAtExpected } from "../../init/sheet.ts";
import { type Proposal, proposedScorers, scorerArgument } from "../../score/proposal/proposal.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { type FormatFlags, formatFromFlags, formatOfFlags } from "../../suite/flags/format-flags.ts";
import { counted } from "../../report/words/quantity.ts";
import { visible } from "../../report/text/visible.ts";
import { askRoles } from "./init.questions.ts";
import type { Terminal } from "../terminal.ts";

interface InitFlags extends FormatFlags {
  dataset?: string | undefined;
  dir: string;
  bots?: string | undefined;
  name?: string | undefined;
  yes: boolean;
  json: boolean;
}

/** Looks at a sheet, asks where a person can answer, writes, and says what to do next. */
export async function runInit(flags: InitFlags, terminal: Terminal): Promise<number> {
  const path = flags.dataset ?? onlyDataset();
  const sheet = await lookAt(path, process.cwd(), formatFromFlags(flags));
  const guessed = guessRoles(sheet);
  if (guessed === null) {
    throw new AppError("USAGE", `${path} has no column that could be a question.`, {
      hint: `Name one "question". It has: ${sheet.columns.map(({ name }) => name).join(", ") || "no columns"}.`,
    });
  }
  const asks = !flags.yes && !flags.json && process.stdin.isTTY && process.stderr.isTTY;
  const roles = asks ? await askRoles(sheet, guessed) : guessed;
  const blank = sheet.rows - (sheet.columns.find(({ name }) => name === roles.question)?.filled ?? 0);
  const left = blank === 0 ? [] : [`  ${counted(blank, "row")} without a question: --skip-invalid leaves them out`];
  if (!flags.json) terminal.note([`${path}: ${counted(sheet.rows, "row")}`, ...rolesLines(roles), ...left].join("\n"));
  const scorers = await scorersFor(path, roles, flags);
  if (!flags.json && scorers[0] !== undefined) terminal.note(line("scorer", scorerArgument(scorers[0])).join("\n"));
  const written = await writeInit({
    path,
    sheet,
    roles,
    scorers,
    folder: flags.dir,
    name: flags.name ?? nameFor(path),
    bots: flags.bots ?? null,
    format: formatOfFlags(flags),
  });
  const suite = relative("", join(flags.dir, "suite.yaml"));
  // A run refuses blank rows without this flag.
  const skip = blank === 0 ? "" : " --skip-invalid";
  const next = `tandem run ${shellWord(suite)}${skip}`;
  if (flags.json)
    terminal.print(JSON.stringify({ version: 1, suite, roles, files: written.map((file) => file.path), next }));
  else {
    const width = Math.max(...written.map((file) => file.path.length));
    const files = written.map((file) => `  ${file.path.padEnd(width)}  ${file.about}`);
    terminal.print(["Written:", ...files, "", "Next:", `  ${next}`].join("\n"));
  }
  return exitCodes.ok.code;
}

/** The bot of an `init` is a bot: functions are asked by suites that people write. */
async function scorersFor(path: string, { answer }: Roles, flags: FormatFlags): Promise<Proposal[]> {
  if (answer === null) return [];
  const format = formatFromFlags(flags);
  return proposedScorers(await lookAtExpected(path, answer, { folder: process.cwd(), format }), [defaultEndpoint]);
}

const line = (what: string, column: string | null): string[] =>
  column === null ? [] : [`  ${what.padEnd(12)} ${visible(column)}`];

function rolesLines({ question, answer, key, cluster, turn, orderBy, stored, tags }: Roles): string[] {
  return [
    ...line("question", question),
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

/** The dataset of this folder where there is one only. */
function onlyDataset(): string {
  const found = readdirSync(".").filter((name) => /\.(csv|tsv|jsonl|ndjson)(\.gz)?$/i.test(name));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new AppError("USAGE", found.length === 0 ? "There is no dataset in this folder." : "Which dataset?", {
    hint: `Name one: tandem init ${found.length === 0 ? "prompts.csv" : found.slice(0, 5).join(" | ")}`,
  });
}

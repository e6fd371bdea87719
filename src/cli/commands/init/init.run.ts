import { sheetKind } from "../../../dataset/sheet-kind.ts";
import { suiteFileName } from "../../../suite/file-name.ts";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { defaultEndpoint } from "../../../api/endpoint-name.ts";
import { AppError } from "../../../errors.ts";
import { checkSuite } from "../../../app/plan/check-suite.ts";
import type { Finding } from "../../../dataset/finding.ts";
import type { Sheets } from "../../../dataset/sheets.ts";
import { dataInHeader, fieldNames } from "../../../dataset/lint/data-in-header.ts";
import type { ConversionSource, Converted } from "../../../init/conversion.ts";
import { nameFor, refuseExisting, newSuitePath, savedBots, writeInit } from "../../../init/init.ts";
import { promptNeeded } from "../../../dataset/cases/default-mapping.ts";
import { mediaColumns } from "../../../init/media-columns.ts";
import { guessRoles, hasTitle, type Roles, rolesForPrompt, variablesWithoutPrompt } from "../../../init/roles.ts";
import { learnFrom } from "../../../app/plan/chat-export.ts";
import type { ChatExport } from "../../../dataset/import/chat-export.ts";
import { bringsChecks, hasTurns, lookAt, lookAtExpected, type SheetReading, type Sheet } from "../../../init/sheet.ts";
import { type Proposal, proposedJudge, proposedScorers } from "../../../score/proposal/proposal.ts";
import { shellWord } from "../../../lib/shell-word.ts";
import { formatFromFlags, formatOfFlags } from "../../../suite/flags/format-flags.ts";
import { promptOf, severalPrompts } from "../../flags/prompt-flags.ts";
import {
  type FirstParts,
  firstParts,
  historyRemark,
  isServiceAddress,
  onlyBot,
} from "../../../app/doctor/first-suite.ts";
import { firstCallText, noAnswerWords } from "../check/check.text.ts";
import { bodyOf, firstCall, type FirstCallFlags, headersOf } from "../check/check.try.ts";
import {
  firstRowText,
  promptfooText,
  scorerText,
  sheetsText,
  sheetText,
  suspiciousLines,
  writtenText,
} from "./init.text.ts";
import type { CommandResult } from "../../command-result.ts";
import { sheetsHere } from "../../sheets-here.ts";
import type { Terminal } from "../../terminal.ts";
import type { JsonData } from "../../json-outputs.ts";
import { placeholder, isTemplate } from "../../../lib/liquid-name.ts";
import { createInterface, type Interface } from "node:readline/promises";
import { suggest } from "../../../lib/suggest.ts";
import { parts } from "../../../parts/parts.ts";
import { fit } from "../../../report/text/width.ts";
import { visible } from "../../../report/text/visible.ts";
import type { InitFlags } from "./init.ts";

/** Looks at a sheet, asks where a person can answer, writes, and says what to do next. */
export async function runInit(given: InitFlags, terminal: Terminal): Promise<CommandResult> {
  const path = given.dataset ?? onlyDataset();
  refuseUnused(given, path);
  using sheets = sheetsHere();
  const asks = !given.yes && !given.json && process.stdin.isTTY && process.stderr.isTTY;
  const ways = { asks, sheets, terminal };
  const flags = await withFirstRow(path, await withSheet(path, given, ways), ways);
  const format = formatFromFlags(flags);
  if (severalPrompts(flags).length > 0) throw severalToCompare(path, flags["prompt-file"]);
  const typed = promptOf(flags);
  const asksBot = asks && flags.bots === undefined;
  const botFor = async (ask: string): Promise<FirstParts | undefined> =>
    (await botOf({ ...flags, ask, isTalkedTo: false }, terminal, asksBot))?.bot;
  const converted = await fromOtherProgram({
    path,
    format,
    sheets,
    prompt: typed?.text ?? null,
    to: flags.dir,
    force: flags.force,
    name: flags.name,
    ...(flags.bots !== undefined && { namedBot: async () => savedBots(flags.dir, flags.bots ?? "") }),
    ...(flags.url.length > 0 && { namedBot: botFor }),
    askForBot: botFor,
  });
  if (converted !== null) return await tellConverted(converted, flags, { sheets, terminal });
  const { chat } = await learnFrom([path], { format, sheets, prompt: typed });
  const talks = chat === null || chat.row === "turn" ? undefined : talksOf(chat);
  const reading = { sheets, format, talks };
  const sheet = await lookAt(path, { ...reading, ...(!flags.json && { onNotice: terminal.note }) });
  const prompt = await promptFor(path, sheet, { given: typed?.text ?? null, asks: asks && chat === null });
  const guessed = prompt === null ? guessRoles(sheet, chat, mediaColumns(sheet, path)) : rolesForPrompt(sheet, prompt);
  if (guessed === null) {
    throw new AppError("USAGE", `${path} has no column that could be a question.`, {
      hint: `${hasTitle(sheet) ? "If its first line is a title, delete it: the header comes first. " : ""}Name one "question". It has: ${sheet.columns.map(({ name }) => name).join(", ") || "no columns"}.`,
    });
  }
  const roles = asks && prompt === null && talks === undefined ? await askRoles(sheet, guessed) : guessed;
  const blank = sheet.rows - (sheet.columns.find(({ name }) => name === roles.question)?.filled ?? 0);
  if (!flags.json) terminal.note(sheetText(path, { sheet, roles, blank, hasChecks: bringsChecks(sheet) }));
  const { scorers, judge } = await scorersFor(path, roles, reading);
  if (!flags.json && scorers[0] !== undefined) terminal.note(scorerText(scorers[0]));
  const ask = firstQuestion(sheet, roles) ?? "Hello";
  const isTalkedTo = hasTurns(sheet, roles);
  const made = await botOf({ ...flags, ask, isTalkedTo }, terminal, asksBot);
  const { bot, remark } = made ?? { bot: null, remark: [] };
  if (!flags.json) for (const line of remark) terminal.note(line);
  const written = await writeInit({
    bot,
    remark,
    path,
    sheet,
    roles,
    scorers,
    judge,
    folder: flags.dir,
    force: flags.force,
    name: flags.name ?? nameFor(path),
    bots: flags.bots ?? null,
    format: formatOfFlags(flags),
  });
  const suite = relative("", join(flags.dir, suiteFileName));
  const warnings = await suspiciousRows(suite, { asJson: flags.json, sheets, terminal });
  // A run refuses blank rows without this flag.
  const skip = blank === 0 ? "" : " --skip-invalid";
  const next = `tandem run ${shellWord(suite)}${skip}`;
  const files = written.map((file) => file.path);
  const data = { suite, roles, warnings, files, next } satisfies JsonData["init"];
  return { data, text: writtenText(written, next) };
}

/** The means of a question about a sheet; `asks`: a person can answer. */
interface WaysToAsk {
  asks: boolean;
  sheets: Sheets;
  terminal: Terminal;
}

/** The flags with the sheet of a workbook that has most rows, where nobody names one; asked where two could be it. */
async function withSheet(
  path: string,
  flags: InitFlags,
  { asks, sheets: opened, terminal }: WaysToAsk,
): Promise<InitFlags> {
  if (flags.sheet !== undefined || !/\.xls[xm]$/i.test(path)) return flags;
  const sheets = await opened.table(path).sheets();
  const [most, next] = sheets.toSorted((one, other) => other.rows - one.rows);
  if (most === undefined || next === undefined || most.rows === 0) return flags;
  const couldBe = sheets.filter(({ rows }) => rows * 2 >= most.rows);
  const sheet =
    asks && couldBe.length > 1
      ? await askSheet(
          couldBe.map(({ name }) => name),
          most.name,
        )
      : most.name;
  if (!flags.json) terminal.note(sheetsText(path, sheet, sheets));
  return { ...flags, sheet };
}

/** The flags with what the first row of a sheet is: a case, where it looks like one and nobody says otherwise. */
async function withFirstRow(path: string, flags: InitFlags, { asks, sheets, terminal }: WaysToAsk): Promise<InitFlags> {
  // A suite need not say what is usual.
  if (flags.header === true) return { ...flags, header: undefined };
  if (flags.header === false || !/\.(?:csv|tsv|tab|txt)(?:\.gz)?$/i.test(path)) return flags;
  const { header, rows } = await sheets.table(path).beginning(formatFromFlags(flags));
  const sign = dataInHeader(header ?? [], rows, fieldNames([defaultEndpoint]));
  if (sign === null || (asks && (await askHeader(header ?? [])))) return flags;
  if (!flags.json) terminal.note(firstRowText(path, sign));
  return { ...flags, header: false };
}

/** Rows of the dataset that can be sent and are suspicious, as `check` of the new suite finds them; the first are noted. */
async function suspiciousRows(
  suite: string,
  { asJson, sheets, terminal }: { asJson: boolean; sheets: Sheets; terminal: Terminal },
): Promise<readonly Finding[]> {
  const { dataset } = await checkSuite(suite, {
    env: process.env,
    sheets,
    // Blank rows were counted before.
    skipInvalid: true,
    onSkipped: () => undefined,
  });
  if (dataset === null) return [];
  if (!asJson) for (const line of suspiciousLines(dataset.warnings, suite)) terminal.warn(line);
  return dataset.warnings.listed;
}

/** The first question of a sheet that can be sent as it stands; null: there is none, or it is a part of what is sent. */
function firstQuestion({ sample }: Sheet, { question, prompt, talks }: Roles): string | null {
  if (prompt !== null || talks !== null) return null;
  return sample.map((row) => row[question]?.trim() ?? "").find((text) => text !== "") ?? null;
}

/** The parts of a suite for the bot of the user, after a first call to it, and sentences on them; null: a bot on this machine is asked. */
async function botOf(
  flags: InitFlags & { ask: string; isTalkedTo: boolean },
  terminal: Terminal,
  asks: boolean,
): Promise<{ bot: FirstParts; remark: string[] } | null> {
  const ofRequests = { "http-header": flags["http-header"] };
  const named = namedBots(flags.url).map((bot) => ({ ...bot, ...ofRequests }));
  const isMixed = new Set(named.map(({ url }) => isServiceAddress(url))).size > 1;
  const given = named.map((bot) =>
    // A bot of the service has neither; another one beside it may.
    isMixed && isServiceAddress(bot.url) ? bot : { ...bot, model: flags.model, body: flags.body },
  );
  const asked = given.length === 0 && asks ? await askBot() : null;
  const bots: Bot[] = asked === null ? given : [{ ...asked, ...ofRequests }];
  if (bots.length === 0) return null;
  // A call may cost money: none is made for a suite that cannot be written.
  if (!flags.force) refuseExisting([newSuitePath(flags.dir)]);
  const made: FirstParts = { deployments: {}, targets: {} };
  const remark = new Set<string>();
  for (const bot of bots) {
    const own = flags.offline ? partsOf(bot, flags.isTalkedTo) : await partsByCall(bot, flags, terminal);
    Object.assign(made.deployments, own.deployments);
    Object.assign(made.targets, own.targets);
    if (!flags.isTalkedTo) continue;
    for (const line of historyRemark(own, { body: bodyOf(bot.body) }, process.env)) remark.add(line);
  }
  return { bot: made, remark: [...remark] };
}

type Bot = Omit<FirstCallFlags, "ask">;

const partsOf = ({ name, url, model, body, "http-header": header }: Bot, isTalkedTo: boolean): FirstParts =>
  firstParts({
    ...(name !== undefined && { name }),
    url,
    model: model ?? null,
    body: bodyOf(body),
    headers: headersOf(header),
    isTalkedTo,
  });

/** The parts of a suite for a bot, with the places that a first call found. Throws SERVICE_UNREACHABLE where no reply came. */
async function partsByCall(
  bot: Bot,
  { ask, isTalkedTo, json }: Parameters<typeof botOf>[0],
  terminal: Terminal,
): Promise<FirstParts> {
  const call = await firstCall({ ...bot, ask, isTalkedTo }, terminal);
  if (call.answer !== null) {
    if (!json) terminal.note(firstCallText(call));
    return call.parts;
  }
  const { message, hint } = noAnswerWords(call, bot);
  throw new AppError("SERVICE_UNREACHABLE", message, { hint });
}

/** Throws USAGE for flags that would change nothing, with what to write. */
function refuseUnused({ url, model, bots, ...flags }: InitFlags, path: string): void {
  if (url.length > 0 && bots !== undefined)
    throw usage("--url and --bots cannot be used together: each says who is asked.", "Keep one of them.");
  if (url.length === 0 && model !== undefined)
    throw usage(
      "--model is the model of a chat, and no --url says where that is.",
      `At OpenAI: tandem init ${shellWord(path)} --url https://api.openai.com/v1 --model ${shellWord(model)}; at another service, its own address.`,
    );
  const format = Object.keys(formatOfFlags(flags) ?? {}).map((key) => `--${key}`);
  if (/\.ya?ml$/i.test(path) && format.length > 0)
    throw usage(
      `${format.join(" and ")} ${format.length === 1 ? "is" : "are"} for a sheet, and ${path} is none.`,
      "Leave it out: the sheets that a configuration names are read as they are.",
    );
}

const usage = (message: string, hint: string): AppError => new AppError("USAGE", message, { hint });

/** The bots of `--url`, with the names that they have or are given. Throws USAGE. */
function namedBots(urls: readonly string[]): { name: string; url: string }[] {
  const usual = urls.length === 1 ? [onlyBot] : urls.length === 2 ? ["baseline", "candidate"] : [];
  const bots = urls.map((text, place) => {
    const [, name, url] = /^([\p{L}\p{N}_][\p{L}\p{N}_.-]*)=(https?:.*)$/su.exec(text) ?? [];
    return name === undefined || url === undefined
      ? { name: usual[place] ?? `bot-${place + 1}`, url: text }
      : { name, url };
  });
  const names = bots.map(({ name }) => name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice === undefined) return bots;
  throw new AppError("USAGE", `--url: two bots have the name ${twice}.`, {
    hint: "Give each its own: --url old=https://... --url new=https://...",
  });
}

/** Says what was made of promptfoo's files, and what is not in it. */
async function tellConverted(
  { files, tests, prompts, targets, keys, left }: Converted,
  flags: InitFlags,
  { sheets, terminal }: { sheets: Sheets; terminal: Terminal },
): Promise<CommandResult> {
  const suite = relative("", join(flags.dir, suiteFileName));
  const warnings = await suspiciousRows(suite, { asJson: flags.json, sheets, terminal });
  const next = `tandem run ${shellWord(suite)}`;
  if (!flags.json) terminal.note(promptfooText({ tests, prompts, targets, keys, left, env: process.env }));
  const paths = files.map((file) => file.path);
  const data = { suite, tests, left, warnings, files: paths, next } satisfies JsonData["init"];
  return { data, text: writtenText(files, next) };
}

function severalToCompare(path: string, files: readonly string[]): AppError {
  const compared = ["tandem", "run", path, ...files.flatMap((file) => ["--prompt-file", file])];
  return new AppError("USAGE", "A suite that init writes has one prompt.", {
    hint: `Several are compared by \`${compared.map(shellWord).join(" ")}\`, or in a suite by \`matrix: { vary: { prompt: [${files.join(", ")}] } }\`.`,
  });
}

/** The prompt of a sheet whose columns are variables; null when the sheet has what is sent. */
async function promptFor(
  path: string,
  sheet: Sheet,
  { given, asks }: { given: string | null; asks: boolean },
): Promise<string | null> {
  if (given !== null) return given;
  const variables = variablesWithoutPrompt(sheet);
  if (variables.length === 0) return null;
  if (asks) return askPrompt(variables);
  throw promptNeeded(variables, path);
}

/** The bot of an `init` is a bot: functions are asked by suites that people write. */
async function scorersFor(
  path: string,
  { answer }: Roles,
  reading: SheetReading,
): Promise<{ scorers: Proposal[]; judge: string | null }> {
  if (answer === null) return { scorers: [], judge: null };
  const expected = await lookAtExpected(path, answer, reading);
  return {
    scorers: proposedScorers(expected, [defaultEndpoint]),
    judge: proposedJudge(expected, [defaultEndpoint], "deployment: judges, model: THE_MODEL_THAT_JUDGES"),
  };
}

/** The part of a mapping by which messages become turns. */
function talksOf({ mapping: { turns, messages, cluster, orderBy } }: ChatExport): SheetReading["talks"] {
  return {
    cluster,
    ...(turns !== undefined && { turns }),
    ...(messages !== undefined && { messages }),
    ...(orderBy !== undefined && { orderBy }),
  };
}

/** The dataset of this folder where there is one only. */
function onlyDataset(): string {
  const found = readdirSync(".").filter((name) => ["csv", "jsonl", "excel"].includes(sheetKind(name) ?? ""));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new AppError("USAGE", found.length === 0 ? "There is no dataset in this folder." : "Which dataset?", {
    hint: `Name one: tandem init ${found.length === 0 ? "prompts.csv" : found.slice(0, 5).join(" | ")}`,
  });
}

/** A suite from a file of another program that a part knows. */
async function fromOtherProgram(source: ConversionSource): Promise<Converted | null> {
  for (const { convert } of parts) {
    const made = (await convert?.(source)) ?? null;
    if (made !== null) return made;
  }
  if (!/\.ya?ml$/i.test(source.path)) return null;
  throw new AppError("USAGE", `${source.path} is no configuration of promptfoo, and no dataset.`, {
    hint: "A configuration has prompts, providers and tests. A suite needs no init: tandem check checks it.",
  });
}

/** Asks which column is what; Enter takes what was guessed, `-` is none. On standard error: standard output is the result. */
async function askRoles(sheet: Sheet, guessed: Roles): Promise<Roles> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const columns = sheet.columns.map(({ name }) => name);
  try {
    process.stderr.write(`Columns: ${columns.map((name) => visible(name)).join(", ")}\n`);
    const question =
      (await askColumn(lines, "Which column is the question", columns, guessed.question)) ?? guessed.question;
    const answer = await askColumn(lines, "Which has the expected answer (- for none)", columns, guessed.answer);
    const key = await askColumn(lines, "Which identifies a row (- for none)", columns, guessed.key);
    return { ...guessed, question, answer, key, foundBy: { question: "person", answer: "person" } };
  } finally {
    lines.close();
  }
}

/** Asks which sheet of a workbook has the prompts. */
async function askSheet(names: string[], guessed: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    process.stderr.write(`Sheets: ${names.map((name) => visible(name)).join(", ")}\n`);
    return (await askColumn(lines, "Which sheet has the prompts", names, guessed)) ?? guessed;
  } finally {
    lines.close();
  }
}

const longestCell = 40;

/** True where a person says that the first row of a sheet names its columns, and is no case. */
async function askHeader(first: readonly string[]): Promise<boolean> {
  using lines = createInterface({ input: process.stdin, output: process.stderr });
  process.stderr.write(`The first row: ${first.map((cell) => visible(fit(cell, longestCell))).join(" | ")}\n`);
  const typed = await lines.question("Is it a case, or does it name the columns (case, names) [case]? ");
  return /^\s*n/i.test(typed);
}

/** Asks which bot answers: its address, and what its kind needs beside it; null: none yet. */
async function askBot(): Promise<{ url: string; model?: string; body?: string } | null> {
  using lines = createInterface({ input: process.stdin, output: process.stderr });
  process.stderr.write(
    "Which bot answers? The address of a run (.../v2/video-bots?example_id=ID), of a chat (.../v1), or of any endpoint.\n",
  );
  const url = (await lines.question("Address (Enter: a bot on this machine)? ")).trim();
  if (url === "") return null;
  if (/\/v2\/(?:video-bots|functions)\/?(?:\?|$)/.test(url)) return { url };
  const model = (await lines.question("Model of the chat (Enter: it is no chat)? ")).trim();
  if (model !== "") return { url, model };
  const example = '{"question": "{{ input_prompt }}"}';
  const body = (await lines.question(`Body that is sent, as JSON, such as ${example} (Enter: guess)? `)).trim();
  return body === "" ? { url } : { url, body };
}

/** Asks for the prompt that a sheet's columns are variables of. */
async function askPrompt(variables: readonly string[]): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const places = variables.map((name) => visible(placeholder(name))).join(", ");
  try {
    process.stderr.write(`The columns are variables of a prompt, which is not in the sheet: ${places}\n`);
    for (;;) {
      const typed = (await lines.question("What should be sent, with these in their places? ")).trim();
      if (isTemplate(typed)) return typed;
      process.stderr.write(`Write at least one of ${places}.\n`);
    }
  } finally {
    lines.close();
  }
}

async function askColumn(
  lines: Interface,
  text: string,
  columns: string[],
  guessed: string | null,
): Promise<string | null> {
  for (;;) {
    const typed = (await lines.question(`${text} [${visible(guessed ?? "-")}]? `)).trim();
    if (typed === "") return guessed;
    if (typed === "-") return null;
    const found = columns.find((name) => name === typed) ?? suggest(typed, columns);
    if (found !== null) return found;
    process.stderr.write(`There is no "${visible(typed)}".\n`);
  }
}

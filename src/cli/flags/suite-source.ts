import { refuseNoSheet } from "../../dataset/table/no-sheet.ts";
import { scriptColumns } from "../../lib/script-columns.ts";
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { endpointNamed } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { AppError } from "../../errors.ts";
import type { PrepareOptions } from "../../app/plan/prepare.ts";
import { withTargets } from "../../app/plan/selection.ts";
import type { CodeTrust } from "../../score/contract/code-trust.ts";
import { deedOf, runsCode } from "../../score/make.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { showText } from "../../lib/show.ts";
import { chatText, learnFrom, withChatMapping, withKey } from "../../app/plan/chat-export.ts";
import { counted } from "../../report/say/quantity.ts";
import type { VariedByFlags } from "../../suite/matrix/dimensions.ts";
import { type PromptTexts, readPrompts } from "../../suite/prompts/prompt-file.ts";
import type { Sheets } from "../../dataset/sheets.ts";
import { suiteFromFlags } from "../../suite/flags/flags.ts";
import { formatFromFlags } from "../../suite/flags/format-flags.ts";
import { type FileOverrides, loadSuite, type LoadedSuite } from "../../suite/load.ts";
import { withOverrides } from "../../suite/flags/overrides.ts";
import type { StoredColumns, Suite } from "../../suite/suite.ts";
import { loadDotEnv, namesInSuite } from "../dot-env.ts";
import { promptOf, severalPrompts } from "./prompt-flags.ts";
import { variedBy } from "./varied-values.ts";
import { selectionFrom } from "./selection-flags.ts";
import { usedDeployments } from "../../suite/used.ts";
import type { DecidingFlags } from "./sheet-defaults.ts";
import type { SuiteFlags } from "./suite-flags.ts";
import type { Terminal } from "../terminal.ts";

/** The suite to be run. */
interface SuiteSource extends Omit<LoadedSuite, "warnings" | "text"> {
  sheets: Sheets;
  /** Blank messages of an export of chats are listed and left out, as with --skip-invalid. */
  skipBlank: boolean;
}

/** Loads the suite to be run: checked, with the flags laid over it. Its warnings are noted. */
export async function suiteFrom(
  flags: DecidingFlags & { code?: boolean },
  terminal: Terminal,
  sheets: Sheets,
): Promise<SuiteSource> {
  const overrides = {
    ...flags,
    noiseRepeats: flags["noise-repeats"],
    stopWhen: flags["stop-when"],
    secondLook: flags["second-look"],
  };
  return sourceOf(await loadFrom(choosing(flags), terminal, sheets), overrides, { ...flags, sheets, terminal });
}

/** The flags with what is chosen as the key of a suite that it is. */
function choosing<Flags extends DecidingFlags>(flags: Flags): Flags {
  const { choose, set } = flags;
  return choose === undefined ? flags : { ...flags, set: [...set, `compare.choose=${choose}`] };
}

/** A suite by its file alone: checked. Its warnings are noted. */
export async function suiteOfFile(
  path: string,
  flags: { code: boolean; "wait-for-service"?: string | undefined },
  { sheets, terminal }: { sheets: Sheets; terminal: Terminal },
): Promise<SuiteSource> {
  loadDotEnv(namesInSuite(path));
  const loaded = { loaded: await loadSuite(path, process.env), isChat: false };
  const { code } = flags;
  return sourceOf(loaded, { waitForService: flags["wait-for-service"] }, { code, target: [], sheets, terminal });
}

async function sourceOf(
  { loaded, isChat }: Loaded,
  overrides: Parameters<typeof withOverrides>[1],
  {
    code = true,
    target,
    sheets,
    terminal,
  }: { code?: boolean; target: readonly string[]; sheets: Sheets; terminal: Terminal },
): Promise<SuiteSource> {
  for (const { where, message } of loaded.warnings) terminal.warn(`${where}: ${message}`);
  const given = { sheets, onNotice: terminal.note };
  const known = await withChatMapping(withOverrides(loaded.suite, overrides), given);
  const suite = withTargets(known.suite, target);
  return {
    suite: { ...suite, deployments: usedDeployments(suite) },
    sheets,
    skipBlank: isChat || known.isChat,
    errorOf: loaded.errorOf,
    targetLimit: loaded.targetLimit,
    trust: trustWithin(loaded.trust, { code }),
  };
}

/** The leave that a suite file has to run code. Throws CODE_REFUSED where --no-code is given and it would. */
export function trustWithin(trust: CodeTrust | null, { code = true }: { code?: boolean }): CodeTrust | null {
  const scorer = code ? undefined : trust?.scorers.find(runsCode);
  if (scorer === undefined) return code ? trust : null;
  throw new AppError(
    "CODE_REFUSED",
    `The scorer ${showText(scorer.name)} (${scorer.type}) ${deedOf(scorer)}, and --no-code is given.`,
    {
      hint: "Leave out --no-code if you trust the suite file, or take the scorer out of it.",
    },
  );
}

/** Options for reading its dataset. */
export function preparationFrom(
  flags: SuiteFlags,
  given: Pick<SuiteSource, "sheets" | "skipBlank" | "errorOf"> & { onNotice: (message: string) => void },
): PrepareOptions {
  const { sheets, skipBlank, errorOf, onNotice } = given;
  return {
    sheets,
    errorOf,
    seed: flags.seed,
    skipInvalid: flags["skip-invalid"] || skipBlank,
    passWithNoJobs: flags["pass-with-no-jobs"],
    onSkipped: (messages, isWhole) => {
      for (const message of messages) onNotice(`left out: ${message}`);
      if (!isWhole) onNotice(`  \`tandem check ${shellWord(flags.path)} --skip-invalid\` lists every one`);
    },
    onNotice,
    selection: selectionFrom(flags),
  };
}

interface Loaded {
  loaded: LoadedSuite;
  /** The dataset is an export of chats by its columns. */
  isChat: boolean;
}

/** A suite from its file, or from flags when the path is a dataset. */
async function loadFrom(flags: DecidingFlags, terminal: Terminal, sheets: Sheets): Promise<Loaded> {
  if (/\.ya?ml$/i.test(flags.path)) {
    const given = (["deployment", "example-id", "model", "scorer", "name", "prompt"] as const).find(
      (flag) => (flags[flag] ?? "").length > 0,
    );
    if (given !== undefined) {
      throw new AppError("USAGE", `--${given} is for a dataset; ${flags.path} is a suite and names its own.`, {
        hint: "Change the suite, or name the dataset instead of it.",
      });
    }
    loadDotEnv(namesInSuite(flags.path));
    const loaded = await loadSuite(flags.path, process.env, overOf(flags));
    return { loaded, isChat: false };
  }
  return fromDataset(flags, terminal, sheets);
}

/** Dimensions and values that flags lay over a suite file. Throws USAGE. */
export function overOf({ path, vary, set, "prompt-file": files }: SuiteFlags): FileOverrides {
  const folder = dirname(resolve(path));
  const prompts = files.map((file) => relative(folder, resolve(file)));
  return { vary: { ...variedBy(vary), ...(files.length > 0 && { prompt: prompts }) }, set };
}

/** The answers that a sheet brings along, as far as they are a target. */
function storedOf({ chat, stored }: Pick<Learned, "chat" | "stored">, isChat: boolean): StoredColumns | undefined {
  return isChat || chat === null ? (stored ?? undefined) : undefined;
}

type Learned = Awaited<ReturnType<typeof learnFrom>>;

/** True for a sheet of which neither flags nor its answers say whom it is for: it can be checked, and not run. */
export async function isSheetAlone(flags: SuiteFlags, sheets: Sheets): Promise<boolean> {
  if (/\.ya?ml$/i.test(flags.path) || flags.deployment.length > 0) return false;
  const reading = { format: formatFromFlags(flags), sheets, prompt: promptOf(flags) };
  const learned = await learnFrom([flags.path], reading);
  const named = endpointNamed(flags.endpoint);
  const isChat = learned.chat !== null && named !== null && endpointOf(named).prompt !== null;
  return storedOf(learned, isChat) === undefined;
}

async function fromDataset(flags: DecidingFlags, terminal: Terminal, sheets: Sheets): Promise<Loaded> {
  if (flags.path !== "-" && !existsSync(flags.path)) throw notThere(flags.path);
  refuseNoSheet(flags.path, flags.path);
  const { path: dataset, endpoint, name, concurrency, rate, repeats, set } = flags;
  const { delimiter, encoding, header, lenient, sheet, scorer: scorers } = flags;
  const written = { delimiter, encoding, header, lenient, sheet };
  const limits = { concurrency, rate, repeats, set, scorers, ...written };
  const deployments = deploymentsOf(flags.deployment);
  const format = formatFromFlags(flags);
  const prompt = promptOf(flags);
  const learned = await learnFrom([dataset], { format, sheets, prompt });
  const named = endpointNamed(endpoint);
  const isChat = learned.chat !== null && named !== null && endpointOf(named).prompt !== null;
  const stored = storedOf(learned, isChat);
  if (flags.deployment.length === 0 && stored === undefined) throw nowhere(dataset);
  const own = { sheets, datasets: [dataset], format, asked: named === null ? [] : [named], header: learned.header };
  const keyed = learned.mapping === null ? undefined : await withKey(learned.mapping, own);
  const found = isChat ? learned.chat?.mapping : keyed;
  // A suite file says itself what these look for in the sheet.
  const { decisionOfFewRows, fewRowsText, sheetOfFlags, withTags } = await import("./sheet-defaults.ts");
  const read = await sheetOfFlags(dataset, { sheets, format });
  const mapping =
    read === null
      ? found
      : withTags(found, read, {
          chat: isChat ? learned.chat : null,
          prompt: prompt?.text ?? null,
          header: learned.header,
          endpoint: named,
        });
  const source = {
    dataset,
    endpoint,
    name,
    deployments,
    exampleIds: flags["example-id"],
    models: flags.model,
    mapping,
    stored,
  };
  const varied = await variedOf(flags);
  if (stored !== undefined && Object.keys(varied.vary).length > 0) throw besideAnswers();
  const given = { ...source, ...limits, ...varied };
  const asGiven = suiteFromFlags(given, process.env, process.cwd());
  const decision = read === null ? [] : decisionOfFewRows(read, asGiven.suite, flags);
  const loaded =
    decision.length === 0
      ? asGiven
      : suiteFromFlags({ ...given, set: [...set, ...decision] }, process.env, process.cwd());
  if (isChat && learned.chat !== null) terminal.note(chatText(learned.chat));
  const ids = flags["example-id"].length + flags.model.length;
  const pairs = flags.deployment.length * ids;
  if (Object.keys(varied.vary).length > 0) terminal.note(variedText(loaded.suite));
  else if (pairs > 2 && pairs > Math.max(flags.deployment.length, ids)) terminal.note(crossText(loaded.suite, flags));
  if (stored !== undefined) terminal.note(storedText(loaded.suite, stored));
  if (decision.length > 0) terminal.note(fewRowsText(loaded.suite.repeats > 1));
  return { loaded, isChat };
}

/** The dimensions that flags vary, with the texts of prompt files. Throws USAGE. */
async function variedOf(flags: SuiteFlags): Promise<{ vary: VariedByFlags; prompts: PromptTexts }> {
  const files = severalPrompts(flags);
  const named = files.map((file, i) => ({ file, path: ["matrix", "vary", "prompt", i] }));
  const { texts, faults } = await readPrompts(named, process.cwd());
  if (faults.length > 0) {
    const lines = faults.map(({ message, hint }) => `--prompt-file ${message}${hint === null ? "" : `. ${hint}`}`);
    throw new AppError("USAGE", lines.join("\n"));
  }
  return { prompts: texts, vary: { ...variedBy(flags.vary), ...(files.length > 0 && { prompt: [...files] }) } };
}

const besideAnswers = (): AppError =>
  new AppError("USAGE", "--vary and several --prompt-file are not for a sheet that brings its answers along.", {
    hint: "Take the column of answers out of it, or write a suite (`tandem init`).",
  });

/** Names that are listed in a sentence. */
const mostNamed = 12;

const comparedWords = ({ decision }: Suite): string =>
  decision.choose === undefined ? " All are compared with the first (--choose best: which is the best?)." : "";

/** A sentence on the targets that were made of flags. */
function variedText(suite: Suite): string {
  const { targets } = suite;
  const names = targets.slice(0, mostNamed).map(({ name }) => showText(name));
  const more = targets.length - names.length;
  return `${counted(targets.length, "target")}: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.${comparedWords(suite)}`;
}

/** A sentence on deployments and configurations that are crossed, which not everybody expects. */
function crossText(suite: Suite, { deployment, "example-id": ids, model: models }: SuiteFlags): string {
  const names = suite.targets.filter(({ stored }) => stored === undefined).map(({ name }) => name);
  const ran = models.length > 0 ? `${models.length} models` : `${ids.length} example ids`;
  return `${deployment.length} deployments and ${ran} make ${names.length} targets: ${names.map(showText).join(", ")}.${comparedWords(suite)}`;
}

/** A sentence on the answers that a dataset brings along. */
function storedText({ targets }: Suite, { answer, label }: StoredColumns): string {
  const labels = label === null ? "" : `, the labels those in "${label}"`;
  const where = answer === scriptColumns.answer ? "of the conversations" : `in "${answer}"`;
  const kept = `The answers ${where} are the target stored: nothing is sent for it${labels}.`;
  if (targets.length > 1) return kept;
  return `${kept} To compare with a bot: --deployment NAME=URL --example-id ID.`;
}

/** The error about a dataset that is not there. */
export function notThere(path: string): AppError {
  const suite = [".yaml", ".yml"].map((ending) => `${path}${ending}`).find((name) => existsSync(name));
  return new AppError("DATASET_NOT_FOUND", `There is no file ${path}.`, {
    hint:
      suite === undefined ? "Name a suite (.yaml) or a dataset (.csv, .tsv, .xlsx, .jsonl)." : `Did you mean ${suite}?`,
  });
}

const nowhere = (dataset: string): AppError =>
  new AppError("USAGE", "A dataset alone does not say where to send it.", {
    hint: `Add --deployment NAME=URL and --example-id ID; name a suite (.yaml); or let \`tandem init${dataset === "-" ? "" : ` ${shellWord(dataset)}`}\` write one with a bot to try it on.`,
  });

/** `NAME=URL` texts to name and URL. */
function deploymentsOf(texts: readonly string[]): Record<string, string> {
  const deployments: Record<string, string> = {};
  for (const text of texts) {
    const [, name, url] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (name === undefined || url === undefined) {
      throw new AppError("USAGE", `--deployment takes NAME=URL; got "${text}".`, {
        hint: "For example: --deployment prod=https://api.example.com",
      });
    }
    if (Object.hasOwn(deployments, name)) throw new AppError("USAGE", `--deployment ${name} is given twice.`);
    deployments[name] = url;
  }
  return deployments;
}

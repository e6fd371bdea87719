import type { Writable } from "node:stream";
import { defaultResults } from "../../lib/paths/results-folder.ts";
import { colorFlag, type Command, commandName } from "../command.ts";
import { type Flag, type Flags } from "../flag.ts";
import { commandNamed } from "../named-command.ts";
import { commands } from "../commands.ts";
import { visible } from "../../report/text/visible.ts";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KnownNames } from "../../store/known-names.ts";

/**
 * Writes what can stand at the cursor, a line each: for bash as it is typed there, for others as it is. A shell reads it,
 * and no terminal: a name in which something was made visible would be another name.
 */
export async function writeCandidates([shell, ...given]: readonly string[], stdout: Writable): Promise<void> {
  if (shell === "bash") {
    const [line = "", wordBreaks = ""] = given;
    const typed = readTypedLine(line, wordBreaks);
    const found = await candidates(typed.words.slice(1), typed.current);
    for (const value of found) stdout.write(`${bashText(value, typed)}\n`);
    return;
  }
  if (shell === "powershell") {
    const { words, current } = readPowershellWords(given[0] ?? "");
    for (const value of await candidates(words, current)) stdout.write(`${powershellLine(value)}\n`);
    return;
  }
  for (const value of await candidates(given.slice(0, -1), given.at(-1) ?? "")) stdout.write(`${value}\n`);
}

/** The words that the script of PowerShell sends: JSON in Base64, the word at the cursor last. */
export function readPowershellWords(sent: string): { words: string[]; current: string } {
  const sentWords: unknown = JSON.parse(Buffer.from(sent, "base64").toString("utf8"));
  const words = Array.isArray(sentWords) ? sentWords.map(String) : [];
  // The word at the cursor comes as it is typed, with the quote that is open.
  return { words: words.slice(0, -1), current: (words.at(-1) ?? "").replace(/^['"‘’‚‛“”„]/u, "") };
}

/** A name as the script shows it and, behind a tab, as it is put into the line; in Base64. */
export function powershellLine(value: string): string {
  return Buffer.from(`${value}\t${powershellText(value)}`).toString("base64");
}

/** The text that PowerShell reads as one word of this value; it runs and fills in nothing between single quotes. */
function powershellText(value: string): string {
  // Behind one dash it splits a word at dots and colons; the tilde is a folder in its newer versions.
  const isPlain =
    /^[\p{L}\p{N}_./\\][\p{L}\p{M}\p{N}_./\\:~=+-]*$/u.test(value) || /^--[a-z][a-z-]*(?:=[\w/-]*)?$/.test(value);
  // It takes five characters for a single quote, and two of them for one.
  return isPlain ? value : `'${value.replaceAll(/['‘’‚‛]/gu, "$&$&")}'`;
}

/** The words of a line of bash up to the cursor, as the command would get them. */
interface TypedLine {
  /** The words before the one at the cursor. */
  words: string[];
  /** The word at the cursor, as far as it is typed. */
  current: string;
  /** The quote that is open at the cursor; empty: none. */
  quote: "" | "'" | '"';
  /** The characters of `current` that stay: bash replaces only what follows the last of its word breaks. */
  kept: number;
}

/** Reads a line as bash does, without what it would run or fill in: `$NAME` stays as it is typed. */
export function readTypedLine(line: string, wordBreaks: string): TypedLine {
  const typed: TypedLine = { words: [], current: "", quote: "", kept: 0 };
  const characters = Array.from(line);
  let isWord = false;
  for (let place = 0; place < characters.length; place++) {
    const character = characters[place] ?? "";
    const next = characters[place + 1];
    if (character === "\\" && typed.quote !== "'" && next !== undefined && isEscaped(typed.quote, next)) {
      typed.current += next;
      isWord = true;
      place++;
    } else if (typed.quote !== "") {
      if (character === typed.quote) typed.quote = "";
      else typed.current += character;
    } else if (character === "'" || character === '"') {
      typed.quote = character;
      typed.kept = typed.current.length;
      isWord = true;
    } else if (/\s/.test(character)) {
      if (isWord) typed.words.push(typed.current);
      Object.assign(typed, { current: "", kept: 0 });
      isWord = false;
    } else {
      typed.current += character;
      isWord = true;
      if (wordBreaks.includes(character)) typed.kept = typed.current.length;
    }
  }
  return typed;
}

/** Between double quotes a backslash stands for itself before most characters. */
function isEscaped(quote: string, next: string): boolean {
  return quote === "" || '"$`\\'.includes(next);
}

/** The text that takes the place of what bash replaces, so that the shell reads it as this value and runs nothing of it. */
export function bashText(value: string, { quote, kept }: TypedLine): string {
  const rest = value.slice(kept);
  if (quote === "'") return rest.replaceAll("'", "'\\''");
  if (quote === '"') return rest.replaceAll(/["$`\\]/g, "\\$&").replaceAll("!", '"\\!"');
  const escaped = rest.replaceAll(/[^\p{L}\p{M}\p{N}_./,+%@:=~-]/gu, "\\$&");
  return kept === 0 && escaped.startsWith("~") ? `\\${escaped}` : escaped;
}

/** Kinds of the arguments of commands, by their names. */
const kinds = new Map(
  Object.entries({
    path: "DATASET",
    suite: "SUITE.yaml",
    dataset: "DATASET",
    batch: "BATCH",
    batches: "REF",
    sides: "SIDE",
    reference: "REF",
  }),
);

/**
 * The texts that can stand at the cursor, given the words before it and what is typed of it. Empty where the shell should
 * name files.
 */
async function candidates(words: readonly string[], current: string): Promise<string[]> {
  const [first, ...rest] = words;
  const all = commands.map(commandName);
  if (first === undefined) return matching([...all, "help", "--help", "--version"], current);
  const command = commandNamed(first);
  if (command === null) return first === "help" && rest.length === 0 ? matching(all, current) : [];
  const { waiting, place, results } = readWords(command, rest);
  const context = { results, words: rest };
  if (waiting !== null) return matching(await flagValues(waiting, context, current), current);
  const [, name, typed] = /^--([^=]+)=(.*)$/su.exec(current) ?? [];
  if (name !== undefined && typed !== undefined) {
    const flag = flagOf(command, name);
    const values = flag === null ? [] : await flagValues(flag, context, typed);
    return matching(
      values.map((value) => `--${name}=${value}`),
      current,
    );
  }
  if (current.startsWith("-")) return matching(flagNames(command, rest), current);
  const positionals = Object.entries(command.positionals);
  const [argument, options] = positionals[place] ?? positionals.findLast(([, { array }]) => array === true) ?? [];
  if (argument === undefined || options === undefined) return [];
  if (options.choices !== undefined) return matching(options.choices.map(String), current);
  return matching(await namesOf(kinds.get(argument) ?? "", context, current), current);
}

interface Read {
  /** The flag whose value stands at the cursor; null: none. */
  waiting: Flag | null;
  /** The argument at the cursor, from 0. */
  place: number;
  /** The folder of results that is named. */
  results: string;
}

function readWords(command: Command, words: readonly string[]): Read {
  const read: Read = { waiting: null, place: 0, results: defaultResults };
  let named = "";
  for (const word of words) {
    if (read.waiting !== null) {
      if (named === "results" || named === "out") read.results = word;
      read.waiting = null;
    } else if (word.startsWith("-") && word !== "-") {
      const [, name = "", value] = /^--?([^=]+)(?:=(.*))?$/su.exec(word) ?? [];
      const flag = flagOf(command, name);
      named = name;
      if (value === undefined) read.waiting = flag?.type === "boolean" ? null : flag;
      else if (name === "results" || name === "out") read.results = value;
    } else read.place++;
  }
  return read;
}

function flagOf(command: Command, name: string): Flag | null {
  const flags: Flags = { ...colorFlag, ...command.flags };
  const found = Object.entries(flags).find(([own, { alias }]) => [own, alias ?? []].flat().includes(name));
  return found?.[1] ?? null;
}

async function flagValues(
  flag: Flag,
  context: { results: string; words: readonly string[] },
  typed: string,
): Promise<string[]> {
  if (flag.choices !== undefined) return flag.choices.map(String);
  return namesOf(flag.value ?? "", context, typed);
}

/** The flags that are not there yet; those that may be repeated always. */
function flagNames({ flags }: Command, words: readonly string[]): string[] {
  const left = Object.entries(flags).flatMap(([name, { array, default: fallback }]) => {
    const title = `--${fallback === true ? "no-" : ""}${name}`;
    return array !== true && words.includes(title) ? [] : [title];
  });
  return [...left, "--color", "--help", "--help-all"];
}

/** A name that holds what a terminal obeys, or hides its order, is not offered; nor one that would be read as a flag. */
function matching(names: readonly string[], typed: string): string[] {
  const fitting = [...new Set(names)].filter((name) => name !== "" && name.startsWith(typed));
  const plain = fitting.filter((name) => visible(name) === name);
  return typed.startsWith("-")
    ? plain
    : plain.filter((name) => !name.startsWith("-") || /^--(?:help|version)$/.test(name));
}

/** Lists of stored names, by the kind of an argument or the word for the value of a flag. */
const lists = new Map<string, (known: KnownNames, typed: string) => string[]>([
  ["BATCH", batchNames],
  ["REF", referenceNames],
  ["SIDE", sideNames],
  ["SUITE", ({ suites }) => suites],
]);

const data = /\.(?:ya?ml|csv|tsv|jsonl|ndjson|xlsx)(?:\.gz)?$/i;

/** Ends of the names of files, by kind. */
const fileEndings = new Map([
  ["SUITE.yaml", /\.ya?ml$/i],
  ["DATASET", data],
]);

interface Context {
  /** The folder of results. */
  results: string;
  /** The words of the command before the cursor. */
  words: readonly string[];
}

/** The names of a kind; of files, those in the folder that is typed; none for a kind whose names nobody knows. */
async function namesOf(kind: string, context: Context, typed: string): Promise<string[]> {
  const ending = fileEndings.get(kind);
  if (ending !== undefined) return filesOf(ending, typed);
  if (kind === "SCORER") {
    const { registry } = await import("../../score/registry.ts");
    return registry.map(({ type }) => type);
  }
  const list = lists.get(kind);
  if (list === undefined && kind !== "TARGET") return [];
  const { knownNames } = await import("../../store/known-names.ts");
  const known = knownNames(join(context.results, "tandem.db"));
  if (list !== undefined) return known === null ? [] : list(known, typed);
  return [...(await suiteTargets(context.words)), ...[...(known?.targets.values() ?? [])].flat()];
}

/** Batches, `latest`, and `SUITE~1` for the one before. */
function batchNames({ batches, suites }: KnownNames): string[] {
  return batches.length === 0 ? [] : ["latest", ...suites, ...suites.map((suite) => `${suite}~1`), ...batches];
}

function referenceNames(known: KnownNames): string[] {
  return [...known.pins, ...batchNames(known)];
}

/** A batch or pin; behind its colon one of its targets. */
function sideNames(known: KnownNames, typed: string): string[] {
  const names = referenceNames(known);
  const owner = names.filter((name) => typed.startsWith(`${name}:`)).toSorted((a, b) => b.length - a.length)[0];
  if (owner === undefined) return names;
  const own = known.targets.get(owner) ?? [...known.targets.values()].flat();
  return own.map((target) => `${owner}:${target}`);
}

/** The targets of the suite that is named before, or of tandem.yaml; none where it cannot be read. */
async function suiteTargets(words: readonly string[]): Promise<string[]> {
  const { suiteFileName, suiteFileNames } = await import("../../suite/file-name.ts");
  const here = suiteFileNames.find((name) => existsSync(name)) ?? suiteFileName;
  const path = words.find((word) => /\.ya?ml$/i.test(word)) ?? here;
  try {
    const { loadSuite } = await import("../../suite/load.ts");
    const { suite } = await loadSuite(path, process.env);
    return suite.targets.map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Files with this ending, and folders, which end in a slash. */
function filesOf(ending: RegExp, typed: string): string[] {
  const folder = typed.includes("/") ? typed.slice(0, typed.lastIndexOf("/") + 1) : "";
  try {
    const entries = readdirSync(folder === "" ? "." : dirname(`${folder}x`), { withFileTypes: true });
    const wanted = entries.filter((entry) => !entry.name.startsWith(".") && entry.name !== "node_modules");
    const files = wanted.filter((entry) => !entry.isDirectory() && ending.test(entry.name));
    // Folders that a link leads to are files here: nothing is followed.
    const folders = wanted.filter((entry) => entry.isDirectory());
    return [...files.map(({ name }) => folder + name), ...folders.map(({ name }) => `${folder}${name}/`)];
  } catch {
    return [];
  }
}

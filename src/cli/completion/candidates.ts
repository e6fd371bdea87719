import { usualResults } from "../../lib/paths/results-folder.ts";
import { colorFlag, type Command, commandName, type Flag, type Flags } from "../command.ts";
import { commandNamed } from "../named-command.ts";
import { commands } from "../commands.ts";
import { visibleControls } from "../../report/text/visible.ts";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KnownNames } from "../../store/known-names.ts";

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
export async function candidates(words: readonly string[], current: string): Promise<string[]> {
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
  const read: Read = { waiting: null, place: 0, results: usualResults };
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
  const plain = fitting.filter(
    (name) => visibleControls(name) === name && !/[\t\r\n\p{Zl}\p{Zp}\p{Cs}\u200E\u200F]/u.test(name),
  );
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

const data = /\.(?:ya?ml|csv|tsv|jsonl|ndjson|parquet)(?:\.gz)?$/i;

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
  const { suiteFileName } = await import("../../suite/file-name.ts");
  const path = words.find((word) => /\.ya?ml$/i.test(word)) ?? suiteFileName;
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

import { usualResults } from "../../lib/paths/results-folder.ts";
import { colorFlag, type Command, commandName, type Flag, type Flags } from "../command.ts";
import { commandNamed } from "../named-command.ts";
import { commands } from "../commands.ts";
import { visibleControls } from "../../report/text/visible.ts";
import { namesOf } from "./names.ts";

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

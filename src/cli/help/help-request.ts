import type { Command } from "../command.ts";
import { commandNamed, unknownCommand } from "../named-command.ts";

/** The help that a command line asks for. */
export interface AskedHelp {
  /** null: the first page. */
  command: Command | null;
  /** With the flags of seldom use. */
  all: boolean;
}

const helpFlags = new Set(["--help", "-h"]);

/** The help that is asked for: by no words at all, by `help COMMAND`, or by a flag; `all` behind it adds the flags of seldom use. null: none. Throws USAGE for an unknown command. */
export function helpAsked(args: readonly string[]): AskedHelp | null {
  const [first, second] = args;
  const end = args.indexOf("--");
  const words = end === -1 ? args : args.slice(0, end);
  const all = isAll(words);
  if (first === undefined) return { command: null, all };
  if (first === "help") return { command: named(second), all };
  return words.some((word) => helpFlags.has(word)) ? { command: named(first), all } : null;
}

/** `--help all`, or `help COMMAND all`. */
function isAll(words: readonly string[]): boolean {
  const place = words.findIndex((word) => helpFlags.has(word));
  return place === -1 ? words[0] === "help" && words[2] === "all" : words[place + 1] === "all";
}

function named(word: string | undefined): Command | null {
  if (word === undefined || word.startsWith("-") || word === "help") return null;
  const command = commandNamed(word);
  if (command === null) throw unknownCommand(word);
  return command;
}

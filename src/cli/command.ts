import { type Flags, string, toggle, word } from "./flag.ts";
import type { InferredOptionTypes, PositionalOptions } from "yargs";
import { defaultResults } from "../lib/paths/results-folder.ts";
import { colorModes } from "./color.ts";
import type { CommandResult } from "./command-result.ts";
import type { Terminal } from "./terminal.ts";

/**
 * One command of tandem, as data: what parses the command line, prints help, suggests names and generates the reference.
 * The file of a command loads nothing heavy: what it needs is imported when it runs.
 */
export interface Command<Args extends Positionals = Positionals, OwnFlags extends Flags = Flags> {
  /** `name <required> [optional]`, as yargs writes it. */
  command: string;
  describe: string;
  /** It may need API keys or addresses: what the command line names, and `TANDEM_*`, is taken from `.env` for it. */
  needsKeys?: boolean;
  positionals: Args;
  flags: OwnFlags;
  /** Command line and what it does. */
  examples: [string, string][];
  /** Does the work. */
  run(given: Given<Args, OwnFlags>, terminal: Terminal): Promise<CommandResult>;
}

/** The values of a command's arguments and flags, as its `run` is given them. */
export type Given<Args extends Positionals, OwnFlags extends Flags> = InferredOptionTypes<Args> &
  InferredOptionTypes<OwnFlags>;

/** Keeps the types of a command's flags for its `run`. */
export function defineCommand<const Args extends Positionals, const OwnFlags extends Flags>(
  command: Command<Args, OwnFlags>,
): Command<Args, OwnFlags> {
  return command;
}

/** The name of a command: its first word. */
export const commandName = ({ command }: { command: string }): string => command.split(" ")[0] ?? command;

/** The flag that every command has beside its own. */
export const colorFlag = {
  color: word("results", "When output has colours; --no-color is --color never", {
    value: "WHEN",
    type: "string",
    choices: colorModes,
    default: "auto",
  }),
} as const satisfies Flags;

/** The default of what may be named several times: nothing is named. */
export const noTexts: string[] = [];

export const jsonFlag = {
  json: toggle("results", "Print the result as JSON on standard output"),
} as const satisfies Flags;

export const resultsFlag = {
  results: string("results", "Folder of database and reports", { value: "DIR", alias: "out", default: defaultResults }),
} as const satisfies Flags;

/** Arguments by their names. */
export type Positionals = Record<string, PositionalOptions>;

/** A batch to look at: the latest unless named. */
export const batchPositional = {
  batch: { type: "string", default: "latest", describe: "Its name, SUITE~N (the N-th before the latest) or latest" },
} as const satisfies Positionals;

import type { InferredOptionTypes, Options, PositionalOptions } from "yargs";
import type { Terminal } from "./terminal.ts";

/**
 * One command of tandem, as data: what parses the command line, prints help, suggests names and generates the reference.
 * The file of a command loads nothing heavy: what it needs is imported when it runs.
 */
export interface Command<
  Positionals extends Record<string, PositionalOptions> = Record<string, PositionalOptions>,
  Flags extends Record<string, Options> = Record<string, Options>,
> {
  /** `name <required> [optional]`, as yargs writes it. */
  command: string;
  describe: string;
  /** It may need API keys or addresses: what the command line names, and `TANDEM_*`, is taken from `.env` for it. */
  needsKeys?: boolean;
  positionals: Positionals;
  flags: Flags;
  /** Command line and what it does. */
  examples: [string, string][];
  /** Does the work and returns the exit code. */
  run(given: InferredOptionTypes<Positionals> & InferredOptionTypes<Flags>, terminal: Terminal): Promise<number>;
}

/** Keeps the types of a command's flags for its `run`. */
export function defineCommand<
  const Positionals extends Record<string, PositionalOptions>,
  const Flags extends Record<string, Options>,
>(command: Command<Positionals, Flags>): Command<Positionals, Flags> {
  return command;
}

/** The name of a command: its first word. */
export const commandName = ({ command }: { command: string }): string => command.split(" ")[0] ?? command;

export const jsonFlag = {
  json: { type: "boolean", default: false, describe: "Print the result as JSON on standard output" },
} as const satisfies Record<string, Options>;

export const outFlag = {
  out: { type: "string", default: "results", describe: "Folder of the database and the reports" },
} as const satisfies Record<string, Options>;

/** A batch to look at: the latest unless named. */
export const batchPositional = {
  batch: { type: "string", default: "latest", describe: "Its name, SUITE~N (the N-th before the latest) or latest" },
} as const satisfies Record<string, PositionalOptions>;

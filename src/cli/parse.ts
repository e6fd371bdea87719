import yargs, { type Argv, type Options, type PositionalOptions } from "yargs";
import { AppError, exitCodes } from "../errors.ts";
import { version } from "../lib/version.ts";
import { withBareFlags } from "./bare-flags.ts";
import { type Command, commandName, jsonFlag } from "./command.ts";
import { commands } from "./commands.ts";
import { loadDotEnv, namesInWords } from "./dot-env.ts";
import { endCleanly } from "./signals/signals.ts";
import { checkNumbers } from "./number-flags.ts";
import { checkFlags } from "./unknown-flags.ts";
import { commandNamed, unknownCommand } from "./named-command.ts";
import type { Terminal } from "./terminal.ts";

/** Parses the command line, runs its command and returns the exit code. Throws USAGE and what the command throws. */
export async function parseAndRun(args: string[], terminal: Terminal): Promise<number> {
  let exitCode: number = exitCodes.ok.code;
  const named = commandNamed(args[0]);
  const parser = yargs(withBareFlags(args).map((arg) => (arg === "-" ? dash : arg)))
    .scriptName("tandem")
    .parserConfiguration({ "boolean-negation": true, "camel-case-expansion": true, "parse-numbers": true })
    .option("json", withoutHelp(jsonFlag.json))
    .version(version)
    .hide("version")
    .help(false)
    .strict()
    .demandCommand(1, "Name a command.")
    .exitProcess(false)
    .fail((message: string | null, error: unknown) => {
      throw usageError(message, error, named);
    });
  for (const command of named === null ? commands : [named]) {
    parser.command({
      command: command.command,
      describe: false,
      builder: (argv: Argv) => withFlags(argv, command),
      handler: async (given) => {
        checkOnce(given, command);
        if (command.needsKeys === true) loadDotEnv(namesInWords(args));
        await endCleanly();
        exitCode = await command.run(withDashes(given), terminal);
      },
    });
  }
  if (named !== null) {
    checkFlags(args.slice(1), named);
    checkNumbers(args.slice(1), named);
  }
  await parser.parseAsync();
  return exitCode;
}

/** Text that stands for a lone `-` while yargs parses: it would take it for a flag without a name, and lose it. */
const dash = "\u{f0000}-";

/** Puts every `-` of the parsed flags in its place again. */
function withDashes<Given extends Record<string, unknown>>(given: Given): Given {
  const restored: Record<string, unknown> = given;
  for (const [name, value] of Object.entries(given)) {
    if (value === dash) restored[name] = "-";
    else if (Array.isArray(value)) restored[name] = value.map((each: unknown) => (each === dash ? "-" : each));
  }
  return given;
}

function withFlags(argv: Argv, { positionals, flags }: Command): Argv {
  for (const [name, options] of Object.entries(positionals)) argv.positional(name, withoutHelp(options));
  for (const [name, options] of Object.entries(flags)) argv.option(name, withoutHelp(options));
  return argv;
}

/** Leaves a flag out of the help that yargs writes at every start, and nobody sees: tandem has its own. */
function withoutHelp<Given extends Options | PositionalOptions>(options: Given): Given {
  return { ...options, describe: undefined, group: undefined, hidden: true };
}

/** yargs hands over its own complaints as a message, and what a command threw as an error. */
function usageError(message: string | null, error: unknown, command: Command | null): unknown {
  if (message === null || message === undefined) return error;
  const help = `See \`tandem ${command === null ? "" : `${commandName(command)} `}--help\`.`;
  const [, unknown] = /^Unknown (?:arguments?|command): ([^,]+)/.exec(message) ?? [];
  if (command === null && unknown !== undefined) return unknownCommand(unknown);
  if (command !== null && message.startsWith("Not enough non-option arguments")) {
    return new AppError("USAGE", `Something is missing: tandem ${command.command}`, { hint: help });
  }
  return new AppError("USAGE", message.replaceAll(/\n\s*\n/g, "\n"), { hint: help });
}

/** A second value would be a list where one value is expected. */
function checkOnce(given: Record<string, unknown>, { flags }: Command): void {
  const twice = Object.keys(flags).find((name) => flags[name]?.array !== true && Array.isArray(given[name]));
  if (twice !== undefined)
    throw new AppError("USAGE", `--${twice} is given twice.`, { hint: "Leave out one of them." });
}

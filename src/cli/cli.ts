import yargs, { type Argv } from "yargs";
import { AppError, exitCodes } from "../errors.ts";
import { showText } from "../lib/show.ts";
import { suggest } from "../lib/suggest.ts";
import { version } from "../lib/version.ts";
import { withBareFlags } from "./bare-flags.ts";
import { type Command, commandName, jsonFlag } from "./command.ts";
import { commands } from "./commands.ts";
import { loadDotEnv, namesInWords } from "./dot-env.ts";
import { endCleanly } from "./signals.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

/** Runs the command line and returns the exit code; expected errors are told in words, others with their stack. */
export async function runCli(args: string[]): Promise<number> {
  const terminal = processTerminal();
  let exitCode: number = exitCodes.ok.code;
  const named = commands.find((command) => commandName(command) === args[0]);
  const parser = yargs(withBareFlags(args).map((arg) => (arg === "-" ? dash : arg)))
    .scriptName("tandem")
    .usage("$0 <command>\n\nRun the same prompts against two bots, and know which one is better.")
    .parserConfiguration({ "boolean-negation": true, "camel-case-expansion": true, "parse-numbers": true })
    .options(jsonFlag)
    .version(version)
    .help()
    .alias({ h: "help" })
    .strict()
    .demandCommand(1, "Name a command.")
    .wrap(Math.min(110, terminal.columns))
    .epilogue(exitCodeLines())
    .exitProcess(false)
    .fail((message: string | null, error: unknown) => {
      throw usageError(message, error, named);
    });
  for (const command of commands) {
    parser.command({
      command: command.command,
      describe: command.describe,
      builder: (argv: Argv) => withFlags(argv, command),
      handler: async (given) => {
        if (command.needsKeys === true) loadDotEnv(namesInWords(args));
        await endCleanly();
        exitCode = await command.run(withDashes(given), terminal);
      },
    });
  }
  parser.completion("completion", "Print the script that completes commands and flags in bash or zsh");
  try {
    if (named !== undefined) checkFlags(args.slice(1), named);
    await parser.parseAsync();
    return exitCode;
  } catch (error) {
    return tell(await explained(error), terminal, args.includes("--json"));
  }
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

function withFlags(argv: Argv, command: Command): Argv {
  for (const [name, options] of Object.entries(command.positionals)) argv.positional(name, options);
  argv.options(command.flags);
  for (const [line, meaning] of command.examples) argv.example(line, meaning);
  return argv;
}

/** yargs hands over its own complaints as a message, and what a command threw as an error. */
function usageError(message: string | null, error: unknown, command: Command | undefined): unknown {
  if (message === null || message === undefined) return error;
  const help = `See \`tandem ${command === undefined ? "" : `${commandName(command)} `}--help\`.`;
  const [, unknown] = /^Unknown (?:arguments?|command): ([^,]+)/.exec(message) ?? [];
  if (command === undefined && unknown !== undefined) {
    const meant = suggest(unknown, [...commands.map(commandName), "completion"]);
    const hint = meant === null ? help : `Did you mean ${meant}? ${help}`;
    return new AppError("USAGE", `There is no command ${showText(unknown)}.`, { hint });
  }
  if (command !== undefined && message.startsWith("Not enough non-option arguments")) {
    return new AppError("USAGE", `Something is missing: tandem ${command.command}`, { hint: help });
  }
  return new AppError("USAGE", message.replaceAll(/\n\s*\n/g, "\n"), { hint: help });
}

/** A mistyped flag would take the word behind it for its value, and the complaint would be about that word. */
function checkFlags(args: readonly string[], command: Command): void {
  const aliases = Object.values(command.flags).flatMap(({ alias }) => [alias ?? []].flat());
  const names = [...Object.keys(command.flags), ...aliases.filter((alias) => alias.length > 1)];
  const known = new Set([...names, "json", "help", "version"]);
  const end = args.indexOf("--");
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const [, flag] = /^--(?:no-)?([^=]+)/.exec(arg) ?? [];
    if (flag === undefined || known.has(flag) || known.has(arg.slice(2).split("=")[0] ?? "")) continue;
    const meant = suggest(flag, names);
    const help = `See \`tandem ${commandName(command)} --help\`.`;
    throw new AppError("USAGE", `${commandName(command)} has no flag ${showText(`--${flag}`)}.`, {
      hint: meant === null ? help : `Did you mean --${meant}? ${help}`,
    });
  }
}

function tell(error: unknown, terminal: Terminal, json: boolean): number {
  if (!(error instanceof AppError)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    terminal.note(
      `${stack}\n\nThis is a fault in tandem ${version} itself. What was committed to the database is kept.`,
    );
    return exitCodes.crash.code;
  }
  const { code, message, hint, faults } = error;
  if (json) terminal.print(JSON.stringify({ version: 1, error: { code, message, hint, faults } }));
  terminal.note(`${terminal.style("red", "error")} ${error.message}`);
  if (error.hint !== null) terminal.note(error.hint);
  return error.exitCode;
}

/** The error with advice where the database met a full disk, a lock or the like; every other as it is. */
async function explained(error: unknown): Promise<unknown> {
  if (error instanceof AppError || !(error instanceof Error) || !("code" in error)) return error;
  const { storeFailure } = await import("../store/store-failure.ts");
  const { driverFailure } = await import("../store/driver-failure.ts");
  return storeFailure("the database", driverFailure(error));
}

function exitCodeLines(): string {
  const lines = Object.values(exitCodes).map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`);
  return `Exit codes:\n${lines.join("\n")}`;
}

import { AppError, exitCodes } from "../errors.ts";
import { version } from "../lib/version.ts";
import { askedColor } from "./color.ts";
import { commandHelp } from "./help/command-help.ts";
import { firstPage } from "./help/first-page.ts";
import { helpAsked } from "./help/help-request.ts";
import { machineLimit } from "./start/machine-limit.ts";
import { endWith, printResult } from "./command-result.ts";
import type { ParsedCommand } from "./parse.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import type { JsonData } from "./json-outputs.ts";

/** Runs the command line and returns the exit code; expected errors are told in words, others with their stack. */
export async function runCli(given: string[]): Promise<number> {
  const { mode, words: args, fault } = askedColor(given);
  const terminal = processTerminal(mode);
  try {
    // The scripts of yargs ask so what can stand at the cursor.
    if (given[0] === "--get-yargs-completions") {
      const { writeCandidates } = await import("./completion.ts");
      await writeCandidates(given);
      return exitCodes.ok.code;
    }
    if (fault !== null) throw fault;
    const asked = helpAsked(args);
    if (asked === null) {
      const { parseCommand } = await import("./parse.ts");
      const parsed = await parseCommand(args);
      return parsed === null ? exitCodes.ok.code : await runCommand(parsed, args, terminal);
    }
    const columns = Math.min(110, terminal.columns);
    terminal.print(
      asked.command === null ? firstPage(columns) : commandHelp(asked.command, { columns, all: asked.all }),
    );
    return exitCodes.ok.code;
  } catch (error) {
    return tell(await explained(error), terminal, args.includes("--json"));
  }
}

async function runCommand(
  { command, given, json }: ParsedCommand,
  args: string[],
  terminal: Terminal,
): Promise<number> {
  if (command.needsKeys === true) {
    const { loadDotEnv, namesInWords } = await import("./dot-env.ts");
    loadDotEnv(namesInWords(args));
  }
  const { endCleanly } = await import("./signals/signals.ts");
  await endCleanly();
  return endWith(await command.run(given, terminal), json, terminal);
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
  const data = { error: { code, message, hint, faults } } satisfies JsonData["error"];
  printResult({ data }, json, terminal);
  terminal.fail(error);
  return error.exitCode;
}

/** The error with advice where the folder is gone, or the database met a full disk, a lock or the like; every other as it is. */
async function explained(thrown: unknown): Promise<unknown> {
  const error = folderFailure(thrown);
  if (error instanceof AppError || !(error instanceof Error) || !("code" in error)) return error;
  const { storeFailure } = await import("../store/store-failure.ts");
  const { driverFailure } = await import("../store/driver-failure.ts");
  const found = storeFailure("the database", driverFailure(error));
  const limit = found instanceof AppError ? null : machineLimit(error);
  return limit === null
    ? found
    : new AppError("MACHINE_LIMIT", limit, { hint: "What was committed to the database is kept." });
}

/** USAGE when an error says that the folder in which the command was given is gone; every other comes back as it is. */
function folderFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || error.syscall !== "uv_cwd") return error;
  return new AppError("USAGE", "The folder that this command was given in was deleted or cannot be entered any more.", {
    hint: "Go to a folder that is there, also if this one was made anew (`cd` with its full path), and give the command again.",
    cause: error,
  });
}

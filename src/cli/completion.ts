import yargs, { type Argv } from "yargs";
import { colorFlag, commandName } from "./command.ts";
import { commands } from "./commands.ts";
import type { Flag } from "./flag.ts";
import { flagText } from "./help/flag-text.ts";

/** The script of a shell, as yargs writes it. It asks the command that is found by its name. */
export async function completionScript(shell: string): Promise<string> {
  // yargs writes for the shell that the environment names.
  process.env["SHELL"] = shell;
  const { promise, resolve } = Promise.withResolvers<string>();
  await parserOf().parse(["completion"], {}, (_error, _given, output) => resolve(output));
  return promise;
}

/** Writes what can stand at the cursor, a line each. */
export async function writeCandidates(words: string[]): Promise<void> {
  await parserOf().parse(words);
}

function parserOf(): Argv {
  const parser = yargs().scriptName("tandem").exitProcess(false).help(false).version(false);
  for (const { command, describe, positionals, flags } of commands) {
    if (commandName({ command }) === "completion") continue;
    parser.command(command, describe, (argv: Argv) => {
      for (const [name, options] of Object.entries(positionals)) argv.positional(name, options);
      for (const [name, flag] of Object.entries<Flag>({ ...colorFlag, ...flags }))
        argv.option(name, { ...flag, describe: flagText(flag) });
      return argv;
    });
  }
  return parser.completion("completion", "Print the script that completes commands and flags");
}

import yargs, { type Argv } from "yargs";
import { colorFlag, commandName } from "./command.ts";
import { commands } from "./commands.ts";
import type { Flag } from "./flag.ts";
import { flagText } from "./help/flag-text.ts";
import { setKeys } from "../suite/flags/set-values.ts";

/** Writes what can stand at the cursor, a line each, as yargs finds it: commands, flags and their words. */
export async function writeCandidates(words: string[]): Promise<void> {
  const parser = yargs().scriptName("tandem").exitProcess(false).help(false).version(false);
  for (const { command, describe, positionals, flags } of commands) {
    // yargs has a command of its own for its script.
    if (commandName({ command }) === "completion") continue;
    parser.command(command, describe, (argv: Argv) => {
      for (const [name, options] of Object.entries(positionals)) argv.positional(name, options);
      for (const [name, flag] of Object.entries<Flag>({ ...colorFlag, ...flags }))
        argv.option(name, {
          ...flag,
          describe: flagText(flag),
          ...(name === "set" && { choices: setKeys().map((key) => `${key}=`) }),
        });
      return argv;
    });
  }
  await parser.completion("completion", "Print the script that completes commands and flags").parse(words);
}

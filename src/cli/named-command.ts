import { statSync } from "node:fs";
import { AppError } from "../errors.ts";
import { showText } from "../lib/show.ts";
import { shellWord } from "../lib/shell-word.ts";
import { suggest } from "../lib/suggest.ts";
import { type Command, commandName } from "./command.ts";
import { commands } from "./commands.ts";

/** The command of that name; null where there is none. */
export function commandNamed(name: string | undefined): Command | null {
  return commands.find((command) => commandName(command) === name) ?? null;
}

/** Commands that people may look for, with what does their work. */
const replacements: Readonly<Record<string, string>> = {
  calibrate: "Run a suite with `compare: { same: true }`: `tandem history SUITE` counts the words of such nights.",
};

/** The error about a name that no command has, with the one that was meant, or how the file of that name is run. */
export function unknownCommand(name: string): AppError {
  const isPlain = showText(name) === `"${name}"`;
  if (isPlain && /\.\w+$/.test(name) && statSync(name, { throwIfNoEntry: false })?.isFile() === true) {
    const hint = `To run this file: tandem run ${shellWord(name)}`;
    return new AppError("USAGE", `There is no command ${showText(name)}.`, { hint });
  }
  const replacement = replacements[name];
  if (replacement !== undefined)
    return new AppError("USAGE", `There is no command ${showText(name)}.`, { hint: replacement });
  const meant = suggest(name, [...commands.map(commandName), "help"]);
  const hint = `${meant === null ? "" : `Did you mean ${meant}? `}See \`tandem --help\`.`;
  return new AppError("USAGE", `There is no command ${showText(name)}.`, { hint });
}

import { AppError } from "../errors.ts";
import { showText } from "../lib/show.ts";
import { suggest } from "../lib/suggest.ts";
import { type Command, commandName } from "./command.ts";
import { commands } from "./commands.ts";

/** The command of that name; null where there is none. */
export function commandNamed(name: string | undefined): Command | null {
  return commands.find((command) => commandName(command) === name) ?? null;
}

/** The error about a name that no command has, with the one that was meant. */
export function unknownCommand(name: string): AppError {
  const meant = suggest(name, [...commands.map(commandName), "help"]);
  const hint = `${meant === null ? "" : `Did you mean ${meant}? `}See \`tandem --help\`.`;
  return new AppError("USAGE", `There is no command ${showText(name)}.`, { hint });
}

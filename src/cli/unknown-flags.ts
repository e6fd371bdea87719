import { AppError } from "../errors.ts";
import { showText } from "../lib/show.ts";
import { suggest } from "../lib/suggest.ts";
import { type Command, commandName } from "./command.ts";

/**
 * Throws USAGE for a flag that a command does not have, by the name that was typed: yargs would take the word behind it for
 * its value, and complain about that word.
 */
export function checkFlags(args: readonly string[], command: Command): void {
  const aliases = Object.values(command.flags).flatMap(({ alias }) => [alias ?? []].flat());
  const names = Object.keys(command.flags);
  const known = new Set([...names, ...aliases, "json", "version"]);
  const end = args.indexOf("--");
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const [, flag] = /^--(?:no-)?([^=]+)/.exec(arg) ?? [];
    if (flag === undefined || known.has(flag) || known.has(arg.slice(2).split("=")[0] ?? "")) continue;
    const meant = suggest(flag, names);
    const help = `See \`tandem ${commandName(command)} --help\`.`;
    const [typed = arg] = arg.split("=");
    throw new AppError("USAGE", `${commandName(command)} has no flag ${showText(typed)}.`, {
      hint: meant === null ? help : `Did you mean --${meant}? ${help}`,
    });
  }
}

import { type Command, commandName } from "../command.ts";
import { type Flag, flagGroups } from "../flag.ts";
import { wrapped } from "../../report/text/wrap.ts";
import { flagText, flagTitle, withDefault } from "./flag-text.ts";
import { helpRow } from "./layout.ts";

/** The help of a command: examples first, then its flags in groups; those of seldom use stand in `--help all`. */
export function commandHelp(command: Command, { columns, all }: { columns: number; all: boolean }): string {
  const often = Object.entries(command.flags).filter(([, { more }]) => more !== true);
  const rest = Object.keys(command.flags).length - often.length;
  if (all || rest === 0) return helpLines(command, columns, Object.entries(command.flags)).join("\n");
  const more = `${rest} more flags: tandem ${commandName(command)} --help all`;
  return [...helpLines({ ...command, examples: command.examples.slice(0, 3) }, columns, often), "", more].join("\n");
}

function helpLines(
  { command, describe, positionals, examples }: Command,
  columns: number,
  flags: readonly [string, Flag][],
): string[] {
  const given = Object.entries(positionals);
  const left = Math.min(
    26,
    Math.max(...flags.map((flag) => flagTitle(flag).length), ...given.map(([name]) => name.length)) + 2,
  );
  const groups = Object.entries(flagGroups).flatMap(([group, title]) => {
    const members = flags.filter(([, flag]) => flag.group === group);
    if (members.length === 0) return [];
    return ["", title, ...members.flatMap((flag) => helpRow(flagTitle(flag), flagText(flag[1]), { columns, left }))];
  });
  return [
    `tandem ${command}${flags.length > 0 ? " [flags]" : ""}`,
    "",
    ...wrapped(describe, columns),
    "",
    ...examples.flatMap(([line, meaning]) => exampleLines(line, meaning, columns)),
    ...(given.length === 0 ? [] : [""]),
    ...given.flatMap(([name, options]) => helpRow(name, withDefault(options), { columns, left })),
    ...groups,
  ];
}

/** One line where the example and its meaning find room beside each other. */
function exampleLines(line: string, meaning: string, columns: number): string[] {
  const typed = line.replaceAll("$0", "tandem");
  if (typed.length + meaning.length + 6 <= columns) return [`  ${typed}  # ${meaning}`];
  return [...wrapped(meaning, columns - 4).map((each) => `  # ${each}`), `  ${typed}`];
}

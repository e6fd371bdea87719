import { errorCatalogue, exitCodes } from "../../src/errors.ts";
import type { PositionalOptions } from "yargs";
import { type Command, commandName } from "../../src/cli/command.ts";
import { type Flag, flagGroups, flagMeaning } from "../../src/cli/flag.ts";
import { colorModes } from "../../src/cli/color.ts";
import { cell, table } from "./tables.ts";
import { commands } from "../../src/cli/commands.ts";

const generated = "Written by `npm run generate` from the code; do not edit.";

/** The reference of the command line, as Markdown: every command with its flags, and what several share once. */
export function cliReference(): string {
  const shared = sharedFlags();
  const told = new Map<string, string>();
  return [
    "# The command line",
    "",
    generated,
    "",
    "The result goes to standard output; progress, warnings and errors go to standard error. `tandem help COMMAND` prints what",
    "stands here with more examples, `--help all` with the rarely used flags too. Without a terminal, or when `CI` is set, progress is a plain line every 10 seconds.",
    "",
    `Commands that may need keys or addresses (${listed(commands.filter(({ needsKeys }) => needsKeys === true))}) read`,
    "`.env` of the working directory: `NAME=value`, a line each. Only `TANDEM_*` and the variables that the suite or the command",
    "line names (`${NAME}`, `api_key_env: NAME`, `env:NAME`) are taken from it, and what the environment says already wins. A key is never a flag.",
    "",
    `Colours: \`--color ${colorModes.join("|")}\`; \`--no-color\` is \`never\`. It wins over \`NO_COLOR\`, and that over \`FORCE_COLOR\`.`,
    "tandem never looks for a newer version of itself: nothing is sent anywhere but to the services that the suite and the flags name.",
    "",
    `Commands: ${commands.map((command) => `[${commandName(command)}](#tandem-${commandName(command)})`).join(", ")}.`,
    "",
    "## Exit codes",
    "",
    "When several apply, the first of 130 or 143, 2, 3, 1, 4, 0 wins.",
    "",
    ...table(
      ["code", "meaning"],
      Object.values(exitCodes).map(({ code, meaning }) => [String(code), cell(meaning)]),
    ),
    "",
    "`tandem workers serve` ends with 0 when it was drained (`tandem workers drain`), with 143 after SIGTERM and with 130 after Ctrl-C; in",
    "each case what is in flight is finished, and other workers take the rest, so a unit of systemd has `SuccessExitStatus=143`.",
    "After 2 (no such database, another version of its tables) starting it again changes nothing; after 3 and 70 it may.",
    "",
    ...commands.flatMap((command) => commandSection(command, shared, told)),
    "## Flags of several commands",
    "",
    "Each command above names those that it has.",
    "",
    ...Object.entries(flagGroups).flatMap(([group, title]) => {
      const lines = [...shared].filter(([, flag]) => flag.group === group).map(([line]) => line);
      return lines.length === 0 ? [] : [`${title}:`, "", ...lines, ""];
    }),
  ].join("\n");
}

/** The errors that tandem expects, as a Markdown list. */
export function errorList(): string {
  return Object.entries(errorCatalogue)
    .map(([code, { exit, about }]) => `- \`${code}\` (exit code ${exitCodes[exit].code}): ${cell(about)}`)
    .join("\n");
}

/** The flags that several commands have in the same words, by their lines; of two of one name the first. */
function sharedFlags(): Map<string, Flag> {
  const all = commands.flatMap(({ flags }) =>
    Object.entries(flags).map((entry) => [flagLine(entry), entry[1]] as const),
  );
  const groups = Map.groupBy(all, ([line]) => line).values();
  const several = [...groups].flatMap((group) => (group.length > 1 ? group.slice(0, 1) : []));
  const names = several.map(([line]) => line.split("`")[1]);
  return new Map(several.filter((_, at) => names.indexOf(names[at]) === at));
}

/** `told`: lists of flags by the first command that has them. */
function commandSection(command: Command, shared: ReadonlyMap<string, Flag>, told: Map<string, string>): string[] {
  const flags = Object.entries(command.flags).map((entry) => ({ name: entry[0], line: flagLine(entry) }));
  const own = flags.filter(({ line }) => !shared.has(line)).map(({ line }) => line);
  const others = flags.filter(({ line }) => shared.has(line));
  const groups = Object.entries(flagGroups).flatMap(([group, title]) => {
    const names = others.filter(({ line }) => shared.get(line)?.group === group).map(({ name }) => `\`--${name}\``);
    const [list, name] = [names.join(", "), commandName(command)];
    const first = told.get(list) ?? name;
    told.set(list, first);
    if (names.length === 0) return [];
    return [`  - ${title}: ${first === name || names.length < 4 ? list : `as [${first}](#tandem-${first})`}`];
  });
  const lines = [
    ...Object.entries(command.positionals).map(([name, options]) => settingLine(`\`${name}\``, options)),
    ...own,
    ...(groups.length === 0 ? [] : ["- [Flags of several commands](#flags-of-several-commands):", ...groups]),
  ];
  return [
    `## tandem ${commandName(command)}`,
    "",
    `${command.describe}.`,
    "",
    ...exampleLines(command.examples.slice(0, 1)),
    `\`tandem ${command.command}\``,
    "",
    ...lines,
    "",
  ];
}

function flagLine([name, flag]: [string, Flag]): string {
  const aliases = [flag.alias ?? []]
    .flat()
    .map((alias) => (alias.length === 1 ? `\`-${alias}\`` : `\`--${alias}\` (its old name)`));
  return settingLine([`\`--${flag.default === true ? "no-" : ""}${name}\``, ...aliases].join(", "), {
    ...flag,
    describe: flagMeaning(flag),
  });
}

/** A flag or argument: its name, its words and default where it has some, and its meaning. */
function settingLine(
  name: string,
  { choices, describe, default: fallback, ...options }: Flag | PositionalOptions,
): string {
  const isEmpty = [undefined, false, true, ""].includes(fallback) || (Array.isArray(fallback) && fallback.length === 0);
  const facts = [
    ...(choices === undefined ? [] : [choices.join(", ")]),
    ...("array" in options && options.array === true && !/repeat|once for each|twice|again/.test(describe ?? "")
      ? ["may be repeated"]
      : []),
    ...(isEmpty ? [] : [`default \`${String(fallback)}\``]),
  ];
  return `- ${name}${facts.length === 0 ? "" : ` (${facts.join("; ")})`}: ${describe ?? ""}`;
}

function exampleLines(examples: [string, string][]): string[] {
  if (examples.length === 0) return [];
  const lines = examples.flatMap(([line, meaning]) => [`# ${meaning}`, line.replaceAll("$0", "tandem")]);
  return ["```sh", ...lines, "```", ""];
}

const listed = (some: readonly Command[]): string => some.map((command) => `\`${commandName(command)}\``).join(", ");

import { errorCatalogue, exitCodes } from "../../src/errors.ts";
import type { PositionalOptions } from "yargs";
import { type Command, commandName } from "../../src/cli/command.ts";
import { type Flag, flagGroups } from "../../src/cli/flag.ts";
import { colorModes } from "../../src/cli/color.ts";
import { cell, table } from "./tables.ts";
import { commands } from "../../src/cli/commands.ts";

const generated = "Written by `npm run generate` from the code; do not edit.";

/** The reference of the command line, as Markdown: every command with its arguments, flags, defaults and examples. */
export function cliReference(): string {
  return [
    "# The command line",
    "",
    generated,
    "",
    "The asked result goes to standard output; progress, warnings and errors go to standard error. Every command has",
    "`--help`, and `--json` for programs. Without a terminal, or when `CI` is set, progress is plain lines every 10 seconds.",
    "",
    `Colours: \`--color ${colorModes.join("|")}\` wherever it stands; \`--no-color\` is \`--color never\`. It wins over \`NO_COLOR\`,`,
    "that over `FORCE_COLOR`, and that over whether a terminal shows the text.",
    "",
    "tandem never looks for a newer version of itself, so it never tells of one: nothing is sent anywhere but to the services",
    "that the suite and the flags name.",
    "",
    `Commands that may need API keys or addresses (${listed(commands.filter(({ needsKeys }) => needsKeys === true))}) read`,
    "`.env` of the working directory, where there is one: `NAME=value`, a line each. Only `TANDEM_*` and the variables that",
    "the suite or the command line names (`${NAME}`, `api_key_env: NAME`, `env:NAME`) are taken from it, and none that",
    "changes how Node, TLS or proxies work. What the environment says already is never replaced. A key is never a flag.",
    "",
    "`tandem` alone and `tandem help` print the first page of the help, `tandem help COMMAND` the flags of a command. A long help",
    "leaves out the flags of seldom use; `--help all` shows them all, as this page does.",
    "",
    "`tandem completion bash`, `zsh` or `fish` prints a script that completes commands, flags and their words; it runs the command",
    "`tandem` of the path.",
    "",
    ...table(
      ["command", "what it does"],
      commands.map((command) => [
        `[\`${commandName(command)}\`](#tandem-${commandName(command)})`,
        cell(command.describe),
      ]),
    ),
    "",
    ...commands.flatMap(commandSection),
    "## Exit codes",
    "",
    "When several apply, the first of 130 or 143, 2, 3, 1, 4, 0 wins.",
    "",
    ...table(
      ["code", "meaning"],
      Object.values(exitCodes).map(({ code, meaning }) => [String(code), cell(meaning)]),
    ),
    "",
    "`tandem worker` ends with 0 when it was drained (`tandem workers drain`), with 143 after SIGTERM, and with 130 after Ctrl-C or",
    "when its terminal is closed: in each case what was in flight is finished, and the rest goes to other workers. That is a good end for a service",
    "manager, too: `SuccessExitStatus=143` in a unit of systemd. With 2 (no such database, no address, another schema) starting",
    "it again changes nothing; with 3 and 70 it may.",
    "",
  ].join("\n");
}

/** The reference of the errors that tandem expects, as Markdown. */
export function errorReference(): string {
  return [
    "# Errors",
    "",
    generated,
    "",
    "Every expected error has a code that stays the same from version to version; with `--json` it is `error.code` on",
    "standard output, beside `message`, `hint` and `faults` (`file`, `line`, `column`, `message` of each fault of a file).",
    "What a run meets at the service is no error but an outcome: see [outcomes.md](outcomes.md).",
    "",
    ...table(
      ["code", "exit code", "meaning"],
      Object.entries(errorCatalogue).map(([code, { exit, about }]) => [
        `\`${code}\``,
        String(exitCodes[exit].code),
        cell(about),
      ]),
    ),
    "",
  ].join("\n");
}

function commandSection(command: Command): string[] {
  return [
    `## tandem ${commandName(command)}`,
    "",
    "```",
    `tandem ${command.command}`,
    "```",
    "",
    `${command.describe}.`,
    "",
    ...settings("argument", Object.entries(command.positionals).map(positionalRow)),
    ...Object.entries(flagGroups).flatMap(([group, title]) => flagTable(command, group, title)),
    ...exampleLines(command.examples),
  ];
}

const positionalRow = ([name, options]: [string, PositionalOptions]): string[] => [
  `\`${name}\``,
  ...valueCells(options),
];

function flagTable({ flags }: Command, group: string, title: string): string[] {
  const members = Object.entries(flags).filter(([, flag]) => flag.group === group);
  return members.length === 0 ? [] : [`${title}:`, "", ...settings("flag", members.map(flagRow))];
}

function flagRow([name, flag]: [string, Flag]): string[] {
  const aliases = [flag.alias ?? []]
    .flat()
    .map((alias) => (alias.length === 1 ? `\`-${alias}\`` : `\`--${alias}\` (its old name)`));
  return [[`\`--${name}\``, ...aliases].join(", "), ...valueCells(flag)];
}

/** Type, default and meaning. */
function valueCells({ type, choices, describe, default: fallback, ...options }: Flag | PositionalOptions): string[] {
  const one = choices === undefined ? (type === "boolean" ? "" : (type ?? "string")) : choices.join(", ");
  const kind = "array" in options && options.array === true ? `${one}, may be repeated` : one;
  const isEmpty = fallback === undefined || fallback === false || (Array.isArray(fallback) && fallback.length === 0);
  return [cell(kind), isEmpty ? "" : `\`${String(fallback)}\``, cell(describe ?? "")];
}

function settings(what: string, rows: string[][]): string[] {
  return rows.length === 0 ? [] : [...table([what, "value", "default", "meaning"], rows), ""];
}

function exampleLines(examples: [string, string][]): string[] {
  if (examples.length === 0) return [];
  const lines = examples.flatMap(([line, meaning]) => [`# ${meaning}`, line.replaceAll("$0", "tandem")]);
  return ["```sh", ...lines, "```", ""];
}

const listed = (some: readonly Command[]): string => some.map((command) => `\`${commandName(command)}\``).join(", ");

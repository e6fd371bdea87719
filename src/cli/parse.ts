import { isDeepStrictEqual } from "node:util";
import { sheetKind } from "../dataset/sheet-kind.ts";
import yargs, { type Argv, type Options, type PositionalOptions } from "yargs";
import { AppError } from "../errors.ts";
import { version } from "../lib/version.ts";
import { type Command, commandName, jsonFlag } from "./command.ts";
import type { Flag } from "./flag.ts";
import { commands } from "./commands.ts";
import { checkAction, commandNamed, unknownCommand } from "./named-command.ts";
import { showText } from "../lib/show.ts";
import { suggest } from "../lib/suggest.ts";
import { replacementOf } from "../lib/replaced.ts";
import { sentenceList } from "../lib/sentence-list.ts";

/** The command of a command line, with the values of its arguments and flags. */
export interface ParsedCommand {
  command: Command;
  given: Parameters<Command["run"]>[0];
  json: boolean;
}

/** Parses the command line; null: nothing is left to be run, as the version was printed. Throws USAGE. */
export async function parseCommand(args: string[]): Promise<ParsedCommand | null> {
  let parsed: ParsedCommand | null = null;
  const [first = ""] = args;
  const named = commandNamed(first);
  if (named === null && first !== "" && !first.startsWith("-")) throw unknownCommand(first);
  const parser = yargs(withBareFlags(args).map((arg) => (arg === "-" ? dash : arg)))
    .scriptName("tandem")
    .parserConfiguration({ "boolean-negation": true, "camel-case-expansion": true, "parse-numbers": true })
    .option("json", withoutHelp(jsonFlag.json))
    .version(version)
    .alias("version", "V")
    .hide("version")
    .help(false)
    .strict()
    .demandCommand(1, "Name a command.")
    .exitProcess(false)
    .fail((message: string | null, error: unknown) => {
      throw usageError(message, error, { command: named, flag: args[0] });
    });
  for (const command of named === null ? commands : [named]) {
    parser.command({
      command: command.command,
      describe: false,
      builder: (argv: Argv) => withFlags(argv, command),
      handler: (given) => {
        checkOnce(given, command);
        checkWords(given, command);
        checkUnused(given, command);
        parsed = { command, given: withDashes(given), json: given["json"] === true };
      },
    });
  }
  if (named !== null) {
    checkAction(first, args[1]);
    checkFlags(args.slice(1), named);
    checkNumbers(args.slice(1), named);
    checkSwitches(args.slice(1), named);
  }
  await parser.parseAsync();
  return parsed;
}

/** Text that stands for a lone `-` while yargs parses: it would take it for a flag without a name, and lose it. */
const dash = "\u{f0000}-";

/** Puts every `-` of the parsed flags in its place again. */
function withDashes<Values extends Record<string, unknown>>(given: Values): Values {
  const restored: Record<string, unknown> = given;
  for (const [name, value] of Object.entries(given)) {
    if (value === dash) restored[name] = "-";
    else if (Array.isArray(value)) restored[name] = value.map((each: unknown) => (each === dash ? "-" : each));
  }
  return given;
}

function withFlags(argv: Argv, { positionals, flags }: Command): Argv {
  for (const [name, options] of Object.entries(positionals)) argv.positional(name, withoutHelp(options));
  for (const [name, options] of Object.entries(flags)) argv.option(name, withoutHelp(options));
  return argv;
}

/**
 * Leaves a flag out of the help that yargs writes at every start, and nobody sees: tandem has its own. `checkWords` refuses words
 * that are no choice with what to type instead.
 */
function withoutHelp<Values extends Options | PositionalOptions>(options: Values): Values {
  return { ...options, describe: undefined, group: undefined, hidden: true, choices: undefined };
}

/** Refuses words that are not among those that a flag or an argument takes. Throws USAGE. */
function checkWords(given: Record<string, unknown>, { positionals, flags, command }: Command): void {
  const name = commandName({ command });
  for (const [key, { choices }] of Object.entries({ ...positionals, ...flags })) {
    const known = choices?.map(String);
    const words = [given[key] ?? []].flat().map((word) => (typeof word === "string" ? word : JSON.stringify(word)));
    const word = words.find((each) => known?.includes(each) === false);
    if (known === undefined || word === undefined) continue;
    const meant = triedActions[name]?.[word] ?? suggest(word, known);
    const [message, advice] = Object.hasOwn(flags, key)
      ? [
          `--${key} takes ${sentenceList(known, "or")}; got ${given[key] === true ? "nothing" : showText(word)}.`,
          replacementOf("ending", `.${word}`) ?? (meant === null ? null : `Did you mean ${meant}?`),
        ]
      : [
          `${name} has no ${key} ${showText(word)}.`,
          meant === null ? `It takes ${sentenceList(known, "or")}.` : `Did you mean: tandem ${name} ${meant}?`,
        ];
    throw new AppError("USAGE", message, advice === null ? {} : { hint: advice });
  }
}

/** Words that people try for an action, and what it is called. */
const triedActions: Partial<Record<string, Partial<Record<string, string>>>> = {
  batches: { rm: "remove", delete: "remove", ls: "list", clean: "prune" },
};

/** yargs hands over its own complaints as a message, and what a command threw as an error. */
function usageError(
  message: string | null,
  error: unknown,
  { command, flag }: { command: Command | null; flag: string | undefined },
): unknown {
  if (message === null || message === undefined) return error;
  const help = `See \`tandem ${command === null ? "" : `${commandName(command)} `}--help\`.`;
  if (command === null && flag?.startsWith("-") === true) {
    return new AppError("USAGE", `tandem has no flag ${showText(flag)} without a command.`, { hint: help });
  }
  if (command !== null && message.startsWith("Not enough non-option arguments")) return missingArgument(command, help);
  return new AppError("USAGE", message.replaceAll(/\n\s*\n/g, "\n"), { hint: help });
}

/** The error about the argument that a command needs, with the words that it may be. */
function missingArgument({ command, positionals }: Command, help: string): AppError {
  const [name, argument] = Object.entries(positionals).find(([, { demandOption }]) => demandOption === true) ?? [];
  const words = argument?.choices?.map(String) ?? [];
  const what = words.length === 0 ? "" : `: ${sentenceList(words, "or")}`;
  return new AppError("USAGE", `${commandName({ command })} needs ${(name ?? "more").toUpperCase()}${what}.`, {
    hint: `Type: tandem ${command}. ${help}`,
  });
}

/** A second value would be a list where one value is expected. */
function checkOnce(given: Record<string, unknown>, { flags }: Command): void {
  const twice = Object.keys(flags).find((name) => flags[name]?.array !== true && Array.isArray(given[name]));
  if (twice !== undefined)
    throw new AppError("USAGE", `--${twice} is given twice.`, { hint: "Leave out one of them." });
}

/** Flags that say something without a value as well. */
const bareFlags = new Set(["--failed", "--changed", "--events", "--otel"]);

/**
 * The arguments with an empty value for each flag that was given none, so that it does not take the suite or the dataset
 * behind it: `run --failed suite.yaml`.
 */
export function withBareFlags(args: readonly string[]): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  return args.map((arg, place) => {
    const next = args[place + 1];
    return place < end && bareFlags.has(arg) && next !== undefined && isRead(arg, next) ? `${arg}=` : arg;
  });
}

/** True for the name of a suite or a dataset, which commands read; events may be written to a file of JSON. */
function isRead(flag: string, word: string): boolean {
  const kind = sheetKind(word);
  if (/\.ya?ml$/i.test(word) || kind === "csv" || kind === "excel") return true;
  return flag !== "--events" && (word === "-" || kind !== null);
}

/** Refuses values of flags that take a number and are none, or too small, as they were typed: yargs would hand over NaN. Throws USAGE. */
export function checkNumbers(args: readonly string[], { flags }: Command): void {
  const end = args.indexOf("--");
  const words = end === -1 ? args : args.slice(0, end);
  for (const [name, flag] of Object.entries(flags)) {
    if (flag.type !== "number") continue;
    const names = [name, ...[flag.alias ?? []].flat()].map((each) => (each.length === 1 ? `-${each}` : `--${each}`));
    for (const [place, word] of words.entries()) {
      const typed = typedValue(word, words[place + 1], names);
      const wanted = typed === null ? null : missedNumber(typed, flag);
      if (typed === null || wanted === null) continue;
      const got = typed === "" ? "nothing" : Number.isFinite(Number(typed)) ? typed : showText(typed);
      throw new AppError("USAGE", `--${name} takes ${wanted}; got ${got}.`);
    }
  }
}

/** The kind of number that a flag takes, where the typed text is none; null: it is one. */
function missedNumber(typed: string, { least, above }: Flag): string | null {
  const value = Number(typed);
  if (typed.trim() === "" || !Number.isFinite(value)) return "a number";
  if (least !== undefined && !(Number.isSafeInteger(value) && value >= least))
    return `a whole number of ${least} or more`;
  return above === undefined || value > above ? null : `a number above ${above}`;
}

/** Refuses a flag that is for another action than the one that is named, or without the flag that it needs. Throws USAGE. */
function checkUnused(given: Record<string, unknown>, { command, positionals, flags }: Command): void {
  const action = String(given[Object.keys(positionals)[0] ?? ""]);
  const isTyped = (name: string): boolean =>
    given[name] !== undefined && !isDeepStrictEqual(given[name], flags[name]?.default);
  for (const [name, { for: actions, with: needed }] of Object.entries(flags)) {
    if (!isTyped(name)) continue;
    if (actions !== undefined && !actions.includes(action)) {
      const fitting = actions.map((each) => `\`tandem ${commandName({ command })} ${each}\``);
      throw new AppError("USAGE", `--${name} is for ${sentenceList(fitting)}.`);
    }
    const value = flags[needed ?? ""]?.value;
    if (needed !== undefined && !isTyped(needed))
      throw new AppError("USAGE", `--${name} needs --${needed}.`, {
        hint: `Add --${needed}${value === undefined ? "" : ` ${value}`}, or leave out --${name}.`,
      });
  }
}

/** Refuses a word behind a switch (`--json=1`), which yargs would take for false. Throws USAGE. */
export function checkSwitches(args: readonly string[], { flags }: Command): void {
  const end = args.indexOf("--");
  for (const word of end === -1 ? args : args.slice(0, end)) {
    const [, name = "", typed = "true"] = /^--([a-z-]+)=(.*)$/su.exec(word) ?? [];
    const isSwitch = name === "json" || flags[name]?.type === "boolean";
    if (!isSwitch || typed === "true" || typed === "false") continue;
    throw new AppError("USAGE", `--${name} takes no value; got ${showText(typed)}.`, { hint: `Type: --${name}` });
  }
}

/** The value that a word gives to a flag, in itself (`--limit=4`, `-j4`) or by the word behind it; null: it gives none. */
function typedValue(word: string, next: string | undefined, names: readonly string[]): string | null {
  for (const name of names) {
    if (word === name) return next ?? "";
    if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
    if (name.length === 2 && word.startsWith(name)) return word.slice(name.length);
  }
  return null;
}

/** Flags in whose place a key of the suite is set, in the same command. */
const setInstead = (command: string): Partial<Record<string, string>> => ({
  timeout: `${command} --set timeout=30s`,
  retries: `${command} --set retries=3`,
  interleave: `${command} --set interleave=strict`,
  "wait-for-service": `${command} --set wait_for_service=30m`,
});

/** Flags that people look for, and the command that does what they mean. */
const removedFlags: Partial<Record<string, Partial<Record<string, string>>>> = {
  run: {
    "dry-run": "check",
    show: "check --show KEY",
    resume: "resume --suite SUITE.yaml",
    rest: "resume --rest",
    balance: "check",
    ...setInstead("run"),
  },
  night: { balance: "check", ...setInstead("night") },
  check: setInstead("check"),
  label: {
    next: "label draw --labels N",
    design: "label draw --labels N",
    labellers: "label export --draw --author NAME",
    disagreements: "label export --draw --author NAME",
  },
  judge: { languages: "label draw" },
  export: { "separator-line": "export -o runs.xlsx" },
  score: { output: "export -o scores.csv", o: "export -o scores.csv", by: "export -o scores.csv" },
  worker: { nights: "night SUITE --workers" },
};

/**
 * Throws USAGE for a flag that a command does not have, by the name that was typed: yargs would take the word behind it for
 * its value, and complain about that word.
 */
export function checkFlags(args: readonly string[], command: Command): void {
  const aliases = Object.values(command.flags).flatMap(({ alias }) => [alias ?? []].flat());
  const names = Object.keys(command.flags);
  const known = new Set([...names, ...aliases, "json", "version", "V"]);
  const end = args.indexOf("--");
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const [, flag = /^-([a-z])/i.exec(arg)?.[1]] = /^--(?:no-)?([^=]+)/.exec(arg) ?? [];
    if (flag === undefined || known.has(flag) || known.has(arg.slice(2).split("=")[0] ?? "")) continue;
    const [typed = arg] = arg.split("=");
    const instead = removedFlags[commandName(command)]?.[flag];
    if (instead !== undefined)
      throw new AppError("USAGE", `${commandName(command)} has no flag ${typed}.`, {
        hint: `Type: tandem ${instead}`,
      });
    const meant = suggest(flag, names);
    const help = `See \`tandem ${commandName(command)} --help\`.`;
    throw new AppError("USAGE", `${commandName(command)} has no flag ${showText(typed)}.`, {
      hint: meant === null ? help : `Did you mean --${meant}? ${help}`,
    });
  }
}

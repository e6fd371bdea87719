import { exitCodes } from "../errors.ts";
import { version } from "../lib/version.ts";
import { colorFlag, type Command } from "./command.ts";
import { type Flag, flagGroups } from "./flag.ts";
import { commands } from "./commands.ts";
import { flagText, flagTitle, withDefault } from "./help/flag-text.ts";

/** The manual page of the command, as roff: every command with its arguments, flags and examples, from the table of commands. */
export function manPage(): string {
  return [
    `.TH TANDEM 1 "" "tandem ${roff(version)}" "User Commands"`,
    ".SH NAME",
    "tandem \\- run the same prompts against two bots, and know which one is better",
    ".SH SYNOPSIS",
    ".B tandem",
    "\\fICOMMAND\\fR [\\fIflags\\fR]",
    ".SH DESCRIPTION",
    text("The asked result goes to standard output; progress, warnings and errors go to standard error."),
    text("Every command has `--help`, and `--json` for programs. `tandem help COMMAND` shows the flags of one."),
    ".SH COMMANDS",
    ...commands.flatMap(commandLines),
    ".SH FLAGS OF EVERY COMMAND",
    ...Object.entries(colorFlag).flatMap(flagLines),
    ...titled("--help, --help-all", "Help of the command; with the flags of seldom use"),
    ...titled("-V, --version", "The version of tandem"),
    ".SH EXIT STATUS",
    ...Object.values(exitCodes).flatMap(({ code, meaning }) => titled(String(code), meaning)),
    ".SH ENVIRONMENT",
    ...titled("TANDEM_API_KEY", "The key of the deployments for which the suite names no variable of their own"),
    ...titled("NO_COLOR, FORCE_COLOR", "Colours never, or also where no terminal shows them; --color wins over both"),
    ...titled("CI", "Progress is plain lines every 10 seconds"),
    "",
  ].join("\n");
}

function commandLines({ command, describe, positionals, flags, examples }: Command): string[] {
  const groups = Object.entries(flagGroups).flatMap(([group, title]) => {
    const members = Object.entries(flags).filter(([, flag]) => flag.group === group);
    return members.length === 0 ? [] : [".PP", text(`${title}:`), ...members.flatMap(flagLines)];
  });
  return [
    `.SS tandem ${roff(command)}`,
    text(`${describe}.`),
    ...Object.entries(positionals).flatMap(([name, options]) => titled(name, withDefault(options))),
    ...groups,
    ...(examples.length === 0 ? [] : [".PP", "Examples:"]),
    ...examples.flatMap(([line, meaning]) => [
      ".PP",
      text(`${meaning}:`),
      ".RS 4",
      ".nf",
      text(line.replaceAll("$0", "tandem")),
      ".fi",
      ".RE",
    ]),
  ];
}

const flagLines = (flag: [string, Flag]): string[] => titled(flagTitle(flag).trim(), flagText(flag[1]));

const titled = (title: string, about: string): string[] => [".TP", `\\fB${roff(title)}\\fR`, text(about)];

/** A line of text, in which names between backticks are bold; never one that begins a request of roff. */
function text(words: string): string {
  const parts = words.split("`");
  const isPaired = parts.length % 2 === 1;
  const line = isPaired
    ? parts.map((part, place) => (place % 2 === 1 ? `\\fB${roff(part)}\\fR` : roff(part))).join("")
    : roff(words);
  return /^[.']/.test(line) ? `\\&${line}` : line;
}

/** The characters as they are: what roff would read as a request, or set as another sign, by its name. */
const names: Record<string, string> = {
  "\\": "\\(rs",
  "-": "\\-",
  "'": "\\(aq",
  "`": "\\(ga",
  "~": "\\(ti",
  "^": "\\(ha",
  '"': "\\(dq",
};

function roff(words: string): string {
  const line = words.replaceAll(/\s+/g, " ");
  return line.replaceAll(/[\\'`~^"-]|[^\p{ASCII}]/gu, (sign) => {
    const code = sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    return names[sign] ?? `\\[u${code}]`;
  });
}

import { describe, expect, test } from "vitest";
import { type Command, commandName } from "../../src/cli/command.ts";
import { flagGroups } from "../../src/cli/flag.ts";
import { commands } from "../../src/cli/commands.ts";
import { helpAsked } from "../../src/cli/help/help-request.ts";
import { commandHelp } from "../../src/cli/help/command-help.ts";
import { firstPage } from "../../src/cli/help/first-page.ts";

const mostHelpLines = 60;
/** A dozen, give or take: what else there is stands in `--help all`. */
const mostFlags = 15;

const named = commands.map((command) => ({ name: commandName(command), command }));
const commandOf = (name: string): Command => {
  const found = commands.find((command) => commandName(command) === name);
  if (found === undefined) throw new Error(name);
  return found;
};
const asked = (line: string): string | null | undefined => {
  const help = helpAsked(line === "" ? [] : line.split(" "));
  return help === null ? undefined : help.command === null ? null : commandName(help.command);
};

describe("the help", () => {
  test.each(named)("of $name has at most 60 lines of 80 columns", ({ command }) => {
    const lines = commandHelp(command, { columns: 80, all: false }).split("\n");
    expect(lines.length).toBeLessThanOrEqual(mostHelpLines);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.filter((line) => /^ {2}(?:-\w,| {3}) --/.test(line)).length).toBeLessThanOrEqual(mostFlags);
  });

  test("has a first page of at most 60 lines with every command", () => {
    const lines = firstPage(80).split("\n");
    expect(lines.length).toBeLessThanOrEqual(mostHelpLines);
    for (const { name } of named) expect(lines.some((line) => line.startsWith(`  ${name} `))).toBe(true);
  });

  test.each(named)(
    "of $name puts every flag into a group that there is, and names all with --help all",
    ({ command }) => {
      const all = commandHelp(command, { columns: 80, all: true });
      for (const [name, { group }] of Object.entries(command.flags)) {
        expect(Object.keys(flagGroups)).toContain(group);
        expect(all).toContain(flagGroups[group]);
        expect(all).toMatch(new RegExp(` --(?:no-)?${name}(?: |$)`, "m"));
      }
    },
  );

  test("says how many flags it leaves out, and leaves out none where all have room", () => {
    const run = commandHelp(commandOf("run"), { columns: 80, all: false });
    const shown = run.match(/^ {2}(?:-\w,| {3}) --/gm)?.length ?? 0;
    expect(run).toContain(`${Object.keys(commandOf("run").flags).length - shown} more flags: tandem run --help all`);
    const view = commandOf("view");
    expect(commandHelp(view, { columns: 80, all: false })).toBe(commandHelp(view, { columns: 80, all: true }));
  });

  test("names the folder of results by one name: the old one is not in it", () => {
    for (const { command } of named) expect(commandHelp(command, { columns: 80, all: true })).not.toMatch(/--out\b/);
  });
});

test.each([
  ["", null],
  ["help", null],
  ["--help", null],
  ["help run", "run"],
  ["run suite.yaml --help", "run"],
  ["check -h", "check"],
  ["score --help all", "score"],
  ["help export all", "export"],
  ["run", undefined],
  ["run -- --help", undefined],
  ["--version", undefined],
])("`tandem %s` asks for the help of %s", (line, command) => {
  expect(asked(line)).toBe(command);
});

test.each(["help rnu", "rnu --help"])("`tandem %s` is answered with the command that was meant", (line) => {
  const hint = "Did you mean run? See `tandem --help`.";
  expect(() => asked(line)).toThrow(expect.objectContaining({ code: "USAGE", hint }));
});

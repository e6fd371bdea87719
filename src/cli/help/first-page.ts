import { exitCodes } from "../../errors.ts";
import { commandName } from "../command.ts";
import { colorModes } from "../color.ts";
import { commandGroups, commands } from "../commands.ts";
import { wrapped } from "../../report/text/wrap.ts";
import { helpRow } from "./layout.ts";

/** The first page of the help: what to begin with, every command, and the exit codes. */
export function firstPage(columns: number): string {
  const left = Math.max(...commands.map((command) => commandName(command).length)) + 2;
  const row = (title: string, text: string): string[] => helpRow(title, text, { columns, left });
  return [
    "tandem COMMAND [flags]",
    "",
    ...wrapped("Run the same prompts against two bots, and know which one is better.", columns),
    "",
    "  tandem demo               # see a comparison: no key, no network",
    "  tandem init prompts.csv   # write tandem.yaml for a sheet of prompts",
    "  tandem run                # run tandem.yaml of this folder",
    "",
    ...Object.entries(commandGroups).flatMap(([title, group]) => [
      title,
      ...group.flatMap((command) => row(commandName(command), command.describe)),
    ]),
    "",
    ...wrapped(
      "`tandem COMMAND --help` shows its flags, `--help all` the rarely used ones too; `tandem -V` prints the version.",
      columns,
    ),
    ...wrapped(`Every command also takes --color ${colorModes.join("|")}; --no-color means never.`, columns),
    "",
    "Exit codes",
    ...Object.values(exitCodes).flatMap(({ code, meaning }) => row(String(code).padStart(3), meaning)),
  ].join("\n");
}

import { type Flags, count, string, toggle, word } from "../../flag.ts";
import { tableFormatNames } from "../../../report/formats/table-formats.ts";
import { defineCommand, type Given, type Positionals, jsonFlag, resultsFlag } from "../../command.ts";

const positionals = {
  suite: { type: "string", describe: "The suite's file or its name (default: tandem.yaml of this folder)" },
} as const satisfies Positionals;

const flags = {
  ...jsonFlag,
  ...resultsFlag,
  last: count("what", "Only the latest N nights", { value: "N", least: 1 }),
  since: string("what", "Only nights from this day on, such as 2026-11-19", { value: "DATE" }),
  output: string(
    "results",
    "Write the table to this file, in the form that its name says (nights.csv); - is standard output",
    { value: "FILE", alias: "o" },
  ),
  format: word("results", "The form of the table, where the name of the file does not say it", {
    with: "output",
    more: true,
    choices: tableFormatNames,
  }),
  excel: toggle("results", "CSV for Excel, in the locale of this machine", { with: "output" }),
  acknowledge: string(
    "what",
    "Say that a change is known: nights from this day on are compared with each other, and its alarms end",
    { value: "DATE" },
  ),
  remove: toggle("what", "Take back what was said of this day", { with: "acknowledge" }),
  note: string("what", "What changed", { with: "acknowledge", value: "TEXT", default: "" }),
  author: string("what", "Who says so (default: the user of this machine)", { with: "acknowledge", value: "NAME" }),
} as const satisfies Flags;

export type HistoryFlags = Given<typeof positionals, typeof flags>;

export const historyCommand = defineCommand({
  command: "history [suite]",
  describe: "The nights of a suite: what changed, and alarms beyond chance",
  positionals,
  flags,
  examples: [
    ["$0 history", "The nights of the suite of this folder"],
    ["$0 history nightly --last 30", "The latest 30 nights of the suite nightly"],
    ["$0 history nightly -o nights.csv", "All nights as a table"],
    [
      '$0 history nightly --acknowledge 2026-11-19 --note "new prompt"',
      "The change of that night was meant: its alarms end",
    ],
  ],
  async run(given, terminal) {
    const { showHistory } = await import("./history.run.ts");
    return showHistory(given, terminal);
  },
});

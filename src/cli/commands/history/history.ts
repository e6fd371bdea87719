import { tableFormatNames } from "../../../report/formats/table-formats.ts";
import { defineCommand, jsonFlag, resultsFlag } from "../../command.ts";

export const historyCommand = defineCommand({
  command: "history [suite]",
  describe: "The nights of a suite: what changed, and alarms beyond chance",
  positionals: {
    suite: { type: "string", describe: "The suite's file or its name (default: tandem.yaml of this folder)" },
  },
  flags: {
    ...jsonFlag,
    ...resultsFlag,
    last: { group: "what", value: "N", type: "number", describe: "Only the latest N nights" },
    since: {
      group: "what",
      value: "DATE",
      type: "string",
      describe: "Only nights from this day on, such as 2026-11-19",
    },
    output: {
      group: "results",
      value: "FILE",
      alias: "o",
      type: "string",
      describe: "Write the table to this file, in the form that its name says (nights.csv); - is standard output",
    },
    format: {
      group: "results",
      more: true,
      choices: tableFormatNames,
      describe: "With -o: the form of the table, where the name of the file does not say it",
    },
    excel: {
      group: "results",
      type: "boolean",
      default: false,
      describe: "With -o: CSV for Excel, in the locale of this machine",
    },
    acknowledge: {
      group: "what",
      value: "DATE",
      type: "string",
      describe: "Say that a change is known: nights from this day on are compared with each other, and its alarms end",
    },
    remove: {
      group: "what",
      type: "boolean",
      default: false,
      describe: "With --acknowledge: take back what was said of this day",
    },
    note: { group: "what", value: "TEXT", type: "string", default: "", describe: "With --acknowledge: what changed" },
    author: {
      group: "what",
      value: "NAME",
      type: "string",
      describe: "With --acknowledge: who says so (default: the user of this machine)",
    },
  },
  examples: [
    ["$0 history", "The nights of the suite of this folder"],
    ["$0 history nightly --last 30", "The latest 30 nights of the suite nightly"],
    ["$0 history nightly -o nights.csv", "All nights as a table"],
    [
      '$0 history nightly --acknowledge 2026-11-19 --note "new prompt"',
      "The change of that night was meant: its alarms end",
    ],
  ],
  async run(flags, terminal) {
    const { showHistory } = await import("./history.run.ts");
    return showHistory(flags, terminal);
  },
});

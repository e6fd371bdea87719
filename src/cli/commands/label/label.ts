import { fileFlag } from "../../flags/output-flags.ts";
import { defineCommand, jsonFlag, resultsFlag } from "../../command.ts";

export const labelCommand = defineCommand({
  command: "label <action> [batch] [file]",
  describe: "Labels of people: write a sheet, store it, and see how far scorers agree with it",
  positionals: {
    action: {
      choices: ["export", "import", "agreement"],
      demandOption: true,
      describe: "export a sheet of answers, import labels, or show the agreement of scorers with them",
    },
    batch: { type: "string", describe: "Its name, SUITE~N or latest (the default)" },
    file: { type: "string", describe: "For import: the CSV with the columns key, target, label, note, author" },
  },
  flags: {
    ...jsonFlag,
    ...resultsFlag,
    output: { ...fileFlag.output, describe: "For export: file to write; - is standard output" },
    sample: { group: "what", type: "number", describe: "For export: only the answers to so many cases" },
    seed: {
      group: "what",
      value: "TEXT",
      type: "string",
      default: "1",
      describe: "For export: chooses the cases of --sample",
    },
    open: {
      group: "what",
      type: "boolean",
      default: false,
      describe: "For export: only answers that nobody has labelled",
    },
    author: {
      group: "what",
      value: "NAME",
      type: "string",
      default: "",
      describe: "For import: who says so, where a row does not name anybody",
    },
    excel: {
      group: "results",
      type: "boolean",
      default: false,
      describe: "For export: begin with a byte order mark, for Excel",
    },
  },
  examples: [
    ["$0 label export latest --sample 50 -o labels.csv", "A sheet with the answers to 50 cases, to fill in"],
    ["$0 label import latest labels.csv --author ana", "Store what was filled in"],
    ["$0 label agreement", "Kappa, sensitivity and specificity of each scorer against the labels"],
  ],
  async run(flags, terminal) {
    const { runLabel } = await import("./label.run.ts");
    return runLabel(flags, terminal);
  },
});

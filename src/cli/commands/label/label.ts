import { type Flags, count, string, toggle } from "../../flag.ts";
import { fileFlag } from "../../flags/output-flags.ts";
import { defineCommand, type Given, type Positionals, jsonFlag, resultsFlag } from "../../command.ts";

const positionals = {
  action: {
    choices: ["draw", "export", "import", "agreement"],
    demandOption: true,
    describe:
      "draw cases at random for people to label, export a sheet of answers, import labels, or show the agreement of scorers with them",
  },
  batch: { type: "string", describe: "Its name, SUITE~N or latest (the default)" },
  file: {
    type: "string",
    describe: "For import: the CSV with the columns key, target, label, note, author, or of a draw",
  },
} as const satisfies Positionals;

const flags = {
  ...jsonFlag,
  ...resultsFlag,
  output: { ...fileFlag.output, for: ["draw", "export"] },
  labels: count("what", "Cases that are to be labelled, on both sides (default 50); more of them add to a draw", {
    for: ["draw"],
    value: "N",
    least: 1,
  }),
  metric: string("what", "The judge, if there are several", { for: ["draw"], value: "NAME", more: true }),
  candidate: string("what", "The candidate, if there are several (with --draw for export)", {
    for: ["draw", "export"],
    value: "NAME",
  }),
  draw: toggle("what", "The sheet of the draw, both answers blind and in random order", { for: ["export"] }),
  sample: count("what", "Only the answers to so many cases", { for: ["export"], least: 1 }),
  seed: string("what", "Chooses the cases (with --sample for export)", {
    for: ["draw", "export"],
    value: "TEXT",
    default: "",
  }),
  open: toggle("what", "Only answers that nobody has labelled", { for: ["export"] }),
  author: string(
    "what",
    "Whose labels these are, where a row does not say; with --draw for export, the sheet of this person alone",
    { for: ["export", "import"], value: "NAME", default: "" },
  ),
  excel: toggle("results", "Begin with a byte order mark, for Excel", { for: ["draw", "export"] }),
} as const satisfies Flags;

export type LabelFlags = Given<typeof positionals, typeof flags>;

export const labelCommand = defineCommand({
  command: "label <action> [batch] [file]",
  describe: "Labels of people: write a sheet, store it, and see how far scorers agree with it",
  positionals,
  flags,
  examples: [
    ["$0 label draw latest --labels 50 -o labels.csv", "50 cases drawn at random, both answers of each, blind"],
    ["$0 label export latest --sample 50 -o labels.csv", "A sheet with the answers to 50 cases, to fill in"],
    ["$0 label import latest labels.csv --author ana", "Store what was filled in"],
    [
      "$0 label export latest --draw --author ana -o ana.csv",
      "The same draw for one person, without the words of others",
    ],
    [
      "$0 label agreement",
      "Kappa, sensitivity and specificity of each scorer against the labels, and how far people agree",
    ],
  ],
  async run(given) {
    const { runLabel } = await import("./label.run.ts");
    return runLabel(given);
  },
});

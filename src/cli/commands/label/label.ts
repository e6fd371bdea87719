import { count, string, toggle } from "../../flag.ts";
import { fileFlag } from "../../flags/output-flags.ts";
import { defineCommand, jsonFlag, resultsFlag } from "../../command.ts";

export const labelCommand = defineCommand({
  command: "label <action> [batch] [file]",
  describe: "Labels of people: write a sheet, store it, and see how far scorers agree with it",
  positionals: {
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
  },
  flags: {
    ...jsonFlag,
    ...resultsFlag,
    output: { ...fileFlag.output, describe: "For export and draw: file to write; - is standard output" },
    labels: count(
      "what",
      "For draw: cases that are to be labelled, on both sides (default 50); more of them add to a draw",
      { value: "N" },
    ),
    metric: string("what", "For draw: the judge, if there are several", { value: "NAME", more: true }),
    candidate: string("what", "For draw and for export --draw: the candidate, if there are several", { value: "NAME" }),
    draw: toggle("what", "For export: the sheet of the draw, both answers blind and in an order by lot"),
    sample: count("what", "For export: only the answers to so many cases"),
    seed: string("what", "For draw and for export --sample: chooses the cases (default 1)", {
      value: "TEXT",
      default: "",
    }),
    open: toggle("what", "For export: only answers that nobody has labelled"),
    author: string(
      "what",
      "For import: who says so, where a row does not name anybody. For export --draw: whose sheet it is, with the own labels alone",
      { value: "NAME", default: "" },
    ),
    excel: toggle("results", "For export: begin with a byte order mark, for Excel"),
  },
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
  async run(flags, terminal) {
    const { runLabel } = await import("./label.run.ts");
    return runLabel(flags, terminal);
  },
});

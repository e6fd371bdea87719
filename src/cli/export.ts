import { batchPositional, defineCommand, jsonFlag, outFlag } from "./command.ts";

export const exportCommand = defineCommand({
  command: "export [batch]",
  describe: "Write the runs of a stored batch, or its comparison, as CSV",
  positionals: batchPositional,
  flags: {
    ...jsonFlag,
    ...outFlag,
    output: { alias: "o", type: "string", default: "-", describe: "File to write; - is standard output" },
    form: {
      choices: ["runs", "comparison"],
      default: "runs",
      describe: "runs: a line for each job; comparison: a line for each case",
    },
    excel: { type: "boolean", default: false, describe: "Begin with a byte order mark, for Excel" },
    raw: {
      type: "boolean",
      default: false,
      describe: "Every cell as it is, for programs; a spreadsheet may then run what a bot said",
    },
  },
  examples: [
    ["$0 export -o runs.csv --excel", "The latest batch for Excel"],
    ["$0 export help-desk~1 --form comparison | head", "Look at an earlier comparison"],
  ],
  async run(flags, terminal) {
    const { exportBatch } = await import("../pipeline.ts");
    const { form, output, excel, raw } = flags;
    const batch = await exportBatch({ out: flags.out, batch: flags.batch, form, output, options: { excel, raw } });
    if (output === "-") return 0;
    if (flags.json) terminal.print(JSON.stringify({ version: 1, batch, form, file: output }));
    else terminal.note(`${output}: ${form} of ${batch}`);
    return 0;
  },
});

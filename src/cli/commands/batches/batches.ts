import { defineCommand, jsonFlag, outFlag } from "../../command.ts";

export const batchesCommand = defineCommand({
  command: "batches [action] [batch]",
  describe: "List the batches of a results folder, or show one",
  positionals: {
    action: { choices: ["list", "show"], default: "list", describe: "list or show" },
    batch: { type: "string", describe: "For show: its name, SUITE~N or latest (the default)" },
  },
  flags: {
    ...jsonFlag,
    ...outFlag,
    suite: { type: "string", describe: "The batches of this suite over time: verdict and scores" },
  },
  examples: [
    ["$0 batches", "All batches, the latest last"],
    ["$0 batches --suite nightly", "How a suite has scored night by night"],
    ["$0 batches show help-desk~1", "The help-desk batch before the latest"],
  ],
  async run(flags, terminal) {
    const { printBatches } = await import("./batches.run.ts");
    return printBatches(flags, terminal);
  },
});

import { batchPositional, defineCommand, jsonFlag, outFlag } from "./command.ts";

export const compareCommand = defineCommand({
  command: "compare [batch]",
  describe: "Compare the targets of a stored batch again: no network, no cost",
  positionals: batchPositional,
  flags: { ...jsonFlag, ...outFlag },
  examples: [
    ["$0 compare", "The latest batch: print the summary and write its CSV files again"],
    ["$0 compare help-desk~1", "The help-desk batch before the latest"],
  ],
  async run(flags, terminal) {
    const { compareBatch } = await import("../pipeline.ts");
    const { printSummary } = await import("./conclusion.ts");
    const conclusion = await compareBatch(flags.out, flags.batch);
    printSummary(conclusion.summary, flags.json, terminal);
    return conclusion.exitCode;
  },
});

import { defineCommand, jsonFlag, outFlag } from "./command.ts";

export const mergeCommand = defineCommand({
  command: "merge <parts..>",
  describe: "Put the parts of one run, made with --shard, together into one batch",
  positionals: {
    parts: {
      type: "string",
      array: true,
      demandOption: true,
      describe: "Results folders, each with its latest batch; FOLDER:BATCH names another",
    },
  },
  flags: {
    ...jsonFlag,
    ...outFlag,
    "allow-unfinished": {
      type: "boolean",
      default: false,
      describe: "Merge parts that are not finished too; `resume` then does the rest",
    },
  },
  examples: [["$0 merge part-1 part-2 part-3 --out results", "What three machines ran with --shard 1/3, 2/3 and 3/3"]],
  async run(flags, terminal) {
    const { mergeParts } = await import("../pipeline/merge.ts");
    const { printSummary } = await import("./conclusion.ts");
    const { summary, exitCode } = await mergeParts({
      parts: flags.parts,
      out: flags.out,
      allowUnfinished: flags["allow-unfinished"],
      onNotice: (message) => terminal.note(message),
    });
    printSummary(summary, flags.json, terminal);
    return exitCode;
  },
});

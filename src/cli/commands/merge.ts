import { toggle } from "../flag.ts";
import { defineCommand, jsonFlag, resultsFlag } from "../command.ts";
import { notifyFlags } from "../flags/notify-flags.ts";
import { outputFlags } from "../flags/output-flags.ts";
import { failOnFlag } from "../flags/run-flags.ts";

export const mergeCommand = defineCommand({
  command: "merge <parts..>",
  describe: "Put the parts of a run (--shard) together into one batch",
  needsKeys: true,
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
    ...resultsFlag,
    ...failOnFlag,
    ...outputFlags,
    ...notifyFlags,
    "allow-unfinished": toggle("what", "Merge parts that are not finished too; `resume` then does the rest"),
    partial: toggle("what", "Compare what there is where parts are missing; without it the comparison is invalid"),
  },
  examples: [
    ["$0 merge part-1 part-2 part-3 --results results", "What three machines ran with --shard 1/3, 2/3 and 3/3"],
    ["$0 merge part-1 part-3 --partial --results results", "Do without the second, which is lost"],
  ],
  async run(flags, terminal) {
    const { mergeParts } = await import("../../app/merge.ts");
    const { openDelivery } = await import("../progress/delivery.ts");
    const ending = await openDelivery(flags, terminal);
    return ending.watch(async () => {
      const conclusion = await mergeParts({
        parts: flags.parts,
        out: flags.results,
        allowUnfinished: flags["allow-unfinished"],
        partial: flags.partial,
        failOn: flags["fail-on"] ?? [],
        reports: ending.reports,
        onNotice: terminal.note,
      });
      await ending.tell(conclusion, conclusion.exitCode);
      return { exit: conclusion.exitCode };
    });
  },
});

import { string } from "../flag.ts";
import { defineCommand, jsonFlag, resultsFlag } from "../command.ts";
import { notifyFlags } from "../flags/notify-flags.ts";
import { outputFlags } from "../flags/output-flags.ts";
import { failOnFlag } from "../flags/run-flags.ts";

export const compareCommand = defineCommand({
  command: "compare [sides..]",
  describe: "Compare stored batches again, or with each other, offline",
  needsKeys: true,
  positionals: {
    sides: {
      type: "string",
      array: true,
      default: [],
      describe:
        "A batch (its name, SUITE~N or latest); or what to compare, BATCH:TARGET or PIN:TARGET, the baseline first",
    },
  },
  flags: {
    ...jsonFlag,
    ...resultsFlag,
    ...failOnFlag,
    ...outputFlags,
    ...notifyFlags,
    against: string("what", "Compare the batch with this pin, exported pin or batch (REF or REF:TARGET)", {
      value: "REF",
    }),
  },
  examples: [
    ["$0 compare", "The latest batch: print the summary and write its CSV files again"],
    ["$0 compare nightly~1:prod nightly:prod", "Has production changed since last night?"],
    ["$0 compare nightly --against release-12", "Each target with the one of its name in the pin release-12"],
  ],
  async run(flags, terminal) {
    const { compareBatch } = await import("../../app/compare.ts");
    const { openDelivery } = await import("../progress/delivery.ts");
    const ending = await openDelivery(flags, terminal);
    const { sides, against = null, results: out } = flags;
    const failOn = flags["fail-on"] ?? [];
    return ending.watch(async () => {
      const { reports } = ending;
      const conclusion = await compareBatch({ out, sides, against, failOn, reports });
      await ending.tell(conclusion, conclusion.exitCode);
      return { exit: conclusion.exitCode };
    });
  },
});

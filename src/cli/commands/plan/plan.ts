import { defineCommand, jsonFlag, outFlag } from "../../command.ts";
import { showFlag, suiteFlags, suitePositional } from "../../flags/suite-flags.ts";

export const planCommand = defineCommand({
  command: "plan <path>",
  describe: "Say what a run would send, how long it would take and what it would cost; nothing is sent",
  needsKeys: true,
  positionals: suitePositional,
  flags: {
    ...jsonFlag,
    ...outFlag,
    ...suiteFlags,
    ...showFlag,
    power: {
      type: "boolean",
      default: false,
      describe: "Also the smallest drop that a comparison of this size can find",
    },
    drop: { type: "number", describe: "With --power: how many cases it takes to find this drop, such as 0.05" },
    discordant: {
      type: "number",
      describe: "With --power: assume that this share of the cases pass on one side only, whatever is stored",
    },
  },
  examples: [
    ["$0 plan suite.yaml", "Jobs, time, cost and the first request of each target"],
    ["$0 plan suite.yaml --power --drop 0.03", "Can a drop of three points be seen, and what would it cost?"],
    ["$0 plan suite.yaml --show k17", "The requests of the case k17"],
  ],
  async run(flags, terminal) {
    const { printPlan } = await import("./plan.run.ts");
    return printPlan(flags, terminal);
  },
});

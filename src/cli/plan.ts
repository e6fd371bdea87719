import { defineCommand, jsonFlag, outFlag } from "./command.ts";
import { showFlag, suiteFlags, suitePositional } from "./suite-flags.ts";

export const planCommand = defineCommand({
  command: "plan <path>",
  describe: "Say what a run would send, how long it would take and what it would cost; nothing is sent",
  needsKeys: true,
  positionals: suitePositional,
  flags: { ...jsonFlag, ...outFlag, ...suiteFlags, ...showFlag },
  examples: [
    ["$0 plan suite.yaml", "Jobs, time, cost and the first request of each target"],
    ["$0 plan suite.yaml --show k17", "The requests of the case k17"],
  ],
  async run(flags, terminal) {
    const { printPlan } = await import("./plan-text.ts");
    return printPlan(flags, terminal);
  },
});

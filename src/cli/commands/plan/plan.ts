import { count, toggle } from "../../flag.ts";
import { defineCommand, jsonFlag, resultsFlag } from "../../command.ts";
import { suitePath } from "../../flags/suite-path.ts";
import { showFlag, suiteFlags, suitePositional } from "../../flags/suite-flags.ts";

export const planCommand = defineCommand({
  command: "plan [path]",
  describe: "Say what a run would send, take and cost; nothing is sent",
  needsKeys: true,
  positionals: suitePositional,
  flags: {
    ...jsonFlag,
    ...resultsFlag,
    ...suiteFlags,
    ...showFlag,
    power: toggle(
      "what",
      "Also which word of the verdict is likely for which true gain or loss, with so many cases and with more",
    ),
    drop: count("what", "With --power: how many cases it takes to find this drop, such as 0.05"),
    discordant: count(
      "what",
      "With --power: assume that this share of the cases pass on one side only, whatever is stored",
      { more: true },
    ),
  },
  examples: [
    ["$0 plan", "For tandem.yaml: jobs, time, cost and the first request of each target"],
    ["$0 plan suite.yaml --power --drop 0.03", "Can a drop of three points be seen, and what would it cost?"],
    ["$0 plan suite.yaml --show k17", "The requests of the case k17"],
  ],
  async run(flags, terminal) {
    const { printPlan } = await import("./plan.run.ts");
    return printPlan({ ...flags, path: suitePath(flags.path, terminal) }, terminal);
  },
});

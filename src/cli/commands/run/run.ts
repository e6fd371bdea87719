import { toggle } from "../../flag.ts";
import { AppError } from "../../../errors.ts";
import { defineCommand } from "../../command.ts";
import { batchFlags } from "../../flags/batch-flags.ts";
import { restFlag } from "../../flags/run-flags.ts";
import { suitePath } from "../../flags/suite-path.ts";
import { suitePositional } from "../../flags/suite-flags.ts";

export const runCommand = defineCommand({
  command: "run [path]",
  describe: "Run a suite, or a dataset with flags, and compare the targets",
  needsKeys: true,
  positionals: suitePositional,
  flags: {
    ...batchFlags,
    resume: toggle("what", "Resume the suite's latest unfinished batch"),
    "accept-changes": toggle("what", "With --resume: run what is still the same, skip the rest", { more: true }),
    ...restFlag,
    "second-look": toggle(
      "what",
      "The second look at a comparison that was open: over all of its cases and new ones, at 1 %",
      { more: true },
    ),
  },
  examples: [
    ["$0 run", "Run tandem.yaml of this folder"],
    ["$0 run prompts.csv --deployment prod=https://... --example-id a", "A sheet without a suite"],
    ["$0 run promptfooconfig.yaml", "Make a suite of a promptfoo configuration beside it, and run that"],
    ["$0 run suite.yaml --sample 20", "20 cases, drawn at random"],
    [
      "$0 run prompts.csv --deployment prod=https://... --deployment test=https://... --example-id a",
      "The same prompts against two deployments, keys from TANDEM_PROD_API_KEY and TANDEM_TEST_API_KEY",
    ],
    ["$0 run suite.yaml --rate 10/m --budget 500", "At the pace of the account, and not more than 500 requests"],
    ["$0 run suite.yaml --against release-12", "Compare with a pin instead of the targets with each other"],
    ["$0 run suite.yaml --resume", "Resume after an interruption, unless something has changed since"],
  ],
  async run(given, terminal) {
    const { convertedSuite } = await import("./run.converted.ts");
    const flags = { ...given, path: await convertedSuite(suitePath(given.path, terminal), terminal) };
    const flag = (["accept-changes", "on-in-doubt", "rest"] as const).find((name) => flags[name]);
    // Workers die while a run goes on; here nobody would be left to decide.
    const isOfWorkers = flag === "on-in-doubt" && flags.workers;
    if (flag !== undefined && !flags.resume && !isOfWorkers) {
      const alternative = flag === "on-in-doubt" ? " or --workers" : "";
      throw new AppError("USAGE", `--${flag} needs --resume${alternative}.`, {
        hint: "Without it every run is a new batch.",
      });
    }
    if (flags.rest && flags["accept-changes"]) {
      throw new AppError("USAGE", "--rest cannot be used together with --accept-changes.", {
        hint: "What was left out is sent as it was planned, or not at all.",
      });
    }
    if (flags.against !== undefined && flags.resume) {
      throw new AppError("USAGE", "--against cannot be used together with --resume.", {
        hint: "A resumed batch is compared with what it was begun with; `tandem compare BATCH --against` does it anew.",
      });
    }
    const { runOnce } = await import("./run.run.ts");
    return runOnce(flags, terminal);
  },
});

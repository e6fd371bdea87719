import { toggle } from "../../flag.ts";
import { AppError } from "../../../errors.ts";
import { defineCommand } from "../../command.ts";
import { batchFlags } from "../../flags/batch-flags.ts";
import { suitePath } from "../../flags/suite-path.ts";
import { suitePositional } from "../../flags/suite-flags.ts";

export const runCommand = defineCommand({
  command: "run [path]",
  describe: "Run a suite, or a dataset with flags, and compare the targets",
  needsKeys: true,
  positionals: suitePositional,
  flags: {
    ...batchFlags,
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
  ],
  async run(given, terminal) {
    const { convertedSuite } = await import("./run.converted.ts");
    const flags = { ...given, path: await convertedSuite(suitePath(given.path, terminal), terminal) };
    // Workers die while a run goes on; here nobody would be left to decide.
    if (flags["on-in-doubt"] !== undefined && !flags.workers) {
      throw new AppError("USAGE", "--on-in-doubt needs --workers.", {
        hint: "`tandem resume --on-in-doubt` decides what becomes of requests that were in flight.",
      });
    }
    const { runOnce } = await import("./run.run.ts");
    return runOnce(flags, terminal);
  },
});

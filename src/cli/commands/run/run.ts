import { AppError } from "../../../errors.ts";
import { defineCommand } from "../../command.ts";
import { notifyFlags } from "../../flags/notify-flags.ts";
import { outputFlags } from "../../flags/output-flags.ts";
import { againstFlag, codeFlag, inDoubtFlag, preflightFlag, restFlag, sendFlags } from "../../flags/run-flags.ts";
import { suitePath } from "../../flags/suite-path.ts";
import { showFlag, suiteFlags, suitePositional } from "../../flags/suite-flags.ts";

export const runCommand = defineCommand({
  command: "run [path]",
  describe: "Run a suite, or a dataset with flags, and compare the targets",
  needsKeys: true,
  positionals: suitePositional,
  flags: {
    ...sendFlags,
    ...outputFlags,
    ...notifyFlags,
    ...suiteFlags,
    "dry-run": {
      group: "what",
      type: "boolean",
      default: false,
      describe: "Only say what would be sent, like `tandem plan`",
    },
    ...showFlag,
    ...againstFlag,
    resume: {
      group: "what",
      type: "boolean",
      default: false,
      describe: "Go on with the suite's latest unfinished batch",
    },
    "accept-changes": {
      group: "what",
      more: true,
      type: "boolean",
      default: false,
      describe: "With --resume: run what is still the same, skip the rest",
    },
    ...inDoubtFlag,
    ...restFlag,
    ...codeFlag,
    ...preflightFlag,
  },
  examples: [
    ["$0 run", "Run tandem.yaml of this folder"],
    ["$0 run prompts.csv --deployment prod=https://... --example-id a", "A sheet without a suite"],
    ["$0 run suite.yaml --sample 20 --dry-run", "Say what a run of 20 cases would send"],
    [
      "$0 run prompts.csv --deployment prod=https://... --deployment test=https://... --example-id a",
      "The same prompts against two deployments, keys from TANDEM_PROD_API_KEY and TANDEM_TEST_API_KEY",
    ],
    ["$0 run suite.yaml --rate 10/m --budget 500", "At the pace of the account, and not more than 500 requests"],
    ["$0 run suite.yaml --against release-12", "Compare with a pin instead of the targets with each other"],
    ["$0 run suite.yaml --resume", "Go on after an interruption, unless something has changed since"],
  ],
  async run(given, terminal) {
    const flags = { ...given, path: suitePath(given.path, terminal) };
    const flag = (["accept-changes", "on-in-doubt", "rest"] as const).find((name) => flags[name]);
    if (flag !== undefined && !flags.resume) {
      throw new AppError("USAGE", `--${flag} needs --resume.`, { hint: "Without it every run is a new batch." });
    }
    if (flags.rest && flags["accept-changes"]) {
      throw new AppError("USAGE", "--rest cannot be used together with --accept-changes.", {
        hint: "What was left out is sent as it was planned, or not at all.",
      });
    }
    if (flags.against !== undefined && flags.resume) {
      throw new AppError("USAGE", "--against cannot be used together with --resume.", {
        hint: "A batch that goes on is compared with what it was begun with; `tandem compare BATCH --against` does it anew.",
      });
    }
    if (flags.show !== undefined && !flags["dry-run"]) {
      throw new AppError("USAGE", "--show needs --dry-run.", { hint: "Or use `tandem plan`." });
    }
    if (flags["dry-run"]) {
      const { printPlan } = await import("../plan/plan.run.ts");
      return printPlan(flags, terminal);
    }
    const { executeBatch } = await import("../../progress/execute.ts");
    const { preparationFrom, suiteFrom } = await import("../../flags/suite-source.ts");
    const { openDelivery } = await import("../../progress/delivery.ts");
    const { keyNamesInSuite } = await import("../../dot-env.ts");
    const { workOf } = await import("./run.run.ts");
    const ending = await openDelivery(flags, terminal);
    // Also for word of a suite that cannot be loaded.
    ending.protect(keyNamesInSuite(flags.path));
    return ending.watch(async () => {
      const { suite, standardInput, skipBlank, trust } = await suiteFrom(flags, terminal);
      const onNotice = (message: string): void => terminal.note(message);
      const preparation = preparationFrom(flags, { standardInput, skipBlank, onNotice });
      return executeBatch({
        terminal,
        flags,
        suite,
        trust,
        ending,
        work: workOf(flags, { suite, trust }, preparation),
      });
    });
  },
});

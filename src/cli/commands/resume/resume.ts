import { string, toggle } from "../../flag.ts";
import { skipInvalidFlag } from "../../flags/suite-flags.ts";
import { AppError } from "../../../errors.ts";
import { defineCommand } from "../../command.ts";
import { notifyFlags } from "../../flags/notify-flags.ts";
import { outputFlags } from "../../flags/output-flags.ts";
import {
  codeFlag,
  failedFlag,
  inDoubtFlag,
  preflightFlag,
  restFlag,
  sendFlags,
  waitFlag,
} from "../../flags/run-flags.ts";
import { workersFlags, workersLostFlag } from "../../flags/workers-flags.ts";

export const resumeCommand = defineCommand({
  command: "resume [batch]",
  describe: "Continue a batch that was stopped, interrupted or killed",
  needsKeys: true,
  positionals: {
    batch: { type: "string", describe: "Its name (default: the latest that is not finished)" },
  },
  flags: {
    suite: string(
      "what",
      "Go by this suite file, which may have been corrected since, and run its modules and commands",
      {
        value: "SUITE.yaml",
      },
    ),
    "accept-changes": toggle("what", "With --suite: send what is still the same, skip the rest", { more: true }),
    ...skipInvalidFlag,
    ...codeFlag,
    ...sendFlags,
    ...preflightFlag,
    ...outputFlags,
    ...notifyFlags,
    ...inDoubtFlag,
    ...waitFlag,
    ...restFlag,
    ...failedFlag,
    ...workersFlags,
    ...workersLostFlag,
  },
  examples: [
    ["$0 resume", "Continue the latest unfinished batch"],
    ["$0 resume --suite suite.yaml", "After suite.yaml was corrected: a target that has changed is asked anew"],
    ["$0 resume --failed", "Ask the rows again that the latest batch has no answer to"],
    ["$0 resume latest --rest", "Send what the latest batch was decided without"],
    ["$0 resume --workers postgres://...", "Go on with a batch that workers send"],
  ],
  async run(flags, terminal) {
    if (/\.ya?ml$/i.test(flags.batch ?? ""))
      throw new AppError("USAGE", `${flags.batch} is a suite file, and resume takes the name of a batch.`, {
        hint: `tandem resume --suite ${flags.batch}`,
      });
    const stray = (["accept-changes", "skip-invalid"] as const).find((name) => flags[name]);
    if (stray !== undefined && flags.suite === undefined) throw new AppError("USAGE", `--${stray} needs --suite FILE.`);
    const { resumeByFile, resumeStored } = await import("./resume.run.ts");
    return flags.suite === undefined
      ? resumeStored(flags, terminal)
      : resumeByFile({ ...flags, suite: flags.suite }, terminal);
  },
});

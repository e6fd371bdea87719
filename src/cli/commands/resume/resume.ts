import { type Flags, string, toggle } from "../../flag.ts";
import { skipInvalidFlag } from "../../flags/suite-flags.ts";
import { AppError } from "../../../errors.ts";
import { defineCommand, type Given, type Positionals } from "../../command.ts";
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

const positionals = {
  batch: { type: "string", describe: "Its name (default: the latest that is not finished)" },
} as const satisfies Positionals;

const flags = {
  suite: string(
    "what",
    "Go by this suite file, which may have been corrected since, and run its modules and commands",
    {
      value: "SUITE.yaml",
    },
  ),
  "accept-changes": toggle("what", "Send what is still the same, skip the rest", { with: "suite", more: true }),
  "skip-invalid": { ...skipInvalidFlag["skip-invalid"], with: "suite" },
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
} as const satisfies Flags;

export type ResumeFlags = Given<typeof positionals, typeof flags>;

export const resumeCommand = defineCommand({
  command: "resume [batch]",
  describe: "Continue a batch that was stopped, interrupted or killed",
  needsKeys: true,
  positionals,
  flags,
  examples: [
    ["$0 resume", "Continue the latest unfinished batch"],
    ["$0 resume --suite suite.yaml", "After suite.yaml was corrected: a target that has changed is asked anew"],
    ["$0 resume --failed", "Ask the rows again that the latest batch has no answer to"],
    ["$0 resume latest --rest", "Send what the latest batch was decided without"],
    ["$0 resume --workers postgres://...", "Go on with a batch that workers send"],
  ],
  async run(given, terminal) {
    if (/\.ya?ml$/i.test(given.batch ?? ""))
      throw new AppError("USAGE", `${given.batch} is a suite file, and resume takes the name of a batch.`, {
        hint: `tandem resume --suite ${given.batch}`,
      });
    const { resumeByFile, resumeStored } = await import("./resume.run.ts");
    return given.suite === undefined
      ? resumeStored(given, terminal)
      : resumeByFile({ ...given, suite: given.suite }, terminal);
  },
});

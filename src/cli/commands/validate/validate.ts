import { defineCommand, jsonFlag } from "../../command.ts";
import { promptFlags } from "../../flags/prompt-flags.ts";
import { suitePath } from "../../flags/suite-path.ts";
import { endpointFlag, formatFlags, skipInvalidFlag, suitePositional } from "../../flags/suite-flags.ts";

export const validateCommand = defineCommand({
  command: "validate [path]",
  describe: "Check a suite and its dataset, or a dataset; list every fault",
  needsKeys: true,
  positionals: suitePositional,
  flags: {
    ...jsonFlag,
    ...formatFlags,
    ...promptFlags,
    ...endpointFlag,
    ...skipInvalidFlag,
  },
  examples: [
    ["$0 validate", "tandem.yaml, before a commit, or in CI"],
    ["$0 validate prompts.csv --delimiter ';'", "A sheet alone, before there is a suite"],
    ["$0 validate suite.yaml --json", "For an editor: file, line, column and message of each fault"],
  ],
  async run(flags, terminal) {
    const { validate } = await import("./validate.run.ts");
    return validate({ ...flags, path: suitePath(flags.path, terminal) }, terminal);
  },
});

import { AppError } from "../../../errors.ts";
import { defineCommand, type Given, jsonFlag, resultsFlag } from "../../command.ts";
import { type Flags, count, string, strings, toggle } from "../../flag.ts";
import { againstFlag } from "../../flags/run-flags.ts";
import { showFlag, suiteFlags, suitePositional } from "../../flags/suite-flags.ts";

const positionals = suitePositional;

const flags = {
  ...jsonFlag,
  ...resultsFlag,
  ...suiteFlags,
  ...againstFlag,
  ...showFlag,
  offline: toggle("what", "Reach no service: look at files only, as before a commit"),
  power: toggle(
    "what",
    "Also say which word of the verdict is likely for which true gain or loss, with so many cases and with more",
  ),
  drop: count("what", "With --power: say how many cases it takes to find this drop, such as 0.05", { more: true }),
  discordant: count(
    "what",
    "With --power: assume that this share of the cases pass on one side only, whatever is stored",
    { more: true },
  ),
  url: string(
    "what",
    "Instead, make one call to an endpoint, and print what came back with the lines of a suite for it",
    {
      value: "URL",
    },
  ),
  body: string("what", "The body to send, with {{ input_prompt }} for the prompt", {
    with: "url",
    value: "JSON",
    more: true,
  }),
  "http-header": strings("what", "A header of its requests, 'Name: ${VARIABLE}'; repeatable", {
    with: "url",
    value: "HEADER",
    alias: "H",
    nargs: 1,
    more: true,
  }),
  ask: string("what", "The prompt", { with: "url", value: "TEXT", default: "Hello", more: true }),
} as const satisfies Flags;

export type CheckFlags = Given<typeof positionals, typeof flags>;

export const checkCommand = defineCommand({
  command: "check [path]",
  describe: "Check suite, sheet and services; say what a run sends, takes and costs",
  needsKeys: true,
  positionals,
  flags,
  examples: [
    ["$0 check", "Before the first run of tandem.yaml, or when one fails"],
    ["$0 check --offline", "Before a commit, or in CI without keys"],
    ["$0 check prompts.csv --delimiter ';'", "A sheet alone, before there is a suite"],
    ["$0 check suite.yaml --power --drop 0.03", "Can a drop of three points be seen, and what would it cost?"],
    ["$0 check suite.yaml --show k17", "The requests of the case k17"],
    [
      "$0 check --url https://api.openai.com/v1 --model gpt-4.1-mini",
      "A first call to a chat, which costs what one call costs",
    ],
  ],
  async run(given, terminal) {
    const { url } = given;
    if (url !== undefined) {
      if (given.path !== undefined)
        throw new AppError("USAGE", "A suite and --url cannot be used together.", { hint: "Keep one of them." });
      const { tryEndpoint } = await import("./check.try.ts");
      return tryEndpoint({ ...given, url, model: given.model[0] }, terminal);
    }
    const { checkEverything } = await import("./check.run.ts");
    return checkEverything(given, terminal);
  },
});

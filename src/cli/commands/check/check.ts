import { AppError } from "../../../errors.ts";
import { defineCommand, jsonFlag, resultsFlag } from "../../command.ts";
import { count, string, strings, toggle } from "../../flag.ts";
import { againstFlag } from "../../flags/run-flags.ts";
import { showFlag, suiteFlags, suitePositional } from "../../flags/suite-flags.ts";

export const checkCommand = defineCommand({
  command: "check [path]",
  describe: "Check suite, sheet and services; say what a run sends, takes and costs",
  needsKeys: true,
  positionals: suitePositional,
  flags: {
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
    body: string("what", "With --url: the body to send, with {{ input_prompt }} for the prompt", {
      value: "JSON",
      more: true,
    }),
    "http-header": strings("what", "With --url: a header of its requests, 'Name: ${VARIABLE}'; repeatable", {
      value: "HEADER",
      alias: "H",
      nargs: 1,
      more: true,
    }),
    ask: string("what", "With --url: the prompt", { value: "TEXT", default: "Hello", more: true }),
  },
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
  async run(flags, terminal) {
    const { url } = flags;
    if (url !== undefined) {
      if (flags.path !== undefined)
        throw new AppError("USAGE", "A suite and --url cannot be used together.", { hint: "Keep one of them." });
      const { tryEndpoint } = await import("./check.try.ts");
      return tryEndpoint({ ...flags, url, model: flags.model[0] }, terminal);
    }
    if (flags["http-header"].length > 0)
      throw new AppError("USAGE", "-H is for --url, and no endpoint is named.", {
        hint: "tandem check --url URL -H ...; in a suite it is `headers` of a deployment.",
      });
    if (flags.body !== undefined) {
      throw new AppError("USAGE", "--body is for --url, and no endpoint is named.", {
        hint: "tandem check --url URL --body ...",
      });
    }
    const { checkEverything } = await import("./check.run.ts");
    return checkEverything(flags, terminal);
  },
});

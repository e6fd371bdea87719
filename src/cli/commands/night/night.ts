import { type Flags, count, string, word } from "../../flag.ts";
import { defineCommand, type Given } from "../../command.ts";
import { batchFlags } from "../../flags/batch-flags.ts";
import { suiteFlags, suitePositional } from "../../flags/suite-flags.ts";

/** A night is of a suite: all of it. */
const seldom = {
  deployment: { ...suiteFlags.deployment, more: true },
  "example-id": { ...suiteFlags["example-id"], more: true },
  scorer: { ...suiteFlags.scorer, more: true },
  prompt: { ...suiteFlags.prompt, more: true },
  grep: { ...suiteFlags.grep, more: true },
  tag: { ...suiteFlags.tag, more: true },
  failed: { ...suiteFlags.failed, more: true },
  sample: { ...suiteFlags.sample, more: true },
  limit: { ...suiteFlags.limit, more: true },
  target: { ...suiteFlags.target, more: true },
  repeats: { ...suiteFlags.repeats, more: true },
} as const satisfies Flags;

const positionals = suitePositional;

const flags = {
  ...batchFlags,
  ...seldom,
  notify: { ...batchFlags.notify, more: false },
  "if-running": word(
    "what",
    "While another process does the night of this suite: leave (exit code 0), or wait and then run too",
    { choices: ["leave", "wait"], default: "leave", more: true },
  ),
  "resume-within": string("what", "Resume a night that was cut off if it began no longer ago; 0 never does", {
    value: "TIME",
    default: "20h",
    more: true,
  }),
  keep: count("results", "Remove older batches of the suite afterwards, but the latest so many", { least: 1 }),
  "older-than": string("results", "Remove batches of the suite that began longer ago, such as 90d", {
    value: "TIME",
  }),
} as const satisfies Flags;

export type NightFlags = Given<typeof positionals, typeof flags>;

export const nightCommand = defineCommand({
  command: "night [path]",
  describe: "Nightly run: resume or start, confirm, notify, clean up",
  needsKeys: true,
  positionals,
  flags,
  examples: [
    ["$0 night suite.yaml --against release-12", "Run the suite and compare it with a pin"],
    ["$0 night suite.yaml --notify env:SLACK_WEBHOOK --notify-on problem", "Tell a channel when something is wrong"],
    ["$0 night suite.yaml --keep 30 --older-than 90d", "Remove what is older than 90 days, but the latest 30"],
  ],
  async run(given, terminal) {
    const { spendNight } = await import("./night.run.ts");
    return spendNight(given, terminal);
  },
});

import type { InferredOptionTypes } from "yargs";
import type { Flags } from "../command.ts";

/** Flags of commands that end in a verdict, for people who are not there when they end. */
export const notifyFlags = {
  notify: {
    group: "notify",
    value: "URL",
    type: "string",
    describe: "Send the verdict to a webhook such as Slack's; env:NAME takes the address from a variable",
  },
  "notify-command": {
    group: "notify",
    value: "COMMAND",
    more: true,
    type: "string",
    describe:
      "Run this shell command with the verdict: JSON on its standard input, TANDEM_VERDICT and more in its environment",
  },
  "notify-on": {
    group: "notify",
    more: true,
    choices: ["always", "problem", "change"],
    default: "always",
    describe:
      "problem: only when something is wrong, whatever the exit code; change: only what is new, or over, since the night before",
  },
  "notify-link": {
    group: "notify",
    value: "URL",
    more: true,
    type: "string",
    describe:
      "Address of the report in what is sent; {batch} stands for the batch (default: its path, or the run of GitHub)",
  },
} as const satisfies Flags;

export type NotifyFlags = InferredOptionTypes<typeof notifyFlags>;

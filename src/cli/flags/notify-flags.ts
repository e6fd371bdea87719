import type { InferredOptionTypes, Options } from "yargs";

/** Flags of commands that end in a verdict, for people who are not there when they end. */
export const notifyFlags = {
  notify: {
    type: "string",
    describe:
      "Send the verdict to this webhook (Slack and what is compatible with it); env:NAME takes the address from a variable",
  },
  "notify-command": {
    type: "string",
    describe:
      "Run this shell command with the verdict: JSON on its standard input, TANDEM_VERDICT and more in its environment",
  },
  "notify-on": {
    choices: ["always", "problem"],
    default: "always",
    describe: "problem: only when the exit code is not 0",
  },
  "notify-link": {
    type: "string",
    describe:
      "Address of the report in what is sent; {batch} stands for the batch (default: its path, or the run of GitHub)",
  },
} as const satisfies Record<string, Options>;

export type NotifyFlags = InferredOptionTypes<typeof notifyFlags>;

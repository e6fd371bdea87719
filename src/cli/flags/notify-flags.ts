import { type Flags, string, word } from "../flag.ts";
import type { InferredOptionTypes } from "yargs";

/** Flags of commands that end in a verdict, for people who are not there when they end. */
export const notifyFlags = {
  notify: string(
    "notify",
    "Send the verdict to a webhook such as Slack's; env:NAME takes the address from a variable",
    { value: "URL", more: true },
  ),
  "notify-command": string(
    "notify",
    "Run this shell command with the verdict: JSON on its standard input, TANDEM_VERDICT and more in its environment",
    { value: "COMMAND", more: true },
  ),
  "notify-on": word(
    "notify",
    "problem: only when something is wrong, whatever the exit code; change: only what is new, or over, since the night before",
    { more: true, choices: ["always", "problem", "change"], default: "always" },
  ),
  "notify-link": string(
    "notify",
    "Address of the report in what is sent; {batch} stands for the batch (default: its path, or the run of GitHub)",
    { value: "URL", more: true },
  ),
} as const satisfies Flags;

export type NotifyFlags = InferredOptionTypes<typeof notifyFlags>;

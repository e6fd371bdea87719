import type { JsonData } from "../json-outputs.ts";
import { terminalText, type Reported } from "../../report/terminal/terminal.ts";
import { printResult } from "../command-result.ts";
import type { Terminal } from "../terminal.ts";

/** Lines of a screen if no terminal tells, and the least that are counted on. */
const screenLines = 40;
const leastLines = 24;

/** Prints what a batch came to: for a person, or as JSON for a program. */
export function printSummary(
  reported: Reported,
  { json, details = false }: { json: boolean; details?: boolean | undefined },
  terminal: Terminal,
): void {
  // The last line of a screen is the prompt's.
  const lines = terminal.rows === null ? screenLines : Math.max(leastLines, terminal.rows) - 1;
  const screen = { width: Math.min(terminal.columns, 140), lines, color: terminal.color.out, details };
  const { summary } = reported;
  const typed = { ...reported, summary: { ...summary, next: commandHere(summary.next, process.env) } };
  const text = json ? {} : { text: terminalText(typed, screen).trimEnd() };
  const data = summary satisfies JsonData["run"];
  printResult({ data, ...text }, json, terminal);
}

/** The name of tandem's own package, in whose folder npm runs the scripts of a checkout. */
const ownPackage = "@tandem-eval/tandem";
/** The scripts of a checkout that run the command. */
const scripts = new Set(["demo", "tandem"]);

/** A command as it can be typed: by the script of the checkout where that ran this one, as `tandem` is no command there. */
export function commandHere(command: string, env: NodeJS.ProcessEnv): string {
  const isByScript = env["npm_package_name"] === ownPackage && scripts.has(env["npm_lifecycle_event"] ?? "");
  return isByScript ? command.replace(/^tandem (?=.)/, "npm run tandem -- ") : command;
}

import { runJson } from "../report/run-json.ts";
import { terminalText } from "../report/terminal.ts";
import type { RunSummary } from "../report/run-summary.ts";
import type { Terminal } from "./terminal.ts";

/** A summary fits on one screen of this many lines. */
const screenLines = 40;

/** Prints what a batch came to: for a person, or as JSON for a program. */
export function printSummary(summary: RunSummary, json: boolean, terminal: Terminal): void {
  const screen = { width: Math.min(terminal.columns, 140), lines: screenLines, color: terminal.color.out };
  terminal.print((json ? runJson(summary) : terminalText(summary, screen)).trimEnd());
}

import { runJson } from "../../report/formats/json/run-json.ts";
import { terminalText, type Told } from "../../report/terminal/terminal.ts";
import { commandHere } from "../start-command.ts";
import type { Terminal } from "../terminal.ts";

/** Lines of a screen if no terminal tells, and the least that are counted on. */
const screenLines = 40;
const leastLines = 24;

/** Prints what a batch came to: for a person, or as JSON for a program. */
export function printSummary(
  told: Told,
  { json, details = false }: { json: boolean; details?: boolean | undefined },
  terminal: Terminal,
): void {
  // The last line of a screen is the prompt's.
  const lines = terminal.rows === null ? screenLines : Math.max(leastLines, terminal.rows) - 1;
  const screen = { width: Math.min(terminal.columns, 140), lines, color: terminal.color.out, details };
  const { summary } = told;
  const typed = { ...told, summary: { ...summary, next: commandHere(summary.next, process.env) } };
  terminal.print((json ? runJson(summary) : terminalText(typed, screen)).trimEnd());
}

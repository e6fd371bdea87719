import { jsonText } from "../../../lib/json.ts";
import type { RunSummary } from "../../shape/run-summary.ts";

/** Goes up when a member of the JSON changes its meaning or goes away; new members may appear at any time. */
const runJsonVersion = 1;

/** The summary of a run for programs (`--json`): one JSON object, as docs/reference/json.md describes it. */
export function runJson(summary: RunSummary): string {
  return `${jsonText({ version: runJsonVersion, ...summary }, 2)}\n`;
}

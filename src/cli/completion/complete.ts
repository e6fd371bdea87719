import type { Terminal } from "../terminal.ts";
import { candidates } from "./candidates.ts";
import { bashText, readTypedLine } from "./typed-line.ts";

/** Prints what can stand at the cursor, a line each: for bash as it is typed there, for others as it is. */
export async function printCandidates([shell, ...given]: readonly string[], terminal: Terminal): Promise<void> {
  if (shell === "bash") {
    const [line = "", wordBreaks = ""] = given;
    const typed = readTypedLine(line, wordBreaks);
    const found = await candidates(typed.words.slice(1), typed.current);
    for (const value of found) terminal.print(bashText(value, typed));
    return;
  }
  for (const value of await candidates(given.slice(0, -1), given.at(-1) ?? "")) terminal.print(value);
}

import type { Writable } from "node:stream";
import { candidates } from "./candidates.ts";
import { powershellLine, readPowershellWords } from "./powershell.ts";
import { bashText, readTypedLine } from "./typed-line.ts";

/**
 * Writes what can stand at the cursor, a line each: for bash as it is typed there, for others as it is. A shell reads it,
 * and no terminal: a name in which something was made visible would be another name.
 */
export async function writeCandidates([shell, ...given]: readonly string[], stdout: Writable): Promise<void> {
  if (shell === "bash") {
    const [line = "", wordBreaks = ""] = given;
    const typed = readTypedLine(line, wordBreaks);
    const found = await candidates(typed.words.slice(1), typed.current);
    for (const value of found) stdout.write(`${bashText(value, typed)}\n`);
    return;
  }
  if (shell === "powershell") {
    const { words, current } = readPowershellWords(given[0] ?? "");
    for (const value of await candidates(words, current)) stdout.write(`${powershellLine(value)}\n`);
    return;
  }
  for (const value of await candidates(given.slice(0, -1), given.at(-1) ?? "")) stdout.write(`${value}\n`);
}

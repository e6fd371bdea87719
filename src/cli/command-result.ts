import { exitCodes } from "../errors.ts";
import { jsonText } from "../lib/json.ts";
import { storedVersion } from "../lib/stored-version.ts";
import type { Terminal } from "./terminal.ts";

/** The end of a command, as data: the command line prints it in one place, so that every `--json` is one document. */
export interface CommandResult {
  /** The result for programs (--json), as `JsonData` has it; left out: none, or it is printed already. */
  data?: object;
  /** The same for a person. */
  text?: string;
  /** A word to the person beside a result that is a file. */
  note?: string;
  /** Left out: 0. */
  exit?: number;
  /** Work that begins when the result is printed: to serve until a signal. */
  after?: () => Promise<void>;
}

/** Prints the result on standard output. */
export function printResult({ data, text, note }: CommandResult, json: boolean, terminal: Terminal): void {
  if (!json && text !== undefined) terminal.print(text);
  if (!json && note !== undefined) terminal.note(note);
  if (json && data !== undefined) terminal.print(jsonText({ version: storedVersion, ...data }, 2));
}

/** Prints the result, does what comes after, and returns the exit code. */
export async function endWith(result: CommandResult, json: boolean, terminal: Terminal): Promise<number> {
  printResult(result, json, terminal);
  await result.after?.();
  return result.exit ?? exitCodes.ok.code;
}

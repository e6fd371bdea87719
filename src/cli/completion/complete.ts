import type { Writable } from "node:stream";
import { candidates } from "./candidates.ts";

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

/** The words that the script of PowerShell sends: JSON in Base64, the word at the cursor last. */
export function readPowershellWords(sent: string): { words: string[]; current: string } {
  const sentWords: unknown = JSON.parse(Buffer.from(sent, "base64").toString("utf8"));
  const words = Array.isArray(sentWords) ? sentWords.map(String) : [];
  // The word at the cursor comes as it is typed, with the quote that is open.
  return { words: words.slice(0, -1), current: (words.at(-1) ?? "").replace(/^['"‘’‚‛“”„]/u, "") };
}

/** A name as the script shows it and, behind a tab, as it is put into the line; in Base64. */
export function powershellLine(value: string): string {
  return Buffer.from(`${value}\t${powershellText(value)}`).toString("base64");
}

/** The text that PowerShell reads as one word of this value; it runs and fills in nothing between single quotes. */
function powershellText(value: string): string {
  // Behind one dash it splits a word at dots and colons; the tilde is a folder in its newer versions.
  const isPlain =
    /^[\p{L}\p{N}_./\\][\p{L}\p{M}\p{N}_./\\:~=+-]*$/u.test(value) || /^--[a-z][a-z-]*(?:=[\w/-]*)?$/.test(value);
  // It takes five characters for a single quote, and two of them for one.
  return isPlain ? value : `'${value.replaceAll(/['‘’‚‛]/gu, "$&$&")}'`;
}

/** The words of a line of bash up to the cursor, as the command would get them. */
interface TypedLine {
  /** The words before the one at the cursor. */
  words: string[];
  /** The word at the cursor, as far as it is typed. */
  current: string;
  /** The quote that is open at the cursor; empty: none. */
  quote: "" | "'" | '"';
  /** The characters of `current` that stay: bash replaces only what follows the last of its word breaks. */
  kept: number;
}

/** Reads a line as bash does, without what it would run or fill in: `$NAME` stays as it is typed. */
export function readTypedLine(line: string, wordBreaks: string): TypedLine {
  const typed: TypedLine = { words: [], current: "", quote: "", kept: 0 };
  const characters = Array.from(line);
  let isWord = false;
  for (let place = 0; place < characters.length; place++) {
    const character = characters[place] ?? "";
    const next = characters[place + 1];
    if (character === "\\" && typed.quote !== "'" && next !== undefined && isEscaped(typed.quote, next)) {
      typed.current += next;
      isWord = true;
      place++;
    } else if (typed.quote !== "") {
      if (character === typed.quote) typed.quote = "";
      else typed.current += character;
    } else if (character === "'" || character === '"') {
      typed.quote = character;
      typed.kept = typed.current.length;
      isWord = true;
    } else if (/\s/.test(character)) {
      if (isWord) typed.words.push(typed.current);
      Object.assign(typed, { current: "", kept: 0 });
      isWord = false;
    } else {
      typed.current += character;
      isWord = true;
      if (wordBreaks.includes(character)) typed.kept = typed.current.length;
    }
  }
  return typed;
}

/** Between double quotes a backslash stands for itself before most characters. */
function isEscaped(quote: string, next: string): boolean {
  return quote === "" || '"$`\\'.includes(next);
}

/** The text that takes the place of what bash replaces, so that the shell reads it as this value and runs nothing of it. */
export function bashText(value: string, { quote, kept }: TypedLine): string {
  const rest = value.slice(kept);
  if (quote === "'") return rest.replaceAll("'", "'\\''");
  if (quote === '"') return rest.replaceAll(/["$`\\]/g, "\\$&").replaceAll("!", '"\\!"');
  const escaped = rest.replaceAll(/[^\p{L}\p{M}\p{N}_./,+%@:=~-]/gu, "\\$&");
  return kept === 0 && escaped.startsWith("~") ? `\\${escaped}` : escaped;
}

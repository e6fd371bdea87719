/** The words of a line of bash up to the cursor, as the command would get them. */
export interface TypedLine {
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

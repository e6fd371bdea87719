/**
 * A text on one line in which nothing is left for a terminal to obey: control characters become their pictures
 * (escape is ␛), line breaks ↵, and characters that turn the direction of writing are named (⟨RLO⟩).
 */
export function visible(text: string): string {
  return text
    .replaceAll(/ ?(?:\r\n|\n|\u2028|\u2029)[ \t\r\n\u2028\u2029]*/g, " ↵ ")
    .replaceAll(/[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu, picture);
}

/** The same characters for text of several lines: only control characters become pictures; tabs and line breaks stay. */
export function visibleControls(text: string): string {
  return /[^\t\n\r\P{Cc}]/u.test(text) ? text.replaceAll(/[^\t\n\r\P{Cc}]/gu, picture) : text;
}

const names: Record<string, string> = {
  "\u00ad": "SHY",
  "\u061c": "ALM",
  "\u200b": "ZWSP",
  "\u200e": "LRM",
  "\u200f": "RLM",
  "\u202a": "LRE",
  "\u202b": "RLE",
  "\u202c": "PDF",
  "\u202d": "LRO",
  "\u202e": "RLO",
  "\u2060": "WJ",
  "\u2066": "LRI",
  "\u2067": "RLI",
  "\u2068": "FSI",
  "\u2069": "PDI",
  "\ufeff": "BOM",
};

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  const name = names[character];
  if (name !== undefined) return `⟨${name}⟩`;
  // C1 controls, and halves of surrogate pairs, which are no characters.
  return code < 0xa0 ? `⟨${code.toString(16).toUpperCase()}⟩` : "\ufffd";
}

import { joiningScripts } from "../../lib/hidden-characters.ts";

/** Characters that cannot be seen, or look like another space. */
const names: Partial<Record<string, string>> = {
  "\u00a0": "a no-break space",
  "\u00ad": "a soft hyphen",
  "\u061c": "an Arabic letter mark",
  "\u115f": "a Hangul filler",
  "\u180e": "a Mongolian vowel separator",
  "\u2007": "a figure space",
  "\u200b": "a zero-width space",
  "\u200c": "a zero-width non-joiner",
  "\u200d": "a zero-width joiner",
  "\u200e": "a left-to-right mark",
  "\u200f": "a right-to-left mark",
  "\u2028": "a line separator",
  "\u2029": "a paragraph separator",
  "\u202f": "a narrow no-break space",
  "\u2060": "a word joiner",
  "\u3164": "a Hangul filler",
  "\ufeff": "a byte order mark",
};

const invisible =
  /[\u00a0\u00ad\u061c\u115f\u180e\u2007\u200b-\u200f\u2028-\u202f\u2060-\u2064\u2066-\u2069\u3164\ufeff]/gu;
/** Joiners belong to the spelling of some scripts, and to emoji. */
const joining = new RegExp(
  String.raw`(?:[${joiningScripts}\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}]|\ufe0f)$`,
  "u",
);
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * The first character of a text that cannot be seen and has no business there: joiners belong to Indic scripts, Arabic and emoji,
 * marks of direction to text from right to left, no-break spaces to punctuation in French and to numbers.
 */
export function findInvisible(text: string): { at: number; name: string } | null {
  for (const { 0: character, index } of text.matchAll(invisible)) {
    if (!belongs(character, text, index)) return { at: index, name: nameOf(character) };
  }
  return null;
}

function belongs(character: string, text: string, at: number): boolean {
  const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at + 1, at + 3)];
  if (character === "\u200c" || character === "\u200d") return joining.test(before);
  if (/[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]/.test(character)) return rightToLeft.test(text);
  if (character !== "\u00a0" && character !== "\u202f") return false;
  return /^[?!:;»%€$°]/.test(after) || before.endsWith("«") || (/\d$/.test(before) && /^[\d\p{L}]/u.test(after));
}

function nameOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `${names[character] ?? "an invisible character"} (U+${code})`;
}

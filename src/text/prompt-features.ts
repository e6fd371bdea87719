import { folded } from "./search-fold.ts";

/** Scripts that prompts are told apart by. */
const scripts = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Arabic",
  "Hebrew",
  "Devanagari",
  "Bengali",
  "Tamil",
  "Telugu",
  "Thai",
  "Han",
  "Hiragana",
  "Katakana",
  "Hangul",
] as const;

const inScript = scripts.map((script) => ({ script, letter: new RegExp(`\\p{Script=${script}}`, "u") }));

/** Characters of a prompt that are looked at, and words of it. */
const [mostCharacters, mostWords] = [2000, 200];

/** The words of a text, folded, each once. */
export function distinctWords(text: string): string[] {
  const words = folded(text.slice(0, mostCharacters)).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  return Array.from(new Set(words)).slice(0, mostWords);
}

/** The scripts that a text has letters of. */
export function scriptsIn(text: string): string[] {
  const start = text.slice(0, mostCharacters);
  return inScript.flatMap(({ script, letter }) => (letter.test(start) ? [script] : []));
}

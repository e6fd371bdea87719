import { segmenterOf, segmentsOf } from "./segments.ts";

/** Letters, marks and digits, also across a joiner that a script needs inside of a word. */
const run = /[\p{L}\p{M}\p{N}]+(?:[\u200c\u200d][\p{L}\p{M}\p{N}]+)*/gu;

/** Scripts whose words are not told apart by spaces. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u;

const joiners = /[\u200c\u200d]/g;

const segmenter = segmenterOf("word");

/**
 * The words of a text after NFC, as written: runs of letters, marks and digits; of scripts without spaces those that the
 * dictionaries of Unicode find. At most `most` of them, so that one monstrous answer cannot exhaust memory.
 */
export function tokens(text: string, most = Infinity): string[] {
  const found: string[] = [];
  for (const [word] of text.normalize("NFC").matchAll(run)) {
    if (found.length >= most) break;
    if (unspaced.test(word)) found.push(...segments(word));
    else found.push(word.replaceAll(joiners, ""));
  }
  return found.length > most ? found.slice(0, most) : found;
}

/** The ways to say what a word is. */
export const wordKinds = ["letters", "spaces", "treebank"] as const;
export type WordKind = (typeof wordKinds)[number];

/** The words of a text as one of the ways has them, at most `most`. */
export function wordsBy(text: string, kind: WordKind, most = Infinity): string[] {
  if (kind === "letters") return tokens(text, most);
  const words = (kind === "spaces" ? text : treebank(text)).split(/\s+/).filter((word) => word !== "");
  return words.length > most ? words.slice(0, most) : words;
}

/** Words that the Penn Treebank takes for two, after the list of its own tokenizer (tokenizer.sed of 1995). */
const slurred =
  /(?<![\p{ID_Continue}\u200c\u200d])(?:(can)(not)|(d)('ye)|(gim)(me)|(gon)(na)|(got)(ta)|(lem)(me)|(more)('n)|(wan)(na)|('t)(is|was))(?![\p{ID_Continue}\u200c\u200d])/giu;

/** Spaces between the tokens of a text by the rules of the Penn Treebank. */
function treebank(text: string): string {
  return ` ${text.replaceAll(/\s+/g, " ").trim()} `
    .replaceAll(/"|``|''/g, " $& ")
    .replaceAll(/\.{3}|--|[;@#$%&?!()[\]{}<>]/g, " $& ")
    .replaceAll(/[:,](?!\p{Nd})/gu, " $& ")
    .replace(/([^. ])\.(['"\])}> ]*)$/, "$1 .$2")
    .replaceAll(/(?<!')' /g, " ' ")
    .replaceAll(/'(?:[smd]|ll|re|ve) |n't /gi, " $&")
    .replaceAll(slurred, (_, ...found: unknown[]) => {
      const parts = found.filter((part) => typeof part === "string").slice(0, 2);
      return ` ${parts.join(" ")} `;
    });
}

function segments(word: string): string[] {
  const found: string[] = [];
  for (const { segment, isWordLike } of segmentsOf(segmenter(), word)) if (isWordLike !== false) found.push(segment);
  return found;
}

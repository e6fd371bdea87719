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

function segments(word: string): string[] {
  const found: string[] = [];
  for (const { segment, isWordLike } of segmentsOf(segmenter(), word)) if (isWordLike !== false) found.push(segment);
  return found;
}

import { segmenterOf, segmentsOf } from "./segments.ts";

const segmenter = segmenterOf("grapheme");

/** ASCII that another ASCII character or the end follows is a character by itself; the segmenter is slow. */
const plain = /[ -~]+(?=[ -~]|$)/g;

/** Characters that take the next one into their own, whatever it is. */
const prepended =
  /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\u{110bd}\u{110cd}\u{111c2}\u{111c3}\u{113d1}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]/u;

/** The characters of a text as a reader counts them (extended grapheme clusters), one after the other. */
export function* graphemes(text: string): Generator<string> {
  if (prepended.test(text)) return yield* segmented(text);
  let from = 0;
  for (const { index, 0: run } of text.matchAll(plain)) {
    if (index > from) yield* segmented(text.slice(from, index));
    yield* run;
    from = index + run.length;
  }
  if (from < text.length) yield* segmented(text.slice(from));
}

function* segmented(text: string): Generator<string> {
  for (const { segment } of segmentsOf(segmenter(), text)) yield segment;
}

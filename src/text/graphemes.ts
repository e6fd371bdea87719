import { segmentsOf } from "./segments.ts";

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

/** The characters of a text as a reader counts them (extended grapheme clusters), one after the other. */
export function* graphemes(text: string): Generator<string> {
  for (const { segment } of segmentsOf(segmenter, text)) yield segment;
}

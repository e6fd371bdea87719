/** The time of a segmenter grows with the square of a text's length, so that it is given pieces of this many UTF-16 units. */
const pieceLength = 1_000;

/** Gives the segmenter of Unicode's rules, made when the first text needs one: most commands start and end without. */
export function segmenterOf(granularity: "grapheme" | "word"): () => Intl.Segmenter {
  let made: Intl.Segmenter | null = null;
  return () => (made ??= new Intl.Segmenter("und", { granularity }));
}

/**
 * The segments of a text, one after the other. The last segment of a piece may go on beyond it: the next piece begins
 * with it.
 */
export function* segmentsOf(segmenter: Intl.Segmenter, text: string): Generator<Intl.SegmentData> {
  if (text.length <= pieceLength) return yield* segmenter.segment(text);
  let start = 0;
  let length = pieceLength;
  while (start < text.length) {
    // Half a surrogate pair would be a segment of its own.
    const end = start + length + (isHighSurrogate(text, start + length - 1) ? 1 : 0);
    const piece = text.slice(start, end);
    const isLast = end >= text.length;
    let held: Intl.SegmentData | null = null;
    let passed = 0;
    for (const segment of segmenter.segment(piece)) {
      if (held !== null) {
        yield held;
        passed += held.segment.length;
      }
      held = segment;
    }
    if (isLast) {
      if (held !== null) yield held;
      return;
    }
    // One segment longer than a piece: a larger piece shows its end.
    length = passed === 0 ? length * 2 : pieceLength;
    start += passed;
  }
}

function isHighSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}

import { diffArrays } from "diff";

/** A piece of a text; `changed`: the other side has something else there, or nothing. */
export interface Piece {
  text: string;
  changed: boolean;
}

export interface TextDiff {
  baseline: Piece[];
  candidate: Piece[];
  /** The texts are too long or too different: they are shown as they are. */
  gaveUp: boolean;
}

/** Longer answers are shown without marks: nobody reads them word by word, and the page must not stand still. */
const mostTokens = 20_000;
const patience = 250;

/**
 * The words in which two texts differ. Words are what the language's rules say (Unicode segmentation, with dictionaries
 * for scripts without spaces), so a piece never begins inside a grapheme, a Hindi syllable or a family of emoji.
 */
export function textDiff(baseline: string, candidate: string): TextDiff {
  if (baseline === candidate) return { baseline: whole(baseline), candidate: whole(candidate), gaveUp: false };
  const [left, right] = [words(baseline), words(candidate)];
  const parts = left.length + right.length > mostTokens ? undefined : diffArrays(left, right, { timeout: patience });
  if (parts === undefined) return { baseline: whole(baseline), candidate: whole(candidate), gaveUp: true };
  const result: TextDiff = { baseline: [], candidate: [], gaveUp: false };
  for (const [index, part] of parts.entries()) {
    const text = part.value.join("");
    if (!part.added && !part.removed) {
      // White space alone between two changes would only make them hard to read.
      const alone = text.trim() === "" && isChange(parts[index - 1]) && isChange(parts[index + 1]);
      push(result.baseline, { text, changed: alone });
      push(result.candidate, { text, changed: alone });
    } else {
      push(part.added ? result.candidate : result.baseline, { text, changed: true });
    }
  }
  return result;
}

function whole(text: string): Piece[] {
  return [{ text, changed: false }];
}

function isChange(part: { added: boolean; removed: boolean } | undefined): boolean {
  return part !== undefined && (part.added || part.removed);
}

function push(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.changed === piece.changed) last.text += piece.text;
  else pieces.push(piece);
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

function words(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

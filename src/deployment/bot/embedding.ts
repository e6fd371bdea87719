import { createHash } from "node:crypto";
import { wordsOf } from "./words.ts";

/** Lengths of the pieces of a word that count beside the word itself, with a mark at both ends of it. */
const pieceLengths = [3, 4];

/**
 * A vector of length 1 for a text, always the same: words and pieces of words fall into its places, each with a sign, so that
 * texts that share many of them point in nearly the same direction, in any script. A text without words has its first place alone.
 */
export function embeddingOf(text: string, dimensions: number): number[] {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) {
    for (const piece of [word, ...piecesOf(word)]) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  }
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const [piece, count] of counts) {
    const hash = createHash("sha256").update(piece).digest();
    const place = hash.readUInt32BE(0) % dimensions;
    vector[place] = (vector[place] ?? 0) + (hash.readUInt8(4) % 2 === 0 ? 1 : -1) * (1 + Math.log(count));
  }
  const length = Math.sqrt(vector.reduce((sum, number) => sum + number * number, 0));
  if (length === 0) return vector.map((_, place) => (place === 0 ? 1 : 0));
  return vector.map((number) => Math.round((number / length) * 1e6) / 1e6);
}

function piecesOf(word: string): string[] {
  const letters = Array.from(`^${word}$`);
  return pieceLengths.flatMap((length) =>
    letters.slice(0, Math.max(0, letters.length - length + 1)).map((_, at) => letters.slice(at, at + length).join("")),
  );
}

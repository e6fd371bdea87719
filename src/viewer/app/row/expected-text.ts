import type { Piece } from "./aligned.ts";

/** A stretch of a text, from a place up to another. */
export interface Stretch {
  from: number;
  to: number;
}

/** Longer expectations are whole answers: nothing of them is found letter by letter. */
const longest = 2000;
const mostFound = 100;

/** Where an answer has the expected text: in any case, and with any white space between its words. */
export function expectedIn(answer: string, expected: string | null): Stretch[] {
  const words = expected === null || expected.length > longest ? [] : expected.split(/\s+/u).filter(Boolean);
  if (words.length === 0) return [];
  const wanted = new RegExp(words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("\\s+"), "giu");
  const found = Array.from(answer.matchAll(wanted), ({ 0: { length }, index }) => ({
    from: index,
    to: index + length,
  }));
  return found.slice(0, mostFound);
}

/** A piece of an answer as it is drawn. */
export interface DrawnPiece extends Piece {
  /** It is of the expected text. */
  expected: boolean;
}

/** Divides pieces, of which the first begins at a place of the answer, where the expected text begins and ends in them. */
export function withExpected(pieces: readonly Piece[], start: number, found: readonly Stretch[]): DrawnPiece[] {
  let at = start;
  return pieces.flatMap(({ text, changed }) => {
    const [from, to] = [at, at + text.length];
    at = to;
    const cuts = found
      .flatMap((each) => [each.from, each.to])
      .filter((cut) => cut > from && cut < to)
      .map((cut) => cut - from);
    const bounds = [0, ...cuts, text.length];
    return bounds.slice(1).map((end, index) => {
      const begin = bounds[index] ?? 0;
      const expected = found.some((each) => each.from <= from + begin && each.to >= from + end);
      return { text: text.slice(begin, end), changed, expected };
    });
  });
}

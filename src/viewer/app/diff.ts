import { diffArrays } from "diff";

/** A piece of a text; `changed`: the other side has something else there, or nothing. */
export interface Piece {
  text: string;
  changed: boolean;
}

export interface TextDiff {
  baseline: Piece[];
  candidate: Piece[];
  /** The texts are too long or too different: not every word that differs is marked. */
  gaveUp: boolean;
}

/** Longer answers are compared line by line first: nobody waits for every word, and the page must not stand still. */
const mostTokens = 20_000;
/** Milliseconds, for all parts of an answer together. */
const patience = 250;

/**
 * The words in which two texts differ. Words are what the language's rules say (Unicode segmentation, with dictionaries
 * for scripts without spaces), so a piece never begins inside a grapheme, a Hindi syllable or a family of emoji.
 */
export function textDiff(baseline: string, candidate: string): TextDiff {
  const result: TextDiff = { baseline: [], candidate: [], gaveUp: false };
  if (baseline === candidate) {
    push(result.baseline, { text: baseline, changed: false });
    push(result.candidate, { text: candidate, changed: false });
    return result;
  }
  const end = performance.now() + patience;
  const parts = partsOf(words(baseline), words(candidate), end - patience / 2);
  if (parts !== null) addParts(result, parts);
  else addLines(result, partsOf(lines(baseline), lines(candidate), end) ?? apart(baseline, candidate), end);
  return result;
}

interface Part {
  value: string[];
  added: boolean;
  removed: boolean;
}

/** Null: they are too long, or there was no time for it. */
function partsOf(left: string[], right: string[], end: number): Part[] | null {
  if (left.length + right.length > mostTokens) return null;
  return diffArrays(left, right, { timeout: Math.max(1, end - performance.now()) }) ?? null;
}

function apart(left: string, right: string): Part[] {
  return [
    { value: [left], added: false, removed: true },
    { value: [right], added: true, removed: false },
  ];
}

/** Lines that differ are compared word by word, as long as there is time. */
function addLines(result: TextDiff, parts: Part[], end: number): void {
  for (let at = 0; at < parts.length; at++) {
    const [part, next] = [parts[at], parts[at + 1]];
    if (part === undefined) continue;
    if (!part.removed || next?.added !== true) {
      addParts(result, [part]);
      continue;
    }
    const finer = partsOf(words(part.value.join("")), words(next.value.join("")), end);
    result.gaveUp ||= finer === null;
    addParts(result, finer ?? [part, next]);
    at += 1;
  }
}

function addParts(result: TextDiff, parts: Part[]): void {
  for (const [index, part] of parts.entries()) {
    const text = part.value.join("");
    if (!part.added && !part.removed) {
      // White space and punctuation alone between two changes would only make them hard to read.
      const alone = /^[\s\p{P}]{0,3}$/u.test(text) && isChange(parts[index - 1]) && isChange(parts[index + 1]);
      push(result.baseline, { text, changed: alone });
      push(result.candidate, { text, changed: alone });
    } else {
      push(part.added ? result.candidate : result.baseline, { text, changed: true });
    }
  }
}

function isChange(part: Part | undefined): boolean {
  return part !== undefined && (part.added || part.removed);
}

function push(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.changed === piece.changed) last.text += piece.text;
  else pieces.push({ ...piece });
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** No word goes over the end of a line. */
function words(text: string): string[] {
  return lines(text).flatMap((line) => Array.from(segmenter.segment(line), ({ segment }) => segment));
}

function lines(text: string): string[] {
  return text.split(/(?<=\n)/);
}

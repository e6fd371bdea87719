import { diffArrays } from "diff";
import { normalise } from "../../../text/normalise.ts";

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

/**
 * Number of words above which answers are compared line by line first: nobody waits for every word, and the page must
 * not stand still.
 */
const mostTokens = 20_000;
/** Milliseconds, for all parts of an answer together. */
const patience = 250;

/**
 * Finds the words in which two texts differ. Words are divided by the language's rules (Unicode segmentation, with
 * dictionaries for scripts without spaces), so a piece never begins inside a grapheme, a Hindi syllable or a family of
 * emoji. They are compared as the comparison does it, so that another way to write the same letters (NFC, NFD) or
 * another space is no difference; they are shown as they were written.
 */
export function textDiff(baseline: string, candidate: string): TextDiff {
  const result: TextDiff = { baseline: [], candidate: [], gaveUp: false };
  if (normalise(baseline) === normalise(candidate)) {
    addParts(result, [{ left: baseline, right: candidate, isChange: false }]);
    return result;
  }
  const end = performance.now() + patience;
  const first = end - patience / 2;
  const parts = partsOf(words(baseline, first), words(candidate, first), first);
  if (parts !== null) addParts(result, parts);
  else addLines(result, partsOf(lines(baseline), lines(candidate), end) ?? apart(baseline, candidate), end);
  return result;
}

/** A stretch that both texts have, each in its own spelling; or, as a change, a stretch that one of them has. */
interface Part {
  left: string;
  right: string;
  isChange: boolean;
}

/** Null: they are too long, or there was no time for it. */
function partsOf(left: string[] | null, right: string[] | null, end: number): Part[] | null {
  if (left === null || right === null || left.length + right.length > mostTokens) return null;
  const timeout = Math.max(1, end - performance.now());
  const found = diffArrays(left.map(normalise), right.map(normalise), { timeout });
  if (found === undefined) return null;
  let [from, to] = [0, 0];
  return found.map(({ value: { length }, added, removed }) => {
    const own = added ? "" : left.slice(from, from + length).join("");
    const other = removed ? "" : right.slice(to, to + length).join("");
    if (!added) from += length;
    if (!removed) to += length;
    return { left: own, right: other, isChange: added || removed };
  });
}

function apart(left: string, right: string): Part[] {
  return [
    { left, right: "", isChange: true },
    { left: "", right, isChange: true },
  ];
}

/** Lines that differ are compared word by word, as long as there is time. */
function addLines(result: TextDiff, parts: Part[], end: number): void {
  for (let at = 0; at < parts.length; at++) {
    const [part, next] = [parts[at], parts[at + 1]];
    if (part === undefined) continue;
    if (!part.isChange || next === undefined || part.left === "" || next.right === "") {
      addParts(result, [part]);
      continue;
    }
    const finer = partsOf(words(part.left, end), words(next.right, end), end);
    result.gaveUp ||= finer === null;
    addParts(result, finer ?? [part, next]);
    at += 1;
  }
}

function addParts(result: TextDiff, parts: Part[]): void {
  for (const [index, { left, right, isChange }] of parts.entries()) {
    // White space and punctuation alone between two changes would only make them hard to read.
    const isBetween = parts[index - 1]?.isChange === true && parts[index + 1]?.isChange === true;
    const changed = isChange || (isBetween && /^[\s\p{P}]{0,3}$/u.test(left));
    push(result.baseline, { text: left, changed });
    push(result.candidate, { text: right, changed });
  }
}

function push(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.changed === piece.changed) last.text += piece.text;
  else if (piece.text !== "") pieces.push({ ...piece });
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/**
 * No word goes over the end of a line; all the space between two words is one of them, and unseen marks go with what
 * follows. Null: there are too many, or there was no time for it.
 */
function words(text: string, end: number): string[] | null {
  const found: string[] = [];
  let [isBlank, hasSpace] = [false, false];
  let steps = 0;
  for (const line of lines(text)) {
    for (const { segment } of segmenter.segment(line)) {
      const [wasBlank, hadSpace] = [isBlank, hasSpace];
      isBlank = normalise(segment) === "";
      const goesOn = wasBlank && (isBlank || !hadSpace);
      hasSpace = isBlank && ((goesOn && hadSpace) || space.test(segment));
      if (goesOn) found[found.length - 1] += segment;
      else found.push(segment);
      if (found.length > mostTokens || (++steps % stepsAtOnce === 0 && performance.now() > end)) return null;
    }
  }
  return found;
}

/**
 * Number of segments between two looks at the clock: a long row of some invisible characters takes longer and longer to
 * divide.
 */
const stepsAtOnce = 256;

/** A byte order mark counts as space in patterns, and is none. */
const space = /[^\S\ufeff]/;

function lines(text: string): string[] {
  return text.split(/(?<=\n)/);
}

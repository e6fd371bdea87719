import { diffArrays } from "diff";
import { normalise } from "../../../text/normalise.ts";

/**
 * A stretch that both texts have, each in its own spelling; or, where it is changed, what each has in that place, which
 * may be nothing.
 */
export interface TextPart {
  left: string;
  right: string;
  changed: boolean;
}

export interface TextDiff {
  /** Changed parts and those that are alike, in turn. */
  parts: TextPart[];
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
  const result: TextDiff = { parts: [], gaveUp: false };
  if (normalise(baseline) === normalise(candidate)) {
    addParts(result, [{ left: baseline, right: candidate, changed: false }]);
    return result;
  }
  const end = performance.now() + patience;
  const first = end - patience / 2;
  const parts = partsOf(words(baseline, first), words(candidate, first), first);
  if (parts !== null) addParts(result, parts);
  else addLines(result, partsOf(lines(baseline), lines(candidate), end) ?? apart(baseline, candidate), end);
  return result;
}

/** Null: they are too long, or there was no time for it. */
function partsOf(left: string[] | null, right: string[] | null, end: number): TextPart[] | null {
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
    return { left: own, right: other, changed: added || removed };
  });
}

function apart(left: string, right: string): TextPart[] {
  return [
    { left, right: "", changed: true },
    { left: "", right, changed: true },
  ];
}

/** Lines that differ are compared word by word, as long as there is time. */
function addLines(result: TextDiff, parts: TextPart[], end: number): void {
  for (let at = 0; at < parts.length; at++) {
    const [part, next] = [parts[at], parts[at + 1]];
    if (part === undefined) continue;
    if (!part.changed || next === undefined || part.left === "" || next.right === "") {
      addParts(result, [part]);
      continue;
    }
    const finer = partsOf(words(part.left, end), words(next.right, end), end);
    result.gaveUp ||= finer === null;
    addParts(result, finer ?? [part, next]);
    at += 1;
  }
}

function addParts(result: TextDiff, parts: TextPart[]): void {
  for (const [index, part] of parts.entries()) {
    // White space and punctuation alone between two changes would only make them hard to read.
    const isBetween = parts[index - 1]?.changed === true && parts[index + 1]?.changed === true;
    push(result.parts, { ...part, changed: part.changed || (isBetween && /^[\s\p{P}]{0,3}$/u.test(part.left)) });
  }
}

function push(parts: TextPart[], part: TextPart): void {
  const last = parts.at(-1);
  if (last === undefined || last.changed !== part.changed) {
    if (part.left !== "" || part.right !== "") parts.push({ ...part });
    return;
  }
  last.left += part.left;
  last.right += part.right;
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

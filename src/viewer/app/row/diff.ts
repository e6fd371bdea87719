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

/** Number of words that are compared with each other: nobody waits for more, and the page must not stand still. */
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
  const [before, after] = commonEnds(baseline, candidate);
  const alike = (from: number, to?: number): TextPart => {
    const text = baseline.slice(from, to);
    return { left: text, right: text, changed: false };
  };
  addParts(result, [alike(0, before)]);
  const middle = [baseline, candidate].map((text) => text.slice(before, text.length - after));
  addCompared(result, { left: middle[0] ?? "", right: middle[1] ?? "", changed: true }, { divisions, end });
  addParts(result, [alike(baseline.length - after)]);
  return result;
}

/** Texts up to here are compared from end to end: their words are few. */
const longEnds = 4_000;

/**
 * Number of characters that both texts begin and end with, up to whole words: one sentence that only one of them has
 * leaves little to compare, however long they are.
 */
function commonEnds(left: string, right: string): [before: number, after: number] {
  const most = Math.min(left.length, right.length);
  if (most < longEnds) return [0, 0];
  let before = 0;
  while (before < most && left[before] === right[before]) before++;
  before = Math.min(wordStart(left, before), wordStart(right, before));
  let after = 0;
  while (after < most - before && left.at(-1 - after) === right.at(-1 - after)) after++;
  const from = [left, right].map((text) => text.length - wordStart(text, text.length - after));
  return [before, Math.min(...from.map((each) => (each > after ? 0 : each)))];
}

/** Divides a text; null: into too many pieces, or there was no time for it. */
interface Division {
  divide: (text: string, end: number) => string[] | null;
  /** It tells something of these texts. */
  fits: (left: string, right: string) => boolean;
}

/** The coarsest first: lines and sentences that both have keep their places, and those that differ are divided further. */
const divisions: readonly Division[] = [
  { divide: paragraphs, fits: (left, right) => left.includes("\n") && right.includes("\n") },
  { divide: sentences, fits: (left, right) => left.length + right.length > mostTokens },
  { divide: words, fits: () => true },
];

/** Compares two texts that differ, in pieces that become smaller as long as there is time. */
function addCompared(
  result: TextDiff,
  part: TextPart,
  { divisions: [division, ...finer], end }: { divisions: readonly Division[]; end: number },
): void {
  const { left, right } = part;
  if (left === "" || right === "") return addParts(result, [part]);
  if (division === undefined) {
    result.gaveUp = true;
    return addParts(result, apart(left, right));
  }
  const soon = (performance.now() + end) / 2;
  const { divide, fits } = division;
  const parts = fits(left, right) ? partsOf(divide(left, soon), divide(right, soon), soon) : null;
  if (parts === null) return addCompared(result, part, { divisions: finer, end });
  if (finer.length === 0) return addParts(result, parts);
  for (let at = 0; at < parts.length; at++) {
    const [here, next] = [parts[at], parts[at + 1]];
    if (here === undefined) continue;
    if (!here.changed || next?.changed !== true || here.left === "" || next.right === "") {
      addParts(result, [here]);
      continue;
    }
    addCompared(result, { left: here.left, right: next.right, changed: true }, { divisions: finer, end });
    at += 1;
  }
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

/** Lines, each with the empty ones after it: these are alike everywhere, and would set apart what belongs together. */
function paragraphs(text: string): string[] {
  return text.split(/(?<=\n)(?=[^\n]*\S)/);
}

const sentenceSegmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });

function sentences(text: string): string[] {
  return Array.from(sentenceSegmenter.segment(text), ({ segment }) => segment);
}

/** Finds the start of the word at a place; a piece of the text around it is enough to know. */
export function wordStart(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  const from = Math.max(0, at - 200);
  const word = segmenter.segment(text.slice(from, at + 200)).containing(at - from);
  return from + (word?.index ?? 0);
}

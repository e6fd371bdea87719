import { commonSubsequence, editDistance, type EditUnit } from "./edit-distance.ts";
import { mostUnits, editUnitsOf } from "./units.ts";

/** A measure of two texts; `cut` when only their beginnings were compared. */
export interface Measured {
  value: number;
  cut: boolean;
}

/**
 * Edits in relation to a reference. `rate` is null when the reference is empty and the hypothesis is not: no number
 * expresses that.
 */
export interface ErrorRate {
  edits: number;
  /** Units of the reference. */
  length: number;
  rate: number | null;
  cut: boolean;
}

/** Precision, recall and their harmonic mean, each 0 to 1. */
export interface Overlap {
  precision: number;
  recall: number;
  f1: number;
}

/**
 * 1 - edits / length of the longer text, over characters as a reader counts them or over code points: 1 for equal
 * texts (two empty ones too), 0 where nothing stays.
 */
export function editSimilarity(a: string, b: string, unit: EditUnit = "graphemes"): Measured {
  const [one, other] = [editUnitsOf(a, unit), editUnitsOf(b, unit)];
  const cut = one.cut || other.cut;
  const longest = Math.max(one.units.length, other.units.length);
  return { value: longest === 0 ? 1 : 1 - editDistance(one.units, other.units) / longest, cut };
}

/** Edits for each unit of the reference; may exceed 1. Words give the word error rate, characters the character error rate. */
export function errorRate(hypothesis: string, reference: string, unit: EditUnit): ErrorRate {
  const [said, meant] = [editUnitsOf(hypothesis, unit), editUnitsOf(reference, unit)];
  const edits = editDistance(said.units, meant.units);
  return { edits, length: meant.units.length, rate: rateOf(edits, meant.units.length), cut: said.cut || meant.cut };
}

/** ROUGE-1, ROUGE-2 ...: n-grams of words that both have, each counted as often as in the one that has fewer. */
export function rougeN(hypothesis: readonly string[], reference: readonly string[], size: number): Overlap {
  const [said, meant] = [gramsOf(hypothesis, size), gramsOf(reference, size)];
  if (said.length === 0 && meant.length === 0) return overlap(sameList(hypothesis, reference) ? 1 : 0, 1, 1);
  return overlap(sharedCount(said, meant), said.length, meant.length);
}

/** ROUGE-L: the longest common subsequence of words. */
export function rougeL(hypothesis: readonly string[], reference: readonly string[]): Overlap {
  if (hypothesis.length === 0 && reference.length === 0) return overlap(1, 1, 1);
  return overlap(commonSubsequence(hypothesis, reference), hypothesis.length, reference.length);
}

/** Number of words that two lists share, each as often as in the one that has fewer of it. */
export function sharedCount(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const each of b) left.set(each, (left.get(each) ?? 0) + 1);
  let shared = 0;
  for (const each of a) {
    const count = left.get(each) ?? 0;
    if (count === 0) continue;
    left.set(each, count - 1);
    shared++;
  }
  return shared;
}

/** The overlap by what is shared and how much each side has; nothing shared is 0, never 0/0. */
export function overlap(shared: number, said: number, meant: number): Overlap {
  if (shared === 0) return { precision: 0, recall: 0, f1: 0 };
  const [precision, recall] = [shared / said, shared / meant];
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

/** Words beyond this many are not looked at. */
export const mostWords = mostUnits.words;

function rateOf(edits: number, length: number): number | null {
  if (length === 0) return edits === 0 ? 0 : null;
  return edits / length;
}

function gramsOf(list: readonly string[], size: number): string[] {
  if (size === 1) return [...list];
  return Array.from({ length: Math.max(0, list.length - size + 1) }, (_, i) => list.slice(i, i + size).join("\u0000"));
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, i) => each === b[i]);
}

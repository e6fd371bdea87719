import { letterCount, type Spelled } from "./spelled.ts";

/** The different grams of the reference of one order, by numbers from 1. */
interface Grams {
  known: number;
  /** Number of times that each was met in the reference and not yet in the hypothesis, and whether it was met there. */
  met: Int32Array;
}

/** Mark of a gram that is in the hypothesis. */
const shared = 1 << 30;
const counted = shared - 1;

let now: Grams = { known: 0, met: new Int32Array(1024) };
/** Those of the order before, of which all are the beginnings of these. */
let before: Grams = { known: 0, met: new Int32Array(1024) };

/**
 * Finds a gram by the number of the gram one shorter that it begins with, and the letter that follows it. A table with a
 * place for each such pair is looked up fastest; of long texts, which have too many, the places are shared by a hash.
 */
const table = {
  /** Letters have numbers below this. */
  width: 1,
  isHashed: false,
  /** Numbers of grams above `base`; what is not above it was left by others. So nothing has to be cleared. */
  slots: new Int32Array(1 << 16),
  base: 0,
  /** Beginning and last letter of each gram. */
  prefixes: new Int32Array(1024),
  letters: new Int32Array(1024),
};

/** Makes the table ready for two texts. */
export function startGrams(hypothesis: Spelled, reference: Spelled): void {
  table.width = letterCount();
  const room = reference.to - reference.from + 1;
  if (now.met.length < room) {
    now.met = new Int32Array(room * 2);
    before.met = new Int32Array(room * 2);
    table.prefixes = new Int32Array(room * 2);
    table.letters = new Int32Array(room * 2);
  }
  table.base += now.known;
  // Before the first letter all is alike. The place behind the last is looked at too.
  now.known = 1;
  now.met[1] = shared;
  hypothesis.ids.fill(1, hypothesis.from, hypothesis.to + 1);
  reference.ids.fill(1, reference.from, reference.to + 1);
}

/** Counts the grams of an order in the reference, but for those that hold one of which none is in the hypothesis. */
export function countReference(reference: Spelled, order: number): void {
  nextOrder(reference.to - reference.from);
  if (table.isHashed) countHashed(reference, order);
  else countByPlace(reference, order);
}

/**
 * Counts by a table with a place for each pair. Nobody could foresee which gram is new or in the other text, so that
 * branches cost more than all else: numbers of 0 or 1 stand in their place, and gram 0 and slot 0 take what is none.
 */
function countByPlace({ from, to, letters, ids }: Spelled, order: number): void {
  const { met } = now;
  const { met: metBefore } = before;
  const { slots, width, base } = table;
  let known = 0;
  let prefix = ids[from] ?? 0;
  let isShared = (metBefore[prefix] ?? 0) >>> 30;
  for (let i = from; i + order <= to; i++) {
    const next = ids[i + 1] ?? 0;
    const isNextShared = (metBefore[next] ?? 0) >>> 30;
    const isGram = isShared & isNextShared;
    const slot = (Math.imul(prefix, width) + (letters[i + order - 1] ?? 0)) & -isGram;
    const found = (slots[slot] ?? 0) - base;
    const isOld = isAny(found);
    const isNew = isGram & (1 - isOld);
    known += isNew;
    const id = (found & -isOld) | (known & -isNew);
    slots[slot] = base + id;
    met[id] = ((met[id] ?? 0) & -isOld) + isGram;
    ids[i] = id;
    prefix = next;
    isShared = isNextShared;
  }
  met[0] = 0;
  now.known = known;
}

/** 1 for a number above 0, else 0. */
function isAny(number: number): number {
  return (0 - number) >>> 31;
}

function countHashed({ from, to, letters, ids }: Spelled, order: number): void {
  const { met } = now;
  const { met: metBefore } = before;
  const { slots, base, prefixes, letters: last } = table;
  let known = 0;
  for (let i = from; i + order <= to; i++) {
    const prefix = ids[i] ?? 0;
    const isGram = (metBefore[prefix] ?? 0) & (metBefore[ids[i + 1] ?? 0] ?? 0) & shared;
    ids[i] = 0;
    if (isGram === 0) continue;
    const letter = letters[i + order - 1] ?? 0;
    const slot = hashedSlot(prefix, letter);
    let id = (slots[slot] ?? 0) - base;
    if (id <= 0) {
      id = ++known;
      slots[slot] = base + id;
      prefixes[id] = prefix;
      last[id] = letter;
      met[id] = 0;
    }
    met[id] = (met[id] ?? 0) + 1;
    ids[i] = id;
  }
  met[0] = 0;
  now.known = known;
}

/** Counts how many grams of the hypothesis meet one of the reference, each of which is met at most once. */
export function meetHypothesis({ from, to, letters, ids }: Spelled, order: number): number {
  const { met } = now;
  const { slots, width, base, isHashed } = table;
  let matches = 0;
  let prefix = ids[from] ?? 0;
  for (let i = from; i + order <= to; i++) {
    const next = ids[i + 1] ?? 0;
    const isGram = isAny(prefix) & isAny(next);
    const letter = letters[i + order - 1] ?? 0;
    const slot = isHashed ? (isGram === 0 ? 0 : hashedSlot(prefix, letter)) : Math.imul(prefix, width) + letter;
    const found = (slots[slot] ?? 0) - base;
    const id = found & -(isGram & isAny(found));
    ids[i] = id;
    const more = met[id] ?? 0;
    const isMet = isAny(more & counted);
    met[id] = (more - isMet) | (isAny(id) << 30);
    matches += isMet;
    prefix = next;
  }
  return matches;
}

/** Makes the table ready for the next order, whose grams begin with those that are known. */
function nextOrder(length: number): void {
  [now, before] = [before, now];
  table.base += before.known;
  table.isHashed = (before.known + 1) * table.width > smallest;
  let size = table.slots.length;
  // It stays at most half full, so that a search ends soon.
  while (table.isHashed && size < length * 2) size *= 2;
  if (size === table.slots.length && table.base < shared) return;
  table.slots = new Int32Array(size);
  table.base = 0;
}

/** Size of a table that stays in the cache of a processor. */
const smallest = 1 << 16;

/** The slot that holds a gram, or the free one where it belongs. */
function hashedSlot(prefix: number, letter: number): number {
  const { slots, base, prefixes, letters } = table;
  const mask = slots.length - 1;
  let hash = Math.imul(prefix ^ Math.imul(letter, 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 15;
  let slot = hash & mask;
  for (let id = (slots[slot] ?? 0) - base; id > 0; id = (slots[slot] ?? 0) - base) {
    if (prefixes[id] === prefix && letters[id] === letter) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

import { letterCount, type Spelled } from "./spelled.ts";

/** The different grams of the reference of one order, by numbers from 1. */
const grams = {
  known: 0,
  /** Number of times that each was met in the reference and not yet in the hypothesis. */
  left: new Int32Array(1024),
  /** 1: it is in the hypothesis. */
  shared: new Uint8Array(1024),
};

/**
 * Finds a gram by the number of the gram one shorter that it begins with, and the letter that follows it. A table with a
 * place for each such pair is looked up fastest; of long texts, which have too many, the places are shared by a hash.
 */
const table = {
  /** Letters have numbers below this. */
  width: 1,
  isHashed: false,
  /** Numbers of grams; 0: none. */
  slots: new Int32Array(1 << 16),
  /** Slot, beginning and last letter of each gram. */
  taken: new Int32Array(1024),
  prefixes: new Int32Array(1024),
  letters: new Int32Array(1024),
};

/** Makes the table ready for two texts. */
export function startGrams(hypothesis: Spelled, reference: Spelled): void {
  freeSlots();
  table.width = letterCount();
  // Before the first letter all is alike.
  grams.known = 1;
  hypothesis.ids.fill(1, hypothesis.from, hypothesis.to);
  reference.ids.fill(1, reference.from, reference.to);
  const room = reference.to - reference.from + 1;
  if (grams.left.length >= room) return;
  grams.left = new Int32Array(room * 2);
  grams.shared = new Uint8Array(room * 2);
  table.taken = new Int32Array(room * 2);
  table.prefixes = new Int32Array(room * 2);
  table.letters = new Int32Array(room * 2);
}

/** Counts the grams of an order in the reference. */
export function countReference({ from, to, letters, ids }: Spelled, order: number): void {
  const { left, shared } = grams;
  clearTable(to - from);
  const { slots, taken, prefixes, letters: last } = table;
  let known = 0;
  for (let i = from; i + order <= to; i++) {
    const prefix = ids[i] ?? 0;
    // A gram whose end is not in the other text is not in it either.
    if (prefix === 0 || (order > 1 && ids[i + 1] === 0)) {
      ids[i] = 0;
      continue;
    }
    const letter = letters[i + order - 1] ?? 0;
    const slot = slotOf(prefix, letter);
    let id = slots[slot] ?? 0;
    if (id === 0) {
      id = ++known;
      slots[slot] = id;
      taken[id] = slot;
      prefixes[id] = prefix;
      last[id] = letter;
      left[id] = 0;
      shared[id] = 0;
    }
    left[id] = (left[id] ?? 0) + 1;
    ids[i] = id;
  }
  grams.known = known;
}

/** Counts how many grams of the hypothesis meet one of the reference, each of which is met at most once. */
export function meetHypothesis({ from, to, letters, ids }: Spelled, order: number): number {
  const { left, shared } = grams;
  const { slots } = table;
  let matches = 0;
  for (let i = from; i + order <= to; i++) {
    const prefix = ids[i] ?? 0;
    if (prefix === 0) continue;
    const letter = letters[i + order - 1] ?? 0;
    const id = order > 1 && ids[i + 1] === 0 ? 0 : (slots[slotOf(prefix, letter)] ?? 0);
    ids[i] = id;
    if (id === 0) continue;
    shared[id] = 1;
    const more = left[id] ?? 0;
    if (more === 0) continue;
    left[id] = more - 1;
    matches++;
  }
  return matches;
}

/** Leaves the grams of the reference out that the hypothesis does not have. */
export function leaveShared({ from, to, ids }: Spelled, order: number): void {
  const { shared } = grams;
  for (let i = from; i + order <= to; i++) if (shared[ids[i] ?? 0] === 0) ids[i] = 0;
}

/** Makes the table ready for the next order, whose grams begin with those that are known. */
function clearTable(length: number): void {
  freeSlots();
  table.isHashed = (grams.known + 1) * table.width > smallest;
  if (!table.isHashed) return;
  let size = smallest;
  // It stays at most half full, so that a search ends soon.
  while (size < length * 2) size *= 2;
  if (size > table.slots.length) table.slots = new Int32Array(size);
}

function freeSlots(): void {
  const { slots, taken } = table;
  for (let id = 1; id <= grams.known; id++) slots[taken[id] ?? 0] = 0;
}

/** Size of a table that stays in the cache of a processor. */
const smallest = 1 << 16;

/** The slot that holds a gram, or the free one where it belongs. */
function slotOf(prefix: number, letter: number): number {
  if (!table.isHashed) return prefix * table.width + letter;
  const { slots, prefixes, letters } = table;
  const mask = slots.length - 1;
  let hash = Math.imul(prefix ^ Math.imul(letter, 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 15;
  let slot = hash & mask;
  for (let id = slots[slot] ?? 0; id !== 0; id = slots[slot] ?? 0) {
    if (prefixes[id] === prefix && letters[id] === letter) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

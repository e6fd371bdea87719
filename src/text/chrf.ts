/**
 * Number of first characters by which longer texts are compared, so that one monstrous answer cannot exhaust memory.
 */
export const chrfLongest = 200_000;

const longestGram = 6;
const beta2 = 4;

/**
 * chrF2 (Popović 2015) of a hypothesis against a reference, on a scale of 0 to 100: n-grams of 1 to 6 characters (code
 * points after NFC, white space dropped), precision and recall averaged over the orders that both texts have, beta 2.
 * Equal texts, two empty ones too, give 100; an empty one against any other gives 0.
 */
export function chrf2(hypothesis: string, reference: string): number {
  if (hypothesis === reference) return 100;
  const hypothesisLength = read(hypothesis, hypothesisText);
  const referenceLength = read(reference, referenceText);
  if (hypothesisLength === 0 || referenceLength === 0) return hypothesisLength === referenceLength ? 100 : 0;
  const orders = Math.min(longestGram, hypothesisLength, referenceLength);
  const shared = dropShared(hypothesisLength, referenceLength);
  let precision = 0;
  let recall = 0;
  for (let order = 1; order <= orders; order++) {
    const matches = shared + countMatches(order, hypothesisLength - shared, referenceLength - shared);
    // If no gram of an order is shared, no longer one is.
    if (matches === 0) break;
    precision += matches / (hypothesisLength - order + 1);
    recall += matches / (referenceLength - order + 1);
  }
  if (precision === 0) return 0;
  return (100 * ((1 + beta2) * (precision / orders) * (recall / orders))) / ((beta2 * precision + recall) / orders);
}

/** The code points of a text and, for the order at hand, a number for the gram that starts at each place. */
interface Grams {
  points: Int32Array;
  /** -1: this gram of the hypothesis is not in the reference. */
  ids: Int32Array;
}

const hypothesisText: Grams = { points: new Int32Array(1024), ids: new Int32Array(1024) };
const referenceText: Grams = { points: new Int32Array(1024), ids: new Int32Array(1024) };

/** Stores the code points of a text without white space; returns their number. */
function read(text: string, into: Grams): number {
  const composed = text.normalize("NFC");
  const room = Math.min(composed.length, chrfLongest);
  if (into.points.length < room) {
    into.points = new Int32Array(room * 2);
    into.ids = new Int32Array(room * 2);
  }
  const { points, ids } = into;
  let length = 0;
  for (let i = 0; i < composed.length && length < room; i++) {
    const point = composed.codePointAt(i) ?? 0;
    if (point > 0xffff) i++;
    if (isWhiteSpace(point)) continue;
    points[length] = point;
    ids[length] = 0;
    length++;
  }
  return length;
}

/**
 * Drops what both texts begin and end with, but for the characters that a gram at its edge may hold, and returns its length:
 * so many grams of each order are in both. Every other gram keeps its place, so the result is the same as without it.
 */
function dropShared(hypothesisLength: number, referenceLength: number): number {
  const [one, other] = [hypothesisText.points, referenceText.points];
  const shortest = Math.min(hypothesisLength, referenceLength);
  let start = 0;
  while (start < shortest && one[start] === other[start]) start++;
  let end = 0;
  while (end < shortest - start && one[hypothesisLength - 1 - end] === other[referenceLength - 1 - end]) end++;
  const head = Math.max(0, start - longestGram + 1);
  if (head > 0) {
    one.copyWithin(0, head, hypothesisLength);
    other.copyWithin(0, head, referenceLength);
  }
  return head + Math.max(0, end - longestGram + 1);
}

/** The characters that `\s` means. */
function isWhiteSpace(point: number): boolean {
  if (point <= 0x20) return point === 0x20 || (point >= 0x09 && point <= 0x0d);
  if (point < 0x1680) return point === 0xa0;
  return (
    (point >= 0x2000 && point <= 0x200a) ||
    point === 0x1680 ||
    point === 0x2028 ||
    point === 0x2029 ||
    point === 0x202f ||
    point === 0x205f ||
    point === 0x3000 ||
    point === 0xfeff
  );
}

/**
 * One open-addressed hash table, used again for every order of every pair. A gram's key is exact: the slot of the gram
 * one shorter (unique within its order) and the character that follows it. `round` tells live slots from stale ones.
 */
const table = {
  size: 0,
  round: 0,
  rounds: new Int32Array(0),
  prefixes: new Int32Array(0),
  points: new Int32Array(0),
  counts: new Int32Array(0),
};

/** Counts the reference's grams of an order, and how many of the hypothesis's grams meet one of them (each at most once). */
function countMatches(order: number, hypothesisLength: number, referenceLength: number): number {
  clearTable(referenceLength);
  const { points, ids } = referenceText;
  for (let i = 0; i + order <= referenceLength; i++) {
    const slot = slotOf(ids[i] ?? 0, points[i + order - 1] ?? 0);
    if (table.rounds[slot] === table.round) table.counts[slot] = (table.counts[slot] ?? 0) + 1;
    else claim(slot, ids[i] ?? 0, points[i + order - 1] ?? 0);
    ids[i] = slot;
  }
  return consumeMatches(order, hypothesisLength);
}

function consumeMatches(order: number, length: number): number {
  const { points, ids } = hypothesisText;
  let matches = 0;
  for (let i = 0; i + order <= length; i++) {
    const prefix = ids[i] ?? -1;
    if (prefix === -1) continue;
    const slot = slotOf(prefix, points[i + order - 1] ?? 0);
    if (table.rounds[slot] !== table.round) {
      ids[i] = -1;
      continue;
    }
    ids[i] = slot;
    const left = table.counts[slot] ?? 0;
    if (left === 0) continue;
    table.counts[slot] = left - 1;
    matches++;
  }
  return matches;
}

/** The table stays at most half full, so that a search ends soon. */
function clearTable(grams: number): void {
  let size = Math.max(table.size, 2048);
  while (size < grams * 2) size *= 2;
  if (size !== table.size || table.round === 0x7fffffff) {
    table.size = size;
    table.round = 0;
    table.rounds = new Int32Array(size);
    table.prefixes = new Int32Array(size);
    table.points = new Int32Array(size);
    table.counts = new Int32Array(size);
  }
  table.round++;
}

/** The slot that holds a gram, or the free one where it belongs. */
function slotOf(prefix: number, point: number): number {
  const mask = table.size - 1;
  let hash = Math.imul(prefix ^ Math.imul(point, 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 15;
  let slot = hash & mask;
  while (table.rounds[slot] === table.round && (table.prefixes[slot] !== prefix || table.points[slot] !== point)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

function claim(slot: number, prefix: number, point: number): void {
  table.rounds[slot] = table.round;
  table.prefixes[slot] = prefix;
  table.points[slot] = point;
  table.counts[slot] = 1;
}

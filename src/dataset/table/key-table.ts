/** Parts of a table. When one grows, old and new are held at the same time: a 64th of the whole, not all of it. */
const parts = 64;

/**
 * Remembers for each of many texts a number, in 12 bytes instead of the text: open-addressing tables of
 * 64-bit fingerprints. Two different texts share one with a probability of about 3 in 100 million at a million texts.
 */
export class KeyTable {
  readonly #parts: Part[];

  constructor(slots = 1024) {
    this.#parts = Array.from({ length: parts }, () => new Part(Math.max(4, slots / parts)));
  }

  /** The number that the text had before, or null when it is new; it is set to `number` only when it is new. */
  addOnce(text: string, number: number): number | null {
    const part = this.#partOf(text);
    const slot = part.slotOf(high, low);
    const before = part.numbers[slot] ?? 0;
    if (before !== 0) return before - 1;
    part.numbers[slot] = number + 1;
    return null;
  }

  /** Counts a text. Returns its number so far, this time included. */
  count(text: string): number {
    const part = this.#partOf(text);
    const slot = part.slotOf(high, low);
    const count = Math.max(1, part.numbers[slot] ?? 0);
    part.numbers[slot] = count + 1;
    return count;
  }

  #partOf(text: string): Part {
    fingerprint(text);
    const part = this.#parts[high % parts];
    if (part === undefined) throw new Error("a table without parts");
    return part;
  }
}

class Part {
  #size = 0;
  #mask: number;
  #high: Uint32Array;
  #low: Uint32Array;
  /** Stored number plus one; 0 marks a free slot. */
  numbers: Uint32Array;

  constructor(slots: number) {
    this.#mask = slots - 1;
    this.#high = new Uint32Array(slots);
    this.#low = new Uint32Array(slots);
    this.numbers = new Uint32Array(slots);
  }

  /** The slot of a fingerprint; a new one takes a free slot, which its number must mark as taken. */
  slotOf(wantedHigh: number, wantedLow: number): number {
    if (this.#size * 4 > this.#mask * 3) this.#grow();
    const slot = this.#find(wantedHigh, wantedLow);
    if (this.numbers[slot] === 0) {
      this.#high[slot] = wantedHigh;
      this.#low[slot] = wantedLow;
      this.#size++;
    }
    return slot;
  }

  #find(wantedHigh: number, wantedLow: number): number {
    let slot = wantedLow & this.#mask;
    while (this.numbers[slot] !== 0 && (this.#high[slot] !== wantedHigh || this.#low[slot] !== wantedLow)) {
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }

  #grow(): void {
    const [oldHigh, oldLow, oldNumbers] = [this.#high, this.#low, this.numbers];
    const slots = (this.#mask + 1) * 2;
    this.#mask = slots - 1;
    this.#high = new Uint32Array(slots);
    this.#low = new Uint32Array(slots);
    this.numbers = new Uint32Array(slots);
    for (const [i, number] of oldNumbers.entries()) {
      if (number === 0) continue;
      const slot = this.#find(oldHigh[i] ?? 0, oldLow[i] ?? 0);
      this.#high[slot] = oldHigh[i] ?? 0;
      this.#low[slot] = oldLow[i] ?? 0;
      this.numbers[slot] = number;
    }
  }
}

let high = 0;
let low = 0;

/** Two 32-bit halves into `high` and `low`: cyrb53's mixing (public domain, bryc), all 64 bits kept. */
function fingerprint(text: string): void {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  high = b >>> 0;
  low = a >>> 0;
}

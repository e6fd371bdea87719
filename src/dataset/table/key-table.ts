import { hash53 } from "../../lib/random.ts";

/** Remembers a number for each of many texts, by their hashes of 53 bits, in about 20 bytes for each. */
export class KeyTable {
  /** Open addressing: a hash stands in its slot or in the next free one. */
  #hashes = new Float64Array(1_024);
  /** The numbers plus 1; 0 marks a free slot. */
  #numbers = new Uint32Array(1_024);
  #size = 0;

  /** The number that the text had before, or null when it is new; it is set to `number` only when it is new. */
  addOnce(text: string, number: number): number | null {
    const slot = this.#slotOf(hash53(text));
    const before = this.#numbers[slot] ?? 0;
    if (before === 0) this.#numbers[slot] = number + 1;
    return before === 0 ? null : before - 1;
  }

  /** Counts a text. Returns its number so far, this time included. */
  count(text: string): number {
    const slot = this.#slotOf(hash53(text));
    const count = Math.max(1, this.#numbers[slot] ?? 0);
    this.#numbers[slot] = count + 1;
    return count;
  }

  /** The slot of a hash; a new one takes it. */
  #slotOf(hash: number): number {
    if (this.#size * 4 > this.#hashes.length * 3) this.#grow();
    const slot = this.#find(hash);
    if (this.#numbers[slot] === 0) {
      this.#hashes[slot] = hash;
      this.#size++;
    }
    return slot;
  }

  #find(hash: number): number {
    const last = this.#hashes.length - 1;
    let slot = hash % this.#hashes.length;
    while (this.#numbers[slot] !== 0 && this.#hashes[slot] !== hash) slot = slot === last ? 0 : slot + 1;
    return slot;
  }

  #grow(): void {
    const [hashes, numbers] = [this.#hashes, this.#numbers];
    this.#hashes = new Float64Array(hashes.length * 2);
    this.#numbers = new Uint32Array(hashes.length * 2);
    for (const [i, number] of numbers.entries()) {
      if (number === 0) continue;
      const hash = hashes[i] ?? 0;
      const slot = this.#find(hash);
      this.#hashes[slot] = hash;
      this.#numbers[slot] = number;
    }
  }
}

import { hash53 } from "../../lib/random.ts";

/** Remembers a number for each of many texts, by their hashes of 53 bits. */
export class KeyTable {
  readonly #numbers = new Map<number, number>();

  /** The number that the text had before, or null when it is new; it is set to `number` only when it is new. */
  addOnce(text: string, number: number): number | null {
    const key = hash53(text);
    const before = this.#numbers.get(key) ?? null;
    if (before === null) this.#numbers.set(key, number);
    return before;
  }

  /** Counts a text. Returns its number so far, this time included. */
  count(text: string): number {
    const key = hash53(text);
    const count = (this.#numbers.get(key) ?? 0) + 1;
    this.#numbers.set(key, count);
    return count;
  }
}

/** Lengths of many texts, in characters (code points). */
export interface Lengths {
  texts: number;
  /** Exact up to 2,000; beyond within 1 %. 0 without texts. */
  median: number;
  p95: number;
  max: number;
}

const exact = 2_000;
const step = Math.log(1.01);

/** Counts lengths in a table of fixed size. */
export class LengthCounts {
  readonly #counts = new Uint32Array(exact + 1_500);
  #texts = 0;
  #max = 0;

  add(text: string): void {
    const length = lengthOf(text);
    this.#texts++;
    this.#max = Math.max(this.#max, length);
    const slot = length <= exact ? length : exact + Math.ceil(Math.log(length / exact) / step);
    const last = Math.min(slot, this.#counts.length - 1);
    this.#counts[last] = (this.#counts[last] ?? 0) + 1;
  }

  get lengths(): Lengths {
    return { texts: this.#texts, median: this.#at(0.5), p95: this.#at(0.95), max: this.#max };
  }

  /** The length that this share of the texts does not exceed. */
  #at(share: number): number {
    let left = Math.ceil(this.#texts * share);
    if (left === 0) return 0;
    for (const [slot, count] of this.#counts.entries()) {
      left -= count;
      if (left > 0) continue;
      return slot <= exact ? slot : Math.min(this.#max, Math.round(exact * Math.exp((slot - exact) * step)));
    }
    return this.#max;
  }
}

function lengthOf(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) pairs++;
  return text.length - pairs;
}

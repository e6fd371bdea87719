/** Numbers of one chunk. */
const chunkSize = 65_536;

/** A list of numbers that grows without being copied, in 8 bytes for each. */
export class NumberColumn {
  readonly #chunks: Float64Array[] = [];
  length = 0;

  push(value: number): void {
    if (this.length === this.#chunks.length * chunkSize) this.#chunks.push(new Float64Array(chunkSize));
    const chunk = this.#chunks.at(-1);
    if (chunk !== undefined) chunk[this.length % chunkSize] = value;
    this.length++;
  }

  /** The number at a place; 0 behind the end. */
  at(place: number): number {
    return this.#chunks[Math.floor(place / chunkSize)]?.[place % chunkSize] ?? 0;
  }

  set(place: number, value: number): void {
    const chunk = this.#chunks[Math.floor(place / chunkSize)];
    if (chunk !== undefined) chunk[place % chunkSize] = value;
  }
}

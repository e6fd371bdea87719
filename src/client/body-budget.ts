/** A response that is being read. It must not read on inside `resume`, but after it. */
export interface BodyReader {
  /** The bytes that the budget counts for it; kept by the budget. */
  counted: number;
  pause(): void;
  resume(): void;
}

/** A limit, in bytes, that all response bodies in flight share. */
export interface BodyBudget {
  /** Counts bytes that have come. Beyond the limit the reader is paused, unless it is the only one that is not. */
  take(reader: BodyReader, bytes: number): void;
  /** The reader is done: its bytes no longer count, and those who wait go on, in their order. */
  release(reader: BodyReader): void;
  /** The bytes held now. */
  readonly held: number;
}

/**
 * Shares memory between readers of bodies. At least one reader always goes on, whatever its size, so that waiting ends.
 * The bytes held can pass the limit by the rest of that one body and a chunk of each other.
 */
export function createBodyBudget(limitBytes: number): BodyBudget {
  return new SharedBudget(limitBytes);
}

class SharedBudget implements BodyBudget {
  held = 0;
  readonly #limit: number;
  /**
   * Number of readers. A map of them would keep the dead alive: V8 rebuilds it all the time, and old ones hold what
   * they held.
   */
  #readers = 0;
  /** Paused readers in the order in which they were paused. */
  readonly #waiting = new Set<BodyReader>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  take(reader: BodyReader, bytes: number): void {
    if (bytes === 0) return;
    this.held += bytes;
    if (reader.counted === 0) this.#readers += 1;
    reader.counted += bytes;
    if (this.held <= this.#limit || this.#waiting.has(reader)) return;
    if (this.#readers - this.#waiting.size < 2) return;
    this.#waiting.add(reader);
    reader.pause();
  }

  release(reader: BodyReader): void {
    if (reader.counted === 0) return;
    this.#readers -= 1;
    this.#waiting.delete(reader);
    this.held -= reader.counted;
    reader.counted = 0;
    for (const waiting of this.#waiting) {
      const someoneReads = this.#readers > this.#waiting.size;
      if (someoneReads && this.held > this.#limit) return;
      this.#waiting.delete(waiting);
      waiting.resume();
    }
  }
}

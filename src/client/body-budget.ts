/** A response that is being read. It must not read on inside `resume`, but after it. */
export interface BodyReader {
  pause(): void;
  resume(): void;
}

interface Holding {
  bytes: number;
  paused: boolean;
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
 * At least one reader always goes on, whatever its size, so that waiting ends. What is held can pass the limit by
 * the rest of that one body and a chunk of each other.
 */
export function createBodyBudget(limitBytes: number): BodyBudget {
  return new SharedBudget(limitBytes);
}

class SharedBudget implements BodyBudget {
  held = 0;
  readonly #limit: number;
  readonly #readers = new Map<BodyReader, Holding>();
  /** Paused readers in the order in which they were paused. */
  readonly #waiting = new Set<BodyReader>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  take(reader: BodyReader, bytes: number): void {
    this.held += bytes;
    let holding = this.#readers.get(reader);
    if (holding === undefined) {
      holding = { bytes: 0, paused: false };
      this.#readers.set(reader, holding);
    }
    holding.bytes += bytes;
    if (this.held <= this.#limit || holding.paused) return;
    if (this.#readers.size - this.#waiting.size < 2) return;
    holding.paused = true;
    this.#waiting.add(reader);
    reader.pause();
  }

  release(reader: BodyReader): void {
    const holding = this.#readers.get(reader);
    if (holding === undefined) return;
    this.#readers.delete(reader);
    this.#waiting.delete(reader);
    this.held -= holding.bytes;
    for (const waiting of this.#waiting) {
      const someoneReads = this.#readers.size > this.#waiting.size;
      if (someoneReads && this.held > this.#limit) return;
      this.#goOn(waiting);
    }
  }

  #goOn(reader: BodyReader): void {
    this.#waiting.delete(reader);
    const holding = this.#readers.get(reader);
    if (holding !== undefined) holding.paused = false;
    reader.resume();
  }
}

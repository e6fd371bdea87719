import { waker } from "../../runner/waker.ts";

/** The first wait before the database is asked again, and the longest. */
const firstWaitMs = 200;
const longestWaitMs = 5_000;

export interface LinkOptions {
  /** True for errors that pass: nobody answers, a server that restarts, too many connections. */
  passes: (error: unknown) => boolean;
  /** Called once when the database is away. */
  onAway: (error: unknown) => void;
  /** Called once when it is back. */
  onBack: () => void;
}

/** The end of one who was waiting for a database that is away. */
export class LinkClosed extends Error {
  override readonly name = "LinkClosed";
}

/** The way to the database: whoever takes it waits while the database is away, for as long as that is. */
export class DatabaseLink {
  readonly #options: LinkOptions;
  /** Those who wait, each with a waker of its own. */
  readonly #waiting = new Set<() => void>();
  #isAway = false;
  /** When it last did what it was asked. */
  #answeredAt = 0;
  #isClosed = false;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Does something in the database, again and again until it is done. Rejects with what does not pass, and with
   * LinkClosed when nobody waits for the database any more.
   */
  async patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    // A connection of the pool may have broken while nobody used it: only the second failure says that the database is away.
    for (let waitMs = firstWaitMs, tried = 1; ; waitMs = Math.min(longestWaitMs, waitMs * 2), tried += 1) {
      const began = performance.now();
      try {
        const result = await work();
        this.#back();
        return result;
      } catch (error) {
        if (!this.#options.passes(error)) throw error;
        // One that began before the database was last there says nothing about now.
        if (tried > 1 && began > this.#answeredAt) this.#away(error);
      }
      if (this.#isClosed) throw new LinkClosed("the database is away, and nobody waits for it");
      await this.#rest(waitMs);
      if (this.#isClosed) throw new LinkClosed("the database is away, and nobody waits for it");
    }
  }

  /** Nobody waits any longer: what cannot be done at once is rejected. */
  close(): void {
    this.#isClosed = true;
    this.#wakeAll();
  }

  #away(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#options.onAway(error);
  }

  #back(): void {
    this.#answeredAt = performance.now();
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#options.onBack();
    this.#wakeAll();
  }

  /** Sleeps with half of the wait by chance, so that workers do not come back all at once. */
  async #rest(waitMs: number): Promise<void> {
    const { wake, changeWithin } = waker();
    this.#waiting.add(wake);
    await changeWithin(waitMs / 2 + (Math.random() * waitMs) / 2);
    this.#waiting.delete(wake);
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake();
  }
}

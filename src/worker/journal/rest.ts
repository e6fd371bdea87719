const longestRestMs = 10;

/**
 * Rests after a statement for as long as that took, so that more goes with the next one: where the database has much to do,
 * or the service answers at once, a statement for each few would be most of the work.
 */
export class Rest {
  #until = 0;

  /** A statement that was sent then has been answered. */
  after(began: number): void {
    const now = performance.now();
    this.#until = now + Math.min(longestRestMs, now - began);
  }

  /** Resolves when the rest is over; at once where nothing was sent for a while. */
  async over(): Promise<void> {
    const ms = this.#until - performance.now();
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  }
}

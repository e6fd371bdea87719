const longestRestMs = 10;
const msForEach = 2;

/**
 * Rests after a statement for as long as that took, and the longer the more went with it, so that more goes with the next
 * one: where much is done, a statement for each few would be most of the work. Where little is, nothing has to wait.
 */
export class Rest {
  #until = 0;

  /** A statement for so many that was sent then has been answered. */
  after(began: number, count: number): void {
    const now = performance.now();
    this.#until = now + Math.min(longestRestMs, Math.max(now - began, count * msForEach));
  }

  /** Milliseconds until the rest is over; not above 0: it is. */
  get leftMs(): number {
    return this.#until - performance.now();
  }
}

import { setImmediate as nextTurn } from "node:timers/promises";
import { waker } from "../../runner/waker.ts";
import { Rest } from "./rest.ts";

/** While others are on their way, a result waits so long for those that may go with it. */
const gatherMs = 5;

/**
 * Lets results go together that come one after the other: those that are here wait for those on their way, as long as the
 * rest after the last statement lasts. Where nothing more is to come they go at once.
 */
export class Gathering {
  readonly #rest = new Rest();
  readonly #waker = waker();
  #expected = 0;

  /** A result is on its way; -1: it is here, or will not come soon. */
  expect(change: 1 | -1): void {
    this.#expected += change;
    if (this.#expected <= 0) this.#waker.wake();
  }

  /** As many are here as go at once. */
  enough(): void {
    this.#waker.wake();
  }

  /** A statement for so many that was sent then has been answered. */
  after(began: number, count: number): void {
    this.#rest.after(began, count);
  }

  /** Resolves when those that are here are to go. */
  async over(isEnough: () => boolean): Promise<void> {
    // Results of the same turn of the event loop are handed in one by one.
    await nextTurn();
    const until = performance.now() + Math.max(gatherMs, this.#rest.leftMs);
    while (this.#expected > 0 && !isEnough()) {
      const leftMs = until - performance.now();
      if (leftMs <= 0) return;
      await this.#waker.changeWithin(leftMs);
    }
  }
}

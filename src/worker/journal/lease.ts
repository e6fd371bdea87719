/** A worker whose last sign began longer ago sends nothing: others take it for dead soon after. */
export const leaseMs = 10_000;
/**
 * A worker whose last sign is older is dead to the others. Greater than `leaseMs` by the longest that a request takes to
 * leave. Its chunks go to others by a time of the engine (`heartbeatSeconds`), between the two.
 */
export const deadAfterMs = 15_000;

/** Statements of a worker take milliseconds; without an answer for so long the line is taken for cut. */
export const answersWithinMs = 20_000;

/** A moment on two clocks: one stands still while the machine sleeps, the other may be set. */
export interface Moment {
  steady: number;
  date: number;
}

export const thisMoment = (): Moment => ({ steady: performance.now(), date: Date.now() });

/** Milliseconds since then, by the clock that says more: a time in which the process or the machine stood still counts. */
const ageOf = ({ steady, date }: Moment): number => Math.max(performance.now() - steady, Date.now() - date);

/** Knows whether the database still takes this worker for alive, without asking it. */
export class Lease {
  #sign: Moment | null = null;

  /** The database has answered what was asked `began`. */
  renewed(began: Moment): void {
    if (this.#sign === null || began.steady > this.#sign.steady) this.#sign = began;
  }

  /** Milliseconds since the last sign; infinite before the first. */
  get ageMs(): number {
    return this.#sign === null ? Number.POSITIVE_INFINITY : ageOf(this.#sign);
  }

  get isHeld(): boolean {
    return this.ageMs < leaseMs;
  }
}

/** A clock that is corrected little by little moves by less than this from one answer to the next. */
const leastJumpMs = 1_000;

/** The database's clock, read here without asking it: its time at the latest answer, and what has passed since. */
export class DatabaseClock {
  #offsetMs: number | null = null;
  /** When it was found to have been set, on our own steady clock. */
  #setAt = Number.NEGATIVE_INFINITY;

  /** The database answered `time` to what was asked `began`; the time between belongs half to each way. */
  told(time: number, began: Moment): void {
    const now = performance.now();
    const tookMs = now - began.steady;
    const offsetMs = time + tookMs / 2 - now;
    const wasSet = this.#offsetMs !== null && Math.abs(offsetMs - this.#offsetMs) > leastJumpMs + tookMs;
    if (wasSet) this.#setAt = now;
    this.#offsetMs = offsetMs;
  }

  /**
   * False where it was set a moment ago: signs of life from before look older than they are, or younger. Whoever lives has
   * given another one by the time this is true again.
   */
  get isSettled(): boolean {
    return performance.now() - this.#setAt > deadAfterMs;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#offsetMs === null ? Date.now() : Math.round(this.#offsetMs + performance.now());
  }

  /** When nobody waits any longer for an answer to what is asked now; null: its time is not known yet. */
  patience(): number | null {
    return this.#offsetMs === null ? null : this.now() + answersWithinMs;
  }
}

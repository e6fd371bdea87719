/** New connections are opened over about this time, not all at once; of a few it takes less. */
const rampMs = 1_000;
/** New connections in a millisecond that are never too many. */
const gentlePerMs = 0.25;
/** Number of requests that a ramp begins with. */
const rampStart = 8;
/** Time after a cut within which further signs of overload belong to the same event. */
const cooldownMs = 1_000;
/** A server error stops growth for this long. */
const growthPauseMs = 10_000;

/**
 * Number of requests that may be in flight: begins at the configured one, is halved when the service says it is too
 * much, and grows by one for each round of successes while it is used to the full (additive increase, multiplicative
 * decrease).
 */
export class Concurrency {
  #ceiling: number;
  #current: number;
  #successes = 0;
  #cutAt = Number.NEGATIVE_INFINITY;
  #growAfter = Number.NEGATIVE_INFINITY;
  readonly #startedAt: number;

  constructor(configured: number, now: number) {
    this.#ceiling = configured;
    this.#current = configured;
    this.#startedAt = now;
  }

  /** The limit without the ramp of the first second. */
  get current(): number {
    return this.#current;
  }

  /** Number that may be in flight at this time. */
  limit(now: number): number {
    const age = now - this.#startedAt;
    if (age >= rampMs) return this.#current;
    const perMs = Math.max(gentlePerMs, this.#current / rampMs);
    return Math.min(this.#current, Math.max(rampStart, Math.ceil(age * perMs)));
  }

  /** Milliseconds until the ramp lets another request through; 0 when the ramp is over. */
  rampWaitMs(now: number): number {
    return this.limit(now) < this.#current ? 20 : 0;
  }

  /** The most that was configured or stated by the service. */
  get ceiling(): number {
    return this.#ceiling;
  }

  /** Begins at what was allowed when a run was cut off, and keeps what the service had stated by then. */
  startAt(concurrency: number, ceiling: number): void {
    this.#ceiling = Math.max(1, Math.min(this.#ceiling, ceiling));
    this.#current = Math.max(1, Math.min(this.#ceiling, concurrency));
  }

  /** Takes the limit that others have found, as far as the ceiling allows. */
  heed(concurrency: number): void {
    this.#current = Math.max(1, Math.min(this.#ceiling, concurrency));
  }

  /**
   * The service was asked too much by a request that was queued at `queuedAt`. A limit that it stated becomes the
   * ceiling. Returns whether anything changed.
   */
  cut(now: number, { queuedAt = now, stated = null }: { queuedAt?: number; stated?: number | null } = {}): boolean {
    const before = this.#current;
    if (stated !== null) this.#ceiling = Math.max(1, Math.min(this.#ceiling, Math.floor(stated)));
    // Requests that left before the last cut say nothing about the limits after it.
    const isNew = queuedAt > this.#cutAt && now - this.#cutAt >= cooldownMs;
    if (isNew) this.#cutAt = now;
    // A stated limit says where to go; without one, half is the way to find out.
    if (isNew && stated === null) this.#current = Math.max(1, Math.floor(this.#current / 2));
    this.#current = Math.min(this.#current, this.#ceiling);
    this.#successes = 0;
    return this.#current !== before;
  }

  /** The service is back after it was away: it is begun with half, and grows as it answers. Returns whether that is a change. */
  restart(): boolean {
    const before = this.#current;
    this.#current = Math.max(1, Math.floor(before / 2));
    this.#successes = 0;
    // The answers of the gateway say nothing of how much the service can take.
    this.#growAfter = Number.NEGATIVE_INFINITY;
    return this.#current !== before;
  }

  /** A request went well; `saturated`: the limit was what held others back. Returns whether anything changed. */
  succeeded(now: number, saturated: boolean): boolean {
    if (!saturated || this.#current >= this.#ceiling || now < this.#growAfter) return false;
    this.#successes += 1;
    if (this.#successes < this.#current) return false;
    this.#successes = 0;
    this.#current += 1;
    return true;
  }

  /** A server error: no growth for a while. */
  serverError(now: number): void {
    this.#growAfter = now + growthPauseMs;
    this.#successes = 0;
  }
}

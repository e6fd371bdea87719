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
/** Shares of the number that was refused between which it grows slowly: a refusal costs the whole wait that the service asks for. */
const near = { from: 0.9, to: 1.1 };
/** Near to what was refused it grows this often, by a fortieth. */
const slowGrowthMs = 5_000;
/** Refused again at this share of what was refused before, or at more, it is where the limit is known to be. */
const againShare = 0.8;
/** Then so much of it is kept. */
const keptShare = 0.9;

/**
 * Number of requests that may be in flight: begins at the configured one, is halved when the service says it is too
 * much, and grows by one for each round of successes while it is used to the full (additive increase, multiplicative
 * decrease). Where it was refused is remembered, as TCP's CUBIC has it (RFC 9438): it grows slowly around there, and gives up
 * a tenth when it is refused there again.
 */
export class Concurrency {
  #ceiling: number;
  #current: number;
  /** The number that was refused last. */
  #refused = Number.POSITIVE_INFINITY;
  /** When it grew last; null: not since it was refused. */
  #grownAt: number | null = null;
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
    if (isNew && stated === null) {
      const isAgain = this.#grownAt !== null && before >= this.#refused * againShare;
      this.#current = Math.max(1, Math.floor(before * (isAgain ? keptShare : 0.5)));
      this.#refused = before;
      this.#grownAt = null;
    }
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
    const step = this.#step(now);
    if (step === 0) return false;
    this.#successes = 0;
    this.#current = Math.min(this.#ceiling, this.#current + step);
    this.#grownAt = now;
    return true;
  }

  /** By how much it may grow now. */
  #step(now: number): number {
    const next = this.#current + 1;
    // Far beyond it the service takes more than it did.
    if (next > this.#refused * near.to) this.#refused = Number.POSITIVE_INFINITY;
    if (next <= this.#refused * near.from || this.#refused === Number.POSITIVE_INFINITY) return 1;
    if (now - (this.#grownAt ?? this.#cutAt) < slowGrowthMs) return 0;
    return Math.max(1, Math.floor(this.#refused / 40));
  }

  /** A server error: no growth for a while. */
  serverError(now: number): void {
    this.#growAfter = now + growthPauseMs;
    this.#successes = 0;
  }
}

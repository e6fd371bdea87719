import type { Share } from "../../runner/account.ts";
import type { Granted } from "../postgres/calls.ts";
import { type Moment, msSince } from "./moment.ts";

/** A share holds for so long after it was asked for; others take it only after that. */
export const leaseMs = 10_000;
/** Some of the lease is kept for what stands between our clock and a byte on its way. */
const marginMs = 500;
/** A permit may be used so much too early or too late: a twentieth of the window of its rate, and this at least. */
const leastToleranceMs = 50;
/** Permits are asked for so far ahead. */
const aheadMs = 500;

/**
 * A worker's share of what an account lets through, for all chunks that it drives for the account. It is counted at the
 * moment of leaving: what was granted before may be less by then.
 */
export class AccountShare implements Share {
  readonly name: string;
  /** Told when more may leave. */
  readonly #listeners = new Set<() => void>();
  #granted = 0;
  /** When what was granted was asked for. */
  #askedAt: Moment | null = null;
  /** Slots that were given out for requests that have not left. */
  #taken = 0;
  #flying = 0;
  #isPaused = false;
  /** Null: there is no rate. Else the moments at which one request each may leave. */
  #permits: number[] | null = null;
  #toleranceMs = leastToleranceMs;
  #spacingMs = 1;

  constructor(name: string) {
    this.name = name;
  }

  get flying(): number {
    return this.#flying;
  }

  /** Places that others must not use until the next grant. */
  get held(): number {
    return Math.max(this.#flying, this.#isHeld ? this.#granted : 0);
  }

  get places(): number {
    return this.#granted;
  }

  get #isHeld(): boolean {
    return this.#askedAt !== null && msSince(this.#askedAt) < leaseMs - marginMs;
  }

  /** Permits to ask for. */
  get permitsWanted(): number {
    if (this.#permits === null) return 1;
    return Math.max(0, Math.ceil(aheadMs / this.#spacingMs) + 1 - this.#permitsLeft(performance.now()));
  }

  listen(onRoom: () => void): () => void {
    this.#listeners.add(onRoom);
    return () => this.#listeners.delete(onRoom);
  }

  /** Nothing leaves until it goes on. */
  pause(isPaused: boolean): void {
    if (this.#isPaused === isPaused) return;
    this.#isPaused = isPaused;
    this.#tell();
  }

  /** Keeps what was granted for what was asked then, and answered now. */
  renew({ granted, rate }: Granted, askedAt: Moment): void {
    this.#granted = granted;
    this.#askedAt = askedAt;
    if (rate === null) this.#permits = null;
    else {
      const now = performance.now();
      // The moments were counted when the database answered, somewhere in between.
      const from = (askedAt.steady + now) / 2;
      this.#toleranceMs = Math.max(leastToleranceMs, rate.window / 20);
      this.#spacingMs = rate.spacing;
      const fresh = Array.from({ length: rate.permits }, (_, place) => from + rate.first + place * rate.spacing);
      this.#permits = [...(this.#permits ?? []).filter((at) => at > now - this.#toleranceMs), ...fresh];
    }
    this.#tell();
  }

  waitMs(): number {
    const now = performance.now();
    if (this.#isPaused || !this.#isHeld || this.#flying + this.#taken >= this.#granted) return Number.POSITIVE_INFINITY;
    if (this.#permits === null) return 0;
    this.#permitsLeft(now);
    const next = this.#permits[this.#taken];
    return next === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.ceil(next - now));
  }

  take(): void {
    this.#taken += 1;
  }

  leave(): boolean {
    const now = performance.now();
    if (this.#isPaused || !this.#isHeld || this.#flying >= this.#granted) return false;
    if (this.#permits !== null) {
      this.#permitsLeft(now);
      const [next] = this.#permits;
      if (next === undefined || next > now + this.#toleranceMs) return false;
      this.#permits.shift();
    }
    this.#taken -= 1;
    this.#flying += 1;
    return true;
  }

  ended(hasLeft: boolean): void {
    if (hasLeft) this.#flying -= 1;
    else this.#taken -= 1;
    this.#tell();
  }

  /** Permits that are not too old. */
  #permitsLeft(now: number): number {
    if (this.#permits === null) return 0;
    while ((this.#permits[0] ?? Number.POSITIVE_INFINITY) < now - this.#toleranceMs) this.#permits.shift();
    return this.#permits.length;
  }

  #tell(): void {
    for (const onRoom of this.#listeners) onRoom();
  }
}

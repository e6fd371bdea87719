import type { Outcome } from "../client/outcome.ts";
import type { Random } from "../lib/random.ts";
import type { Deployment } from "../suite/suite.ts";
import { fullJitter, halfJitter, Rounds, type Waits } from "./backoff.ts";
import { Concurrency } from "./concurrency.ts";
import type { Journal, PaceEntry } from "./journal.ts";
import { Pacer, tightest } from "./pacer.ts";

/** The part of an account's limits that this process may use; others use the rest. */
export interface Share {
  /** Requests that may be in flight from here. */
  readonly places: number;
  /** Milliseconds until one more request may leave; 0: now; infinite: not before the runner is nudged. Asked for readiness, beside the account's own limits. */
  waitMs(): number;
  /** A job has been granted a slot: a place of the share is set aside for it. */
  take(): void;
  /** Asked right before the first byte: false, and nothing is sent. It is counted as in flight from here. */
  leave(): boolean;
  /** The slot is free again. `hasLeft`: `leave` was true for it. */
  ended(hasLeft: boolean): void;
}

export interface AccountOptions {
  /** Deployments that send to the same address with the same key: what one of them learns holds for all, and so does the smallest limit that is set. */
  deployments: readonly Deployment[];
  endpoint: string;
  /** The part of its limits that may be used from here; left out: no other process sends with it. */
  share?: Share;
  journal: Pick<Journal, "sentSince" | "lastPace">;
  random: Random;
  waits: Waits;
  /** The steady clock as they begin: every other moment comes from the caller, too. */
  now: number;
}

/** Those who send with an account, as far as its limits go. */
export interface PacedSide {
  /** Name of the deployment. */
  deployment: string;
  /** Called when an answer to this side has moved a limit. */
  onChange: (entry: PaceEntry) => void;
  /** Called when the service asks for a longer wait than it is given. */
  onLongWait: (askedMs: number, waitMs: number) => void;
}

/** When a request was sent and answered, on the steady clock. */
export interface Moments {
  queuedAt: number;
  answeredAt: number;
}

/**
 * Limits the requests that one account has in flight at one endpoint, and sets the time of the next one: by the
 * configuration, and by what the service has taught us. A pause holds no slot.
 */
export class Account {
  readonly #options: AccountOptions;
  readonly #pacer: Pacer;
  readonly #concurrency: Concurrency;
  /** Name that rates are counted for. */
  readonly #name: string;
  #inFlight = 0;
  /** Times in a row that the service asked us to slow down, and when that was counted last. */
  readonly #throttled = new Rounds();
  readonly #local = new Rounds();
  /** All runs of the account are taken until then, or until one of ours ends. */
  #fullUntil = 0;
  /** The service has asked for a long wait, until then. */
  #awayUntil = 0;

  constructor(options: AccountOptions) {
    const { deployments, endpoint, journal, now } = options;
    this.#options = options;
    this.#name = `${deployments[0]?.baseUrl} ${endpoint}`;
    const history = (withinMs: number): number[] => {
      const date = Date.now();
      // Times of a clock that was ahead when they were stored would keep a window shut until it is there again.
      return journal.sentSince(this.#name, date - withinMs).map((time) => now - Math.max(0, date - time));
    };
    const rates = deployments.flatMap(({ rate }) => rate ?? []);
    this.#pacer = new Pacer(tightest(rates), history);
    const configured = Math.min(...deployments.map(({ concurrency }) => concurrency));
    this.#concurrency = new Concurrency(configured, now);
    // Limits that the service taught us before a restart still hold.
    for (const { name } of deployments) {
      const learned = journal.lastPace(name, endpoint);
      if (learned?.rate) this.#pacer.lower(learned.rate, history);
      if (learned !== null) this.#concurrency.startAt(learned.concurrency, learned.ceiling);
    }
  }

  /** The service whose rate counts a request; null when no rate is kept. */
  get service(): string | null {
    return this.#pacer.rate === null ? null : this.#name;
  }

  get limit(): number {
    return this.#concurrency.current;
  }

  /** Requests that may be in flight from here. */
  get places(): number {
    return Math.min(this.limit, this.#options.share?.places ?? Number.POSITIVE_INFINITY);
  }

  get rate(): PaceEntry["rate"] {
    return this.#pacer.rate;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** When the service began to ask us to slow down. */
  get throttledSince(): number {
    return this.#throttled.since;
  }

  /** The service lets nothing through for so long that it is not worth waiting for. */
  isPausedForLong(now: number): boolean {
    const { count, since } = this.#throttled;
    return (count > 0 && now - since > this.#options.waits.lockstepMs) || now < this.#awayUntil;
  }

  /** Milliseconds until the rate or the service lets the next request through. */
  pauseMs(now: number): number {
    return Math.max(this.#pacer.waitMs(now), this.#fullUntil - now, 0);
  }

  /** Milliseconds until a slot is free; infinite: not before a request ends. `held`: slots that are not to be filled. */
  slotMs(now: number, held: number): number {
    const limit = this.#concurrency.limit(now);
    if (this.#inFlight >= limit) return this.#concurrency.rampWaitMs(now) || Number.POSITIVE_INFINITY;
    if (held > 0 && this.#inFlight >= Math.max(1, Math.min(limit, this.places) - held)) return Number.POSITIVE_INFINITY;
    return this.#options.share?.waitMs() ?? 0;
  }

  /** A request is given a slot. */
  take(now: number): void {
    this.#inFlight += 1;
    this.#pacer.take(now);
    this.#options.share?.take();
  }

  /** Asked right before the first byte of a request, where others send with the account: false, and it is not sent; null: none do. */
  get leave(): (() => boolean) | null {
    const { share } = this.#options;
    return share === undefined ? null : () => share.leave();
  }

  /** The slot of a request is free. `hasLeft`: `leave` was true for it. */
  free(hasLeft: boolean): void {
    this.#inFlight -= 1;
    this.#options.share?.ended(hasLeft);
  }

  /** A request got as far as the service, or what stands before it, and was not throttled. `more`: another one is ready. */
  reached({ status, kind }: Outcome, { answeredAt: now, more }: Moments & { more: boolean }, side: PacedSide): void {
    this.gotThrough();
    this.#throttled.end();
    this.#awayUntil = 0;
    // One of our own runs has ended: its slot is free.
    this.#fullUntil = 0;
    if (status !== null && status >= 500) this.#concurrency.serverError(now);
    const saturated = more && this.#inFlight >= this.#concurrency.current;
    if (kind === "ok" && this.#concurrency.succeeded(now, saturated)) this.#changed("recovering", side);
  }

  /** No limit of this machine kept a request back. */
  gotThrough(): void {
    this.#local.end();
  }

  /** A limit of this machine kept a request from being sent. */
  heldByMachine({ queuedAt, answeredAt: now }: Moments, side: PacedSide): void {
    const { random, waits } = this.#options;
    if (this.#local.note(queuedAt, now))
      this.#pacer.pauseUntil(now + halfJitter(this.#local.count, random, waits.local));
    if (this.#concurrency.cut(now, { queuedAt })) this.#changed("a limit of this machine", side);
  }

  /** The service is back after an outage: it is not met with everything at once. */
  restart(side: PacedSide): void {
    if (this.#concurrency.restart()) this.#changed("the service is back", side);
  }

  /** The service asks to slow down. */
  slowDown({ status, limit, retryAfterMs }: Outcome, { queuedAt, answeredAt: now }: Moments, side: PacedSide): void {
    const isNew = this.#throttled.note(queuedAt, now);
    const { random, waits } = this.#options;
    // A proxy that refuses does not say for how long: to ask at once would be in vain.
    const count = this.#throttled.count;
    const guess =
      status === 503 ? halfJitter(count, random, waits.refused) : fullJitter(count, random, waits.throttled);
    if (limit?.kind === "concurrency") {
      // When no more than the stated number is refused as well, others share the account: half is the way to find out.
      const stated = limit.count >= this.#concurrency.current && this.#throttled.count > 1 ? null : limit.count;
      if (this.#concurrency.cut(now, { queuedAt, stated })) this.#changed("the service stated its limit", side);
      // The wait it names is a guess: a slot is free again when one of our own runs ends.
      const wait = this.#bounded(Math.min(retryAfterMs ?? guess, guess));
      if (isNew) this.#fullUntil = Math.max(this.#fullUntil, now + wait);
      return;
    }
    if (limit !== null && this.#pacer.lower(limit)) this.#changed("the service stated its limit", side);
    else if (limit === null && this.#concurrency.cut(now, { queuedAt })) this.#changed("throttled", side);
    const asked = retryAfterMs ?? guess;
    const { leastMs, mostMs } = waits.asked;
    if (asked > mostMs && isNew) side.onLongWait(asked, mostMs);
    // A wait that is stated is kept as it is, a small one too; "at once" states none.
    const wait = retryAfterMs !== null && retryAfterMs >= leastMs ? Math.min(mostMs, asked) : this.#bounded(asked);
    this.#pacer.pauseUntil(now + wait);
    if (wait >= waits.lockstepMs) this.#awayUntil = Math.max(this.#awayUntil, now + wait);
  }

  /** A service that says "at once" again and again is not asked at once again and again. */
  #bounded(askedMs: number): number {
    const { leastMs, mostMs } = this.#options.waits.asked;
    const least = Math.min(mostMs, leastMs * 2 ** Math.min(this.#throttled.count - 1, 10));
    return Math.min(mostMs, Math.max(least, askedMs));
  }

  #changed(reason: string, { deployment, onChange }: PacedSide): void {
    const { endpoint } = this.#options;
    const { current: concurrency, ceiling } = this.#concurrency;
    const entry = { deployment, endpoint, at: Date.now(), concurrency, ceiling, rate: this.#pacer.rate, reason };
    onChange(entry);
  }
}

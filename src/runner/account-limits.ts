import type { Outcome } from "../client/outcome.ts";
import type { Random } from "../lib/random.ts";
import type { Deployment } from "../suite/suite.ts";
import { fullJitter, halfJitter, restartOfRouterMs, Rounds, type Waits } from "./backoff.ts";
import type { Journal, PaceEntry } from "./journal.ts";
import { Concurrency } from "./concurrency.ts";
import { Pacer, tightest } from "./pacer.ts";
import type { Stall } from "./tally.ts";

export interface AccountLimitsOptions {
  /** Deployments that send to the same address with the same key: what one of them learns holds for all. */
  deployments: readonly Deployment[];
  endpoint: string;
  journal: Pick<Journal, "sentSince" | "lastPace">;
  random: Random;
  waits: Waits;
  /** The steady clock as they begin: every other moment comes from the caller, too. */
  now: number;
  /** Those who send with the same account from elsewhere; left out: nobody does. */
  shared?: LimitSharing;
}

/** Tells others who send with the same account. */
export interface LimitSharing {
  /** The service asked for a wait. */
  paused: (ms: number) => void;
  /** An answer has moved a limit. */
  changed: (entry: PaceEntry) => void;
}

/** The limits as others who send with the same account have left them. */
export interface ToldLimits {
  /** Milliseconds until anybody may send. */
  pausedMs: number;
  /** Requests that all together may have in flight; null: nobody has said. */
  concurrency: number | null;
  rate: PaceEntry["rate"];
}

/** One of those who send. */
export interface AccountSide {
  /** Name of the deployment. */
  deployment: string;
  /** A request of another side has ended: look again. */
  onEnded: () => void;
  /** Called when an answer to this side has moved a limit. */
  onChange: (entry: PaceEntry) => void;
  /** Called when the service asks for a longer wait than it is given. */
  onLongWait: (askedMs: number, waitMs: number) => void;
}

/** A request as it was sent. */
interface Sent {
  jobId: number;
  /** On the steady clock, like `answeredAt`. */
  queuedAt: number;
  answeredAt: number;
  /** True when more was ready to be sent. */
  more: boolean;
}

/** Times that a service which has never answered is looked for, unless the suite says how long it is to be waited for. */
const looksAtFirst = 5;

/**
 * Limits the requests that one account has in flight at one endpoint, and sets the time of the next one: by the
 * configuration, and by what the service has taught us. A pause of any kind holds no slot.
 */
export class AccountLimits {
  readonly #options: AccountLimitsOptions;
  readonly #pacer: Pacer;
  readonly #concurrency: Concurrency;
  /** Name that rates are counted for. */
  readonly #name: string;
  readonly #sides: AccountSide[] = [];
  #inFlight = 0;
  /** Times in a row that the service asked us to slow down, and when that was counted last. */
  readonly #throttled = new Rounds();
  readonly #unreached = new Rounds();
  readonly #local = new Rounds();
  /** The one request that looks whether the service can be reached again. */
  #probe: number | null = null;
  /** All runs of the account are taken until then, or until one of ours ends. */
  #fullUntil = 0;
  /** The service has asked for a long wait, until then. */
  #awayUntil = 0;
  #hasAnswered = false;

  constructor(options: AccountLimitsOptions) {
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
    const configured = deployments.reduce((sum, { concurrency }) => sum + concurrency, 0);
    this.#concurrency = new Concurrency(configured, now);
    // Limits that the service taught us before a restart still hold.
    for (const { name } of deployments) {
      const learned = journal.lastPace(name, endpoint);
      if (learned?.rate) this.#pacer.lower(learned.rate, history);
      if (learned !== null) this.#concurrency.startAt(learned.concurrency, learned.ceiling);
    }
  }

  join(side: AccountSide): void {
    this.#sides.push(side);
  }

  /** Other sides send with the same account. */
  get isShared(): boolean {
    return this.#sides.length > 1;
  }

  /** The service whose rate counts a request; null when no rate is kept. */
  get service(): string | null {
    return this.#pacer.rate === null ? null : this.#name;
  }

  get limit(): number {
    return this.#concurrency.current;
  }

  get rate(): PaceEntry["rate"] {
    return this.#pacer.rate;
  }

  /** The service cannot be reached at the moment. */
  get isUnreached(): boolean {
    return this.#unreached.count > 0;
  }

  /** The service cannot be reached, or lets nothing through for so long that nobody should wait for it. */
  isAway(now: number): boolean {
    const { count, since } = this.#throttled;
    const isThrottledForLong = count > 0 && now - since > this.#options.waits.lockstepMs;
    return this.isUnreached || isThrottledForLong || now < this.#awayUntil;
  }

  /** Why nothing leaves, where the service is the reason; null: it is not. */
  stall(now: number): Stall | null {
    if (this.isUnreached) {
      const leftMs = this.#patienceMs(now);
      const left = Number.isFinite(leftMs) ? Math.max(0, leftMs) : null;
      return { why: "the service cannot be reached", forMs: now - this.#unreached.since, leftMs: left };
    }
    if (!this.isAway(now)) return null;
    return { why: "the service asks to slow down", forMs: now - this.#throttled.since, leftMs: null };
  }

  /** Milliseconds until the rate or the service lets the next request through. */
  pauseMs(now: number): number {
    return Math.max(this.#pacer.waitMs(now), this.#fullUntil - now, 0);
  }

  /** Milliseconds until a request may leave; infinite: not before one that is in flight ends. */
  waitMs(now: number): number {
    if (this.#inFlight >= this.#concurrency.limit(now))
      return this.#concurrency.rampWaitMs(now) || Number.POSITIVE_INFINITY;
    if (this.isUnreached && this.#probe !== null) return Number.POSITIVE_INFINITY;
    return this.pauseMs(now);
  }

  /** A request leaves. */
  take(jobId: number, now: number): void {
    this.#inFlight += 1;
    this.#pacer.take(now);
    if (this.isUnreached) this.#probe = jobId;
  }

  /** The slot of a request is free; the other sides are told. */
  ended(own: AccountSide): void {
    this.#inFlight -= 1;
    for (const side of this.#sides) if (side !== own) side.onEnded();
  }

  /** A request that was to leave was not sent. */
  gaveBack(jobId: number): void {
    if (this.#probe === jobId) this.#probe = null;
  }

  /** Keeps what others have learned. */
  heed({ pausedMs, concurrency, rate }: ToldLimits, now: number): void {
    if (pausedMs > 0) this.#pacer.pauseUntil(now + pausedMs);
    if (rate !== null) this.#pacer.lower(rate);
    const before = this.#concurrency.current;
    if (concurrency !== null) this.#concurrency.heed(concurrency);
    if (this.#concurrency.current > before) for (const side of this.#sides) side.onEnded();
  }

  /** Learns from an outcome, before its slot is free. Returns why the deployment is given up, or null. */
  answered(outcome: Outcome, sent: Sent, side: AccountSide): string | null {
    const now = sent.answeredAt;
    if (this.#probe === sent.jobId) this.#probe = null;
    if (outcome.kind === "not-sent") return this.#notSent(outcome, sent, side);
    this.#unreached.end();
    this.#local.end();
    this.#hasAnswered ||= outcome.status !== null;
    if (outcome.kind === "throttled") {
      this.#slowDown(outcome, sent, side);
      return null;
    }
    this.#throttled.end();
    this.#awayUntil = 0;
    // One of our own runs has ended: its slot is free.
    this.#fullUntil = 0;
    if (outcome.status !== null && outcome.status >= 500) this.#concurrency.serverError(now);
    const saturated = sent.more && this.#inFlight >= this.#concurrency.current;
    if (outcome.kind === "ok" && this.#concurrency.succeeded(now, saturated)) this.#changed("recovering", side);
    return null;
  }

  #notSent(outcome: Outcome, { queuedAt, answeredAt: now }: Sent, side: AccountSide): string | null {
    const { random, waits } = this.#options;
    if (outcome.localLimit) {
      if (this.#local.note(queuedAt, now))
        this.#pacer.pauseUntil(now + halfJitter(this.#local.count, random, waits.local));
      if (this.#concurrency.cut(now, { queuedAt })) this.#changed("a limit of this machine", side);
      return null;
    }
    if (!this.#unreached.note(queuedAt, now)) return null;
    const leftMs = this.#patienceMs(now);
    if (leftMs <= 0) return outcome.error ?? "it cannot be reached";
    this.#pacer.pauseUntil(now + Math.min(leftMs, halfJitter(this.#unreached.count, random, waits.unreached)));
    return null;
  }

  /** Milliseconds for which a service that cannot be reached is still waited for. */
  #patienceMs(now: number): number {
    const stated = this.#options.deployments.flatMap(({ waitForServiceMs }) => waitForServiceMs ?? []);
    if (stated.length === 0 && !this.#hasAnswered)
      return this.#unreached.count >= looksAtFirst ? 0 : Number.POSITIVE_INFINITY;
    const patienceMs = stated.length === 0 ? restartOfRouterMs : Math.max(...stated);
    return this.#unreached.since + patienceMs - now;
  }

  #slowDown({ limit, retryAfterMs }: Outcome, { queuedAt, answeredAt: now }: Sent, side: AccountSide): void {
    const isNew = this.#throttled.note(queuedAt, now);
    const { random, waits } = this.#options;
    const guess = fullJitter(this.#throttled.count, random, waits.throttled);
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
    this.#options.shared?.paused(wait);
    if (wait >= waits.lockstepMs) this.#awayUntil = Math.max(this.#awayUntil, now + wait);
  }

  /** A service that says "at once" again and again is not asked at once again and again. */
  #bounded(askedMs: number): number {
    const { leastMs, mostMs } = this.#options.waits.asked;
    const least = Math.min(mostMs, leastMs * 2 ** Math.min(this.#throttled.count - 1, 10));
    return Math.min(mostMs, Math.max(least, askedMs));
  }

  #changed(reason: string, { deployment, onChange }: AccountSide): void {
    const { endpoint } = this.#options;
    const { current: concurrency, ceiling } = this.#concurrency;
    const entry = { deployment, endpoint, at: Date.now(), concurrency, ceiling, rate: this.#pacer.rate, reason };
    onChange(entry);
    this.#options.shared?.changed(entry);
  }
}

import { isAnswerer, outcomes } from "../api/outcomes.ts";
import { answererOf, type Outcome } from "../client/outcome.ts";
import type { Random } from "../lib/random.ts";
import { brokenStatus, statusWords } from "../lib/status-words.ts";
import type { Deployment } from "../suite/suite.ts";
import { fullJitter, halfJitter, Rounds, type Waits } from "./backoff.ts";
import type { Journal, OutageEntry, PaceEntry } from "./journal.ts";
import { Concurrency } from "./concurrency.ts";
import { type GatewayOutage, Outage, type Recovery } from "./outage.ts";
import { Pacer, tightest } from "./pacer.ts";
import { type RefusedRequest, type RefusalMeaning, Refusals } from "./refusals.ts";
import type { Stall } from "./tally.ts";
import { type ThrottleMeaning, Throttles } from "./throttles.ts";

/** A row that is refused alone waits no longer, whatever the service asks: others are answered meanwhile. */
const longestOwnWaitMs = 60_000;
/** Others wait as long as this for one row, and no longer before more rows were asked to wait. */
const longestWaitForOneMs = 10_000;

export interface AccountLimitsOptions {
  /** Deployments that send to the same address with the same key: what one of them learns holds for all, and so does the smallest limit that is set. */
  deployments: readonly Deployment[];
  endpoint: string;
  journal: Pick<Journal, "sentSince" | "lastPace">;
  random: Random;
  waits: Waits;
  /** The steady clock as they begin: every other moment comes from the caller, too. */
  now: number;
}

/** One of those who send. */
export interface AccountSide {
  /** Name of the deployment. */
  deployment: string;
  /** The service has answered in this batch, by an earlier process. */
  isProven: boolean;
  /** A request of another side has ended: look again. */
  onEnded: () => void;
  /** Called when an answer to this side has moved a limit. */
  onChange: (entry: PaceEntry) => void;
  /** Called when the service asks for a longer wait than it is given. */
  onLongWait: (askedMs: number, waitMs: number) => void;
  /** Jobs that are not finished and could be sent, now or later; two stand for more. */
  unfinished: () => number;
  /** True when a job is left that is none of these. */
  hasOther: (isOneOf: (jobId: number) => boolean) => boolean;
  /** Runs that the service has taken and that are asked for. */
  openRuns: () => number;
  /** True for the first job of a target while all others wait for it. */
  isFirst: (jobId: number) => boolean;
  /** Called when gateways answer in the place of the service, with the jobs that they have answered. */
  onAway: (outage: Away, jobs: ReadonlySet<number>) => void;
  /** Called when it is known again that the service is there, with the jobs whose tries are given back. */
  onRecovered: (givenBack: ReadonlySet<number>) => void;
  /** Called at the first answer of the service itself. */
  onThere: () => void;
  /** Called when the service is back. */
  onBack: (outage: Back) => void;
}

/** Gateways answer in the place of a service. */
interface Away {
  status: number;
  /** Milliseconds for which it is waited for at the most; null: for a few looks. */
  patienceMs: number | null;
  entry: OutageEntry;
}

/** A service answers itself again. */
interface Back {
  /** Milliseconds since the first answer of a gateway. */
  forMs: number;
  entry: OutageEntry;
}

/** The meaning of an answer for its job and its deployment. */
export interface Learned {
  /** The outcome as it is understood among the others: a 503 may be a limit of requests, a 429 a row that never gets through. */
  outcome: Outcome;
  /** It is throttled, and others go before it. */
  goesBehind: boolean;
  /** Milliseconds for which it alone has to wait before that. */
  ownWaitMs: number;
  /** Why the deployment is given up; null: it is not. */
  givenUp: string | null;
  /** The job is not decided, and waits until it is known whether the service is away, or until it is back. */
  waits: boolean;
  /** The attempt does not count: it was sent before the service was back. */
  isForgiven: boolean;
  /** It looked for a service that is away. */
  isProbe: boolean;
}

const nothingLearned: Omit<Learned, "outcome"> = {
  goesBehind: false,
  ownWaitMs: 0,
  givenUp: null,
  waits: false,
  isForgiven: false,
  isProbe: false,
};

/** A request as it was sent. */
interface Sent {
  jobId: number;
  /** On the steady clock, like `answeredAt`. */
  queuedAt: number;
  answeredAt: number;
  /** True when more was ready to be sent. */
  more: boolean;
}

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
  readonly #local = new Rounds();
  readonly #outage: Outage;
  readonly #refusals = new Refusals();
  readonly #throttles = new Throttles();
  /** All runs of the account are taken until then, or until one of ours ends. */
  #fullUntil = 0;
  /** The service has asked for a long wait, until then. */
  #awayUntil = 0;

  constructor(options: AccountLimitsOptions) {
    const { deployments, endpoint, journal, now, random, waits } = options;
    this.#options = options;
    const stated = deployments.flatMap(({ waitForServiceMs }) => waitForServiceMs ?? []);
    const statedMs = stated.length === 0 ? null : Math.max(...stated);
    const isProven = (): boolean => this.#sides.some((side) => side.isProven);
    this.#outage = new Outage({ random, waits, statedMs, isProven });
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

  /** The service is away, or lets nothing through for so long that nobody should wait for it. */
  isAway(now: number): boolean {
    const { count, since } = this.#throttled;
    const isThrottledForLong = count > 0 && now - since > this.#options.waits.lockstepMs;
    return this.#outage.isAway || isThrottledForLong || now < this.#awayUntil;
  }

  /** Why nothing leaves, where the service is the reason; null: it is not. */
  stall(now: number): Stall | null {
    const { isAway, since, gateway } = this.#outage;
    if (isAway) {
      const leftMs = this.#outage.patienceMs(now);
      const nextMs = this.#outage.waitMs(now);
      return {
        why: `${this.#names} ${gateway === null ? "cannot be reached" : `answers ${statusWords(gateway.status)}`}`,
        forMs: now - since,
        nextMs: Number.isFinite(nextMs) && nextMs > 0 ? nextMs : null,
        leftMs: Number.isFinite(leftMs) ? Math.max(0, leftMs) : null,
      };
    }
    if (!this.isAway(now)) return null;
    return { why: `${this.#names} asks to slow down`, forMs: now - this.#throttled.since, nextMs: null, leftMs: null };
  }

  get #names(): string {
    return this.#options.deployments.map(({ name }) => name).join(" and ");
  }

  /** Milliseconds for which the time of jobs has stood still, because nothing could be done for them. */
  standstillMs(now: number): number {
    return this.#outage.standstillMs(now);
  }

  /** True when a job that waits may look for the service: no other can, and nobody does. */
  get wantsLook(): boolean {
    return this.isOpen ? !this.#outage.isLookedFor && this.#openRuns === 0 : this.#inFlight === 0;
  }

  /** Gateways answer in the place of the service: what leaves looks for it. */
  get isOpen(): boolean {
    return this.#outage.isOpen;
  }

  /** True for a job that waits until it is known whether the service is away, or until it is back. */
  isWaiting(jobId: number): boolean {
    return this.#outage.isWaiting(jobId);
  }

  /** The number of times that the tries of a job were given back. */
  givenBackTo(jobId: number): number {
    return this.#outage.givenBackTo(jobId);
  }

  /** Milliseconds until the rate or the service lets the next request through. */
  pauseMs(now: number): number {
    const lookMs = this.#outage.waitMs(now);
    return Math.max(this.#pacer.waitMs(now), this.#fullUntil - now, Number.isFinite(lookMs) ? lookMs : 0, 0);
  }

  /** A request of a target was accepted. `sentAt`: in milliseconds since 1970. */
  accepted(targetId: number, sentAt: number): void {
    this.#refusals.accepted(targetId, sentAt);
  }

  /** `isFirst`: all others wait for it. */
  refused(refusal: RefusedRequest, isFirst: boolean): RefusalMeaning {
    return this.#refusals.refused(refusal, !isFirst && this.#inFlight > 1);
  }

  /** No other request is left for these targets; true where that has decided something. */
  nothingLeft(targetIds: ReadonlySet<number>): boolean {
    return this.#refusals.nothingLeft(targetIds);
  }

  /** Milliseconds until a request may leave; infinite: not before one that is in flight ends. */
  waitMs(now: number): number {
    // The answers of those in flight may still show that the rows are at fault.
    if (this.#inFlight > 0 && (this.#refusals.hasStreak || this.#throttles.isSilent)) return Number.POSITIVE_INFINITY;
    if (this.#inFlight >= this.#concurrency.limit(now))
      return this.#concurrency.rampWaitMs(now) || Number.POSITIVE_INFINITY;
    const { held, isOpen } = this.#outage;
    if (held > 0 && this.#inFlight >= Math.max(1, this.#concurrency.limit(now) - held)) return Number.POSITIVE_INFINITY;
    // The questions for a run look for the service, and cost nothing.
    if (isOpen && this.#openRuns > 0) return Number.POSITIVE_INFINITY;
    return Math.max(this.pauseMs(now), this.#outage.waitMs(now));
  }

  /** A request leaves. */
  take(jobId: number, now: number): void {
    this.#inFlight += 1;
    this.#pacer.take(now);
    this.#outage.took(jobId);
  }

  /** The slot of a request is free; the other sides are told. */
  ended(own: AccountSide): void {
    this.#inFlight -= 1;
    const streak = this.#inFlight === 0 ? this.#refusals.takeStreak() : null;
    streak?.refused.at(-1)?.onStop(streak);
    for (const side of this.#sides) if (side !== own) side.onEnded();
  }

  /** A request that was to leave was not sent. */
  gaveBack(jobId: number): void {
    this.#outage.ended(jobId);
  }

  /** Learns from an outcome, before its slot is free. */
  answered(outcome: Outcome, sent: Sent, side: AccountSide): Learned {
    const { answeredAt: now, jobId } = sent;
    const throttle = this.#throttleOf(outcome, sent);
    if (throttle !== null) return this.#throttledBy(outcome, throttle, sent, side);
    const learned = { ...this.#learn(outcome, sent, side), outcome };
    this.#outage.ended(jobId);
    if (!outcomes[outcome.kind].left) return learned;
    this.#local.end();
    this.#throttled.end();
    this.#awayUntil = 0;
    // One of our own runs has ended: its slot is free.
    this.#fullUntil = 0;
    if (outcome.answeredBy === "service") this.#sound(sent, side);
    if (outcome.status !== null && outcome.status >= 500) this.#concurrency.serverError(now);
    const saturated = sent.more && this.#inFlight >= this.#concurrency.current;
    if (outcome.kind === "ok" && this.#concurrency.succeeded(now, saturated)) this.#changed("recovering", side);
    return learned;
  }

  /** Whom an answer is about that asks to slow down, be it by a 503 while others are answered; null: it does not. */
  #throttleOf(outcome: Outcome, { jobId, queuedAt, answeredAt: now }: Sent): ThrottleMeaning | null {
    if (!outcomes[outcome.kind].slowsDown && !this.#isLimit(outcome, jobId, queuedAt, now)) return null;
    const { status, retryAfterMs } = outcome;
    const isLong = (retryAfterMs ?? 0) > longestWaitForOneMs;
    return this.#throttles.throttled(jobId, { queuedAt, now, status, isLast: this.#isLast(jobId, status), isLong });
  }

  #isLast(jobId: number, status: number | null): boolean {
    return this.#throttles.isLast(jobId, status, (isOneOf) => this.#sides.some(({ hasOther }) => hasOther(isOneOf)));
  }

  #isLimit({ answeredBy, status }: Outcome, jobId: number, queuedAt: number, now: number): boolean {
    if (this.isOpen || !isAnswerer(answeredBy, "isGateway") || status !== 503) return false;
    return this.#throttles.isLimit(jobId, queuedAt, now) || this.#isLast(jobId, status);
  }

  #throttledBy(outcome: Outcome, meaning: ThrottleMeaning, sent: Sent, side: AccountSide): Learned {
    this.#outage.ended(sent.jobId);
    this.#local.end();
    this.#outage.throttled();
    const kind = meaning === "row" ? "rejected" : "throttled";
    const understood = { ...outcome, kind, possiblyPaid: false, answeredBy: null } as const;
    if (meaning === "limit" || meaning === "again") this.#slowDown(understood, sent, side);
    return {
      ...nothingLearned,
      outcome: understood,
      goesBehind: meaning !== "limit",
      ownWaitMs: this.#ownWaitMs(meaning, outcome, sent.jobId),
    };
  }

  /** Milliseconds for which a throttled job alone waits. */
  #ownWaitMs(meaning: ThrottleMeaning, { retryAfterMs }: Outcome, jobId: number): number {
    if (meaning !== "job" && meaning !== "last") return 0;
    const { random, waits } = this.#options;
    const asked = Math.min(retryAfterMs ?? 0, longestOwnWaitMs, waits.asked.mostMs);
    if (meaning === "job") return asked;
    // Little is left to find out of one that others have shown to be refused alone.
    const growth = this.#throttles.isOfJob(jobId) ? waits.refused : waits.throttled;
    return Math.max(asked, halfJitter(this.#throttles.timesOf(jobId), random, growth));
  }

  /** Learns from the answer to a question for a run, which holds no slot. Returns why the deployment is given up, or null. */
  onOutcome(
    outcome: Outcome,
    { jobId, queuedAt, answeredAt: now }: Omit<Sent, "more">,
    side: AccountSide,
  ): string | null {
    if (this.#isLimit(outcome, jobId, queuedAt, now)) return null;
    const answeredBy = answererOf(outcome);
    if (answeredBy !== "service" && !isAnswerer(outcome.answeredBy, "tellsAway")) return null;
    if (answeredBy === "service") {
      this.#sound({ jobId, queuedAt, answeredAt: now }, side);
      return null;
    }
    const { givenUp } = this.#gatewayAnswered(outcome, { jobId, queuedAt, answeredAt: now, more: false }, side, false);
    return givenUp;
  }

  /** Reads from an answer whether the service is there. */
  #learn(outcome: Outcome, sent: Sent, side: AccountSide): Omit<Learned, "outcome"> {
    if (!outcomes[outcome.kind].left) return { ...nothingLearned, givenUp: this.#notSent(outcome, sent, side) };
    if (isAnswerer(outcome.answeredBy, "tellsAway")) return this.#gatewayAnswered(outcome, sent, side, true);
    if (outcome.answeredBy === "service") return nothingLearned;
    this.#outage.unclear(sent.jobId, outcome, sent.answeredAt);
    return {
      ...nothingLearned,
      givenUp: this.#isOutOfPatience(sent.answeredAt) ? this.#goodbye(sent.answeredAt) : null,
    };
  }

  #gatewayAnswered(outcome: Outcome, sent: Sent, side: AccountSide, hasSlot: boolean): Omit<Learned, "outcome"> {
    const { jobId, queuedAt, answeredAt: now } = sent;
    const { opened, jobs, ended, ...meaning } = this.#outage.gatewayAnswered({
      jobId,
      isGateway: isAnswerer(outcome.answeredBy, "isGateway"),
      status: outcome.answeredBy === "broken" ? brokenStatus : (outcome.status ?? brokenStatus),
      date: outcome.timing.doneAt,
      firstAt: outcome.status === 503 ? this.#throttles.unavailableSince(now) : now,
      queuedAt,
      answeredAt: now,
      hasSlot,
      othersInFlight: this.#inFlight - (hasSlot ? 1 : 0),
      isAlone: this.#sides.reduce((sum, { unfinished }) => sum + unfinished(), 0) <= 1,
      hasOther: (isOneOf) => this.#sides.some(({ hasOther }) => hasOther(isOneOf)),
      isFirst: side.isFirst(jobId),
      concurrency: this.#concurrency.current,
    });
    if (opened) this.#tellAway(jobs, now);
    this.#recovered(ended, now);
    return { ...nothingLearned, givenUp: this.#isOutOfPatience(now) ? this.#goodbye(now) : null, ...meaning };
  }

  #tellAway(jobs: ReadonlySet<number>, now: number): void {
    const { gateway } = this.#outage;
    if (gateway === null) return;
    const left = this.#outage.patienceMs(now);
    const away = { status: gateway.status, patienceMs: Number.isFinite(left) ? left : null };
    for (const each of this.#sides) each.onAway({ ...away, entry: this.#outageEntry(each, gateway) }, jobs);
  }

  #isOutOfPatience(now: number): boolean {
    return this.#outage.isOpen && this.#outage.patienceMs(now) <= 0;
  }

  /** The reason why a service is not waited for any longer. */
  #goodbye(now: number): string {
    const seconds = Math.ceil((now - this.#outage.since) / 1_000);
    const status = this.#outage.gateway?.status ?? brokenStatus;
    const what = status === brokenStatus ? "answers broke off" : `a gateway answered ${statusWords(status)}`;
    return `${what} in the place of the service for ${seconds} s`;
  }

  /** The service itself has answered. */
  #sound({ jobId, queuedAt, answeredAt: now }: Omit<Sent, "more">, side: AccountSide): void {
    const isFirst = !this.#throttles.hasSound;
    this.#throttles.sound(jobId, queuedAt);
    const recovery = this.#outage.sound(jobId, queuedAt, now);
    const isBack = recovery !== null && recovery.over !== null;
    if (isBack && this.#concurrency.restart()) this.#changed("the service is back", side);
    this.#recovered(recovery, now);
    // An outage of this process is entered with its end by now: what is open is of an earlier one.
    if (isFirst) for (const each of this.#sides) each.onThere();
  }

  #recovered(recovery: Recovery | null, now: number): void {
    if (recovery === null) return;
    const { over, givenBack } = recovery;
    for (const each of this.#sides) {
      each.onRecovered(givenBack);
      if (over === null) continue;
      const entry = { ...this.#outageEntry(each, over), until: Date.now(), givenBack: [...givenBack] };
      each.onBack({ forMs: now - over.since, entry });
    }
  }

  #outageEntry({ deployment }: AccountSide, { date, status }: GatewayOutage): OutageEntry {
    const { endpoint } = this.#options;
    return { deployment, endpoint, status, since: Math.floor(date), until: null, givenBack: [] };
  }

  get #openRuns(): number {
    return this.#sides.reduce((sum, { openRuns }) => sum + openRuns(), 0);
  }

  #notSent(outcome: Outcome, { queuedAt, answeredAt: now }: Sent, side: AccountSide): string | null {
    const { random, waits } = this.#options;
    if (outcome.localLimit) {
      if (this.#local.note(queuedAt, now))
        this.#pacer.pauseUntil(now + halfJitter(this.#local.count, random, waits.local));
      if (this.#concurrency.cut(now, { queuedAt })) this.#changed("a limit of this machine", side);
      return null;
    }
    if (!this.#outage.unreached(queuedAt, now)) return null;
    return this.#outage.patienceMs(now) <= 0 ? (outcome.error ?? "it cannot be reached") : null;
  }

  #slowDown({ status, limit, retryAfterMs }: Outcome, { queuedAt, answeredAt: now }: Sent, side: AccountSide): void {
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

  #changed(reason: string, { deployment, onChange }: AccountSide): void {
    const { endpoint } = this.#options;
    const { current: concurrency, ceiling } = this.#concurrency;
    const entry = { deployment, endpoint, at: Date.now(), concurrency, ceiling, rate: this.#pacer.rate, reason };
    onChange(entry);
  }
}

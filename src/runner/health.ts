import { isAnswerer, type OutcomeKind, outcomes } from "../api/outcomes.ts";
import { answererOf, type Outcome } from "../client/outcome.ts";
import { brokenStatus, statusWords } from "../lib/status-words.ts";
import { Account, type AccountOptions, type Moments, type PacedSide } from "./account.ts";
import { halfJitter } from "./backoff.ts";
import type { OutageEntry } from "./journal.ts";
import { type GatewayOutage, Outage, type Recovery } from "./outage.ts";
import { type RefusedRequest, type RefusalMeaning, Refusals } from "./refusals.ts";
import type { Stall } from "./tally.ts";
import { type ThrottleMeaning, Throttles } from "./throttles.ts";

/** A row that is refused alone waits no longer, whatever the service asks: others are answered meanwhile. */
const longestOwnWaitMs = 60_000;
/** Others wait as long as this for one row, and no longer before more rows were asked to wait. */
const longestWaitForOneMs = 10_000;

/** One of those who send with an account. */
export interface AccountSide extends PacedSide {
  /** Milliseconds for which it waits for an absent service; null: neither the suite nor a flag says. */
  waitForServiceMs: number | null;
  targetIds: ReadonlySet<number>;
  /** The service has answered in this batch, by an earlier process. */
  isProven: boolean;
  /** A request of another side has ended: look again. */
  onEnded: () => void;
  /** Jobs that are not finished and could be sent, now or later; two stand for more. */
  unfinished: () => number;
  /** True when a job is left that is none of these. */
  hasOther: (isOneOf: (jobId: number) => boolean) => boolean;
  /** Runs that the service has taken and that are asked for. */
  openRuns: () => number;
  /** True for the first job of a target while all others wait for it. */
  isFirst: (jobId: number) => boolean;
  /** Such a job is on its way. */
  isFirstSent: () => boolean;
  /** Called when gateways answer in the place of the service, with the jobs that they have answered. */
  onAway: (outage: Away, jobs: ReadonlySet<number>) => void;
  /** Called when it has waited for the service as long as it does. */
  onGivenUp: (reason: string, kind: OutcomeKind) => void;
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
  waits: false,
  isForgiven: false,
  isProbe: false,
};

/** A request as it was sent. */
interface Sent extends Moments {
  jobId: number;
  /** True when more was ready to be sent. */
  more: boolean;
}

/**
 * Knows the state of the service that an account sends to: away, throttling, or refusing rows, keys and targets. Reads from
 * each answer whom it is about, tells those who send, and has the account slow down.
 */
export class Health {
  /** Limits what is sent to it. */
  readonly account: Account;
  readonly #options: AccountOptions;
  #sides: readonly AccountSide[] = [];
  /** Sides that have nothing left to send. */
  readonly #idle = new WeakSet<AccountSide>();
  readonly #outage: Outage;
  readonly #refusals = new Refusals();
  readonly #throttles = new Throttles();

  constructor(options: AccountOptions) {
    const { random, waits } = options;
    this.#options = options;
    this.account = new Account(options);
    const statedMs = (): (number | null)[] => this.#sides.map(({ waitForServiceMs }) => waitForServiceMs);
    this.#outage = new Outage({ random, waits, statedMs, isProven: () => this.#isProven });
  }

  join(side: AccountSide): void {
    this.#sides = [...this.#sides, side];
  }

  /** A side has ended, and is told nothing more. */
  leave(side: AccountSide): void {
    this.#sides = this.#sides.filter((each) => each !== side);
    this.#refusals.forget(side);
    for (const other of this.#sides) other.onEnded();
  }

  /** Other sides send with the same account. */
  get isShared(): boolean {
    return this.#sides.length > 1;
  }

  /** The service is away, or lets nothing through for so long that it is not worth waiting for. */
  isAway(now: number): boolean {
    return this.#outage.isAway || this.account.isPausedForLong(now);
  }

  /** Why nothing leaves, where the service is the reason. The time that is left is that of this side. */
  stall(now: number, { waitForServiceMs }: AccountSide): Stall | null {
    const { isAway, since, gateway } = this.#outage;
    if (isAway) {
      const leftMs = this.#outage.patienceMs(now, waitForServiceMs);
      const nextMs = this.#outage.waitMs(now);
      return {
        why: `${this.#names} ${gateway === null ? "cannot be reached" : `answers ${statusWords(gateway.status)}`}`,
        forMs: now - since,
        nextMs: Number.isFinite(nextMs) && nextMs > 0 ? nextMs : null,
        leftMs: Number.isFinite(leftMs) ? Math.max(0, leftMs) : null,
      };
    }
    if (!this.isAway(now)) return null;
    return {
      why: `${this.#names} asks to slow down`,
      forMs: now - this.account.throttledSince,
      nextMs: null,
      leftMs: null,
    };
  }

  get #names(): string {
    return [...new Set(this.#sides.map(({ deployment }) => deployment))].join(" and ");
  }

  /** Milliseconds for which the time of jobs has stood still, because nothing could be done for them. */
  standstillMs(now: number): number {
    return this.#outage.standstillMs(now);
  }

  /** True when a job that waits may look for the service: no other can, and none does. */
  get wantsLook(): boolean {
    return this.isOpen ? !this.#outage.isLookedFor && this.#openRuns === 0 : this.account.inFlight === 0;
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
    return Math.max(this.account.pauseMs(now), Number.isFinite(lookMs) ? lookMs : 0);
  }

  /** A request of a target was accepted. `sentAt`: in milliseconds since 1970. */
  accepted(targetId: number, sentAt: number): void {
    this.#refusals.accepted(targetId, sentAt);
  }

  /** `isFirst`: all others wait for it. */
  refused(refusal: RefusedRequest, isFirst: boolean): RefusalMeaning {
    return this.#refusals.refused(refusal, !isFirst && this.account.inFlight > 1);
  }

  /** Another side has sent a first job of a target of this one: until the service has answered at all, that looks for it, too. */
  isAskedBeside(side: AccountSide): boolean {
    if (this.#throttles.hasSound || this.#outage.isAway) return false;
    return this.#besides(side).some(({ isFirstSent }) => isFirstSent());
  }

  /** Others that send to a target of this side. */
  #besides(side: AccountSide): AccountSide[] {
    const isShared = ({ targetIds }: AccountSide): boolean => [...side.targetIds].some((id) => targetIds.has(id));
    return this.#sides.filter((other) => other !== side && isShared(other));
  }

  /** A side has nothing left to send. True: it waits, until it is known whether rows of it that were refused are at fault. */
  nothingLeft(side: AccountSide): boolean {
    this.#idle.add(side);
    const waits = this.#refusals.isOpen(side);
    if (this.#besides(side).every((other) => this.#idle.has(other))) this.#refusals.nothingLeft(side.targetIds);
    return waits;
  }

  /** Milliseconds until a request may leave; infinite: not before one that is in flight ends. */
  waitMs(now: number): number {
    const { inFlight } = this.account;
    // The answers of those in flight may still show that the rows are at fault.
    if (inFlight > 0 && (this.#refusals.hasStreak || this.#throttles.isSilent)) return Number.POSITIVE_INFINITY;
    const { held, isOpen } = this.#outage;
    const slotMs = this.account.slotMs(now, held);
    if (slotMs > 0) return slotMs;
    // The questions for a run look for the service, and cost nothing.
    if (isOpen && this.#openRuns > 0) return Number.POSITIVE_INFINITY;
    return Math.max(this.pauseMs(now), this.#outage.waitMs(now));
  }

  /** A request leaves. */
  take(jobId: number, now: number): void {
    this.account.take(now);
    this.#outage.took(jobId);
  }

  /** The slot of a request is free; the other sides are told. `hasLeft`: it was allowed to leave, where that was asked. */
  ended(own: AccountSide, hasLeft: boolean): void {
    this.account.free(hasLeft);
    const streak = this.account.inFlight === 0 ? this.#refusals.takeStreak() : null;
    streak?.refused.at(-1)?.onStop(streak);
    for (const side of this.#sides) if (side !== own) side.onEnded();
  }

  /** A request that was to leave was not sent. */
  gaveBack(jobId: number): void {
    this.#outage.ended(jobId);
  }

  /** Learns from an outcome, before its slot is free. */
  answered(outcome: Outcome, sent: Sent, side: AccountSide): Learned {
    const throttle = this.#throttleOf(outcome, sent);
    if (throttle !== null) return this.#throttledBy(outcome, throttle, sent, side);
    const learned = { ...this.#learn(outcome, sent, side), outcome };
    this.#outage.ended(sent.jobId);
    if (!outcomes[outcome.kind].left) return learned;
    if (outcome.answeredBy === "service") this.#sound(sent, side);
    this.account.reached(outcome, sent, side);
    return learned;
  }

  /** The service has answered in this batch, by an earlier process. */
  get #isProven(): boolean {
    return this.#sides.some((side) => side.isProven);
  }

  /** Whom an answer is about that asks to slow down, be it by a 503 while others are answered. */
  #throttleOf(outcome: Outcome, { jobId, queuedAt, answeredAt: now }: Sent): ThrottleMeaning | null {
    if (!outcomes[outcome.kind].slowsDown && !this.#isLimit(outcome, jobId, queuedAt, now)) return null;
    const { status, retryAfterMs } = outcome;
    const isThere = this.#throttles.hasSound || this.#isProven;
    const isLong = isThere && (retryAfterMs ?? 0) > longestWaitForOneMs;
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
    this.account.gotThrough();
    this.#outage.throttled();
    const kind = meaning === "row" ? "rejected" : "throttled";
    const understood = { ...outcome, kind, possiblyPaid: false, answeredBy: null } as const;
    if (meaning === "limit" || meaning === "again") this.account.slowDown(understood, sent, side);
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

  /** Learns from the answer to a question for a run, which holds no slot. */
  asked(outcome: Outcome, sent: Omit<Sent, "more">, side: AccountSide): void {
    if (this.#isLimit(outcome, sent.jobId, sent.queuedAt, sent.answeredAt)) return;
    if (answererOf(outcome) === "service") this.#sound(sent, side);
    else if (isAnswerer(outcome.answeredBy, "tellsAway"))
      this.#gatewayAnswered(outcome, { ...sent, more: false }, side, false);
  }

  /** Reads from an answer whether the service is there. */
  #learn(outcome: Outcome, sent: Sent, side: AccountSide): Omit<Learned, "outcome"> {
    if (!outcomes[outcome.kind].left) this.#notSent(outcome, sent, side);
    else if (isAnswerer(outcome.answeredBy, "tellsAway")) return this.#gatewayAnswered(outcome, sent, side, true);
    else if (outcome.answeredBy !== "service") {
      this.#outage.unclear(sent.jobId, outcome, sent.answeredAt);
      this.#giveUpOpen(outcome, sent.answeredAt);
    }
    return nothingLearned;
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
      othersInFlight: this.account.inFlight - (hasSlot ? 1 : 0),
      isAlone: this.#sides.reduce((sum, { unfinished }) => sum + unfinished(), 0) <= 1,
      hasOther: (isOneOf) => this.#sides.some(({ hasOther }) => hasOther(isOneOf)),
      isFirst: side.isFirst(jobId),
      concurrency: this.account.places,
    });
    if (opened) this.#tellAway(jobs, now);
    this.#recovered(ended, now);
    this.#giveUpOpen(outcome, now);
    return { ...nothingLearned, ...meaning };
  }

  #tellAway(jobs: ReadonlySet<number>, now: number): void {
    const { gateway } = this.#outage;
    if (gateway === null) return;
    const { status } = gateway;
    for (const each of this.#sides) {
      const left = this.#outage.patienceMs(now, each.waitForServiceMs);
      const patienceMs = Number.isFinite(left) ? left : null;
      each.onAway({ status, patienceMs, entry: this.#outageEntry(each, gateway) }, jobs);
    }
  }

  /** Tells those whose time for a service is over in whose place a gateway answers. */
  #giveUpOpen({ kind }: Outcome, now: number): void {
    if (this.#outage.isOpen) this.#giveUp(this.#goodbye(now), kind, now);
  }

  #giveUp(reason: string, kind: OutcomeKind, now: number): void {
    for (const { waitForServiceMs, onGivenUp } of this.#sides)
      if (this.#outage.patienceMs(now, waitForServiceMs) <= 0) onGivenUp(reason, kind);
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
    if (isBack) this.account.restart(side);
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

  #notSent(outcome: Outcome, sent: Sent, side: AccountSide): void {
    const { queuedAt, answeredAt: now } = sent;
    if (outcome.localLimit) this.account.heldByMachine(sent, side);
    else if (this.#outage.unreached(queuedAt, now))
      this.#giveUp(outcome.error ?? "it cannot be reached", outcome.kind, now);
  }
}

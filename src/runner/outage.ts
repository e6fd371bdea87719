import type { Outcome } from "../client/outcome.ts";
import type { Random } from "../lib/random.ts";
import { halfJitter, restartOfRouterMs, Rounds, type Waits } from "./backoff.ts";

export interface OutageOptions {
  random: Random;
  waits: Waits;
  /** For each who sends: milliseconds for which an absent service is waited for, by the suite or a flag. */
  statedMs: () => readonly (number | null)[];
  /** An earlier process has had an answer of the service in this batch. */
  isProven: () => boolean;
}

/** An answer in the place of the service's own, and what it met. All moments are on the steady clock. */
export interface GatewayAnswer {
  jobId: number;
  /** A gateway's own answer; false: it was broken, which a single row may bring about. */
  isGateway: boolean;
  status: number;
  /** Milliseconds since 1970. */
  date: number;
  /** When the first of such answers in a row came, though they were taken for a limit of requests then. */
  firstAt: number;
  queuedAt: number;
  answeredAt: number;
  /** False for a question for a run, which holds no slot. */
  hasSlot: boolean;
  /** Others of the account that are in flight. */
  othersInFlight: number;
  /** Nothing else is left that could be sent. */
  isAlone: boolean;
  /** True when a job is left that is none of these. */
  hasOther: (isOneOf: (jobId: number) => boolean) => boolean;
  /** The first job of a target, for which all others wait. */
  isFirst: boolean;
  /** Requests that may be in flight. */
  concurrency: number;
}

/** The meaning of a gateway answer. */
interface GatewayMeaning {
  /** From now on the service is away. */
  opened: boolean;
  /** The jobs that gateways have answered until then. */
  jobs: ReadonlySet<number>;
  /** The job is not decided by this, and waits until more is known. */
  waits: boolean;
  /** It was sent before the service was back, and does not count. */
  isForgiven: boolean;
  /** It looked for the service. */
  isProbe: boolean;
  /** Ends the series, because its rows are at fault and the service is there; null: it goes on. */
  ended: Recovery | null;
}

const plain: GatewayMeaning = {
  opened: false,
  jobs: new Set(),
  waits: false,
  isForgiven: false,
  isProbe: false,
  ended: null,
};

/** A time in which gateways answer in the place of a service. */
export interface GatewayOutage {
  /** When the first answer came, on the steady clock. */
  since: number;
  /** The same as a date, in milliseconds since 1970. */
  date: number;
  /** The latest status. */
  status: number;
}

/** The end of a series of gateway answers. */
export interface Recovery {
  /** The outage that is over; null: there were too few answers to call the service away. */
  over: GatewayOutage | null;
  /** Jobs whose tries fell into it and are given back. */
  givenBack: ReadonlySet<number>;
}

/** Answers of gateways that no answer of the service itself has interrupted. */
interface Series extends GatewayOutage {
  number: number;
  answers: number;
  /** Slots that ended so, and are not filled again. */
  held: number;
  /** Jobs that were answered so. */
  jobs: Set<number>;
  /** At least one was a gateway's own answer. */
  hasGateway: boolean;
  /** Those since the service's latest own answer that were sent after it: they tell of the service as it is now. */
  latest: { answers: number; jobs: Set<number> };
  /** When nothing more was sent but probes. */
  openedAt: number | null;
  /** Probes in vain. */
  looks: number;
}

/** Times that a service which has never answered is looked for, unless the suite says how long it is to be waited for. */
const looksAtFirst = 5;
/** A job that is alone has to be answered so this often: a single row may be at fault, and not the service. */
const answersAlone = 3;
/** So many answers in a row, from two jobs or more, are an outage whatever is still in flight. */
const mostAnswers = 5;
/** A job waits for the end of so many outages, and gets its tries back so often: one that is the cause of them ends. */
const mostPatience = 2;

/**
 * Knows whether a service is away: it cannot be reached, or a gateway answers in its place (502, 503, 504, or 500 with a
 * page). Then one request at a time looks for it, after waits that double, until it answers itself or the patience of
 * all is over. Gateway answers go through three states, as in a circuit breaker: closed; suspect, from the second one in a
 * row, where a slot that ended so is not filled again; and open, where nothing leaves but the probe.
 */
export class Outage {
  readonly #options: OutageOptions;
  readonly #unreached = new Rounds();
  #series: Series | null = null;
  #seriesMade = 0;
  /** The latest answer of the service itself. */
  #soundAt = Number.NEGATIVE_INFINITY;
  #hasAnswered = false;
  /** The one request that looks whether the service is back. */
  #probe: number | null = null;
  #nextLookAt = 0;
  /** When the latest outage by gateway answers was over. */
  #backAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds of the outages that are over. */
  #awayMs = 0;
  /** Jobs that a gateway has answered while the service answered others: the fault may be theirs, and not the service's. */
  readonly #atFault = new Set<number>();
  /** Job to the series for whose end it waits or has waited. */
  readonly #waitedFor = new Map<number, Set<number>>();
  /** Job to the times that its tries were given back. */
  readonly #givenBack = new Map<number, number>();

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Nothing leaves but one request that looks for the service. */
  get isAway(): boolean {
    return this.isUnreached || this.isOpen;
  }

  get isUnreached(): boolean {
    return this.#unreached.count > 0;
  }

  /** Gateways answer in the place of the service. */
  get isOpen(): boolean {
    return this.#series !== null && this.#series.openedAt !== null;
  }

  /** Slots that are not filled again while it is not sure whether the service is away. */
  get held(): number {
    return this.#series === null || this.isOpen ? 0 : this.#series.held;
  }

  /** The present outage by gateway answers. */
  get gateway(): GatewayOutage | null {
    return this.#series !== null && this.isOpen ? this.#series : null;
  }

  /** When the present outage began. Only while the service is away. */
  get since(): number {
    const { since: unreached, count } = this.#unreached;
    const gateway = this.gateway?.since ?? Number.POSITIVE_INFINITY;
    return count > 0 ? Math.min(unreached, gateway) : gateway;
  }

  /** Milliseconds until the service may be looked for; infinite while a request does. 0 while it is not away. */
  waitMs(now: number): number {
    if (!this.isAway) return 0;
    return this.#probe === null ? Math.max(0, this.#nextLookAt - now) : Number.POSITIVE_INFINITY;
  }

  /** A request is on its way that looks for the service. */
  get isLookedFor(): boolean {
    return this.#probe !== null;
  }

  /** Milliseconds for which the service is still waited for by one who waits so long; infinite while only the times are counted. */
  patienceMs(now: number, statedMs: number | null): number {
    const isKnown = this.#hasAnswered || (this.isOpen && this.#options.isProven());
    if (statedMs === null && !isKnown) {
      const looks = Math.max(this.#unreached.count, this.#series?.looks ?? 0);
      return looks >= looksAtFirst ? 0 : Number.POSITIVE_INFINITY;
    }
    return this.since + (statedMs ?? restartOfRouterMs) - now;
  }

  /** Milliseconds for which the time of jobs has stood still, because nothing could be done for them. */
  standstillMs(now: number): number {
    const openedAt = this.#series?.openedAt ?? null;
    return this.#awayMs + (openedAt === null ? 0 : now - openedAt);
  }

  /** A request leaves: while the service is away, it is the one that looks for it. */
  took(jobId: number): void {
    if (this.isAway) this.#probe = jobId;
  }

  /** A request has ended, or was not sent: it looks for the service no longer. */
  ended(jobId: number): void {
    if (this.#probe === jobId) this.#probe = null;
  }

  /** True for a job that waits until it is known whether the service is away, or until it is back. */
  isWaiting(jobId: number): boolean {
    return this.#isSuspect && this.#series?.jobs.has(jobId) === true;
  }

  /** The number of times that the tries of a job were given back. */
  givenBackTo(jobId: number): number {
    return this.#givenBack.get(jobId) ?? 0;
  }

  /** A request could not be sent. Returns false when it belongs to a look that was counted. */
  unreached(queuedAt: number, now: number): boolean {
    if (!this.#unreached.note(queuedAt, now)) return false;
    if (this.#series !== null) this.#series.looks += 1;
    this.#lookAgain(Math.max(this.#unreached.count, this.#series?.looks ?? 0), now);
    return true;
  }

  /** The service asks to slow down: it can be reached, and that is all that is known. */
  throttled(): void {
    this.#hasAnswered = true;
    this.#unreached.end();
  }

  /** Nothing is known but that something is there: a time-out, or an answer that broke off. */
  unclear(jobId: number, { status }: Outcome, now: number): void {
    if (status !== null) this.#hasAnswered = true;
    this.#unreached.end();
    if (this.#series !== null) this.#looked(this.#series, jobId, now);
  }

  /** The service has answered a job itself. Returns what that ends, or null. */
  sound(jobId: number, queuedAt: number, now: number): Recovery | null {
    const series = this.#series;
    this.#atFault.delete(jobId);
    this.#hasAnswered = true;
    this.#soundAt = now;
    this.#unreached.end();
    if (series === null) return null;
    series.latest = { answers: 0, jobs: new Set() };
    // A request that was sent before tells how the service was then: one that is being shut down still ends what it has begun.
    if (queuedAt < series.since) return null;
    if (series.openedAt === null) for (const id of series.jobs) this.#atFault.add(id);
    if (series.openedAt !== null) return this.#end(series, series.openedAt, now);
    this.#series = null;
    return { over: null, givenBack: new Set() };
  }

  #end(series: Series, openedAt: number, now: number): Recovery {
    this.#close(openedAt, now);
    // It was there at the first look: that may have been rows, and no outage. They have their tries back, but open nothing again.
    if (series.looks <= 1) for (const id of series.jobs) this.#atFault.add(id);
    const givenBack = new Set([...series.jobs].filter((jobId) => this.#giveBack(jobId)));
    return { over: series, givenBack };
  }

  #close(openedAt: number | null, now: number): void {
    this.#series = null;
    if (openedAt === null) return;
    this.#backAt = now;
    this.#awayMs += now - openedAt;
  }

  /**
   * True where only jobs are left that gateways have answered, and most of those were answered so while others had their
   * answers: then it is the rows that fail, and no job waits for a service that is there.
   */
  #isOfRows({ jobId, hasOther }: GatewayAnswer): boolean {
    const doubtful = new Set([...(this.#series?.jobs ?? []), jobId].filter((id) => !this.#atFault.has(id)));
    if (this.#atFault.size <= doubtful.size) return false;
    // Those that ended before tell nothing of the ones that are left.
    let known = 0;
    const isOther = hasOther((id) => {
      if (!this.#atFault.has(id)) return doubtful.has(id);
      known += 1;
      return true;
    });
    return !isOther && known > doubtful.size;
  }

  /** Ends what was taken for an outage: the jobs that failed in it have no tries back. */
  #blameRows(jobId: number, now: number): GatewayMeaning {
    const series = this.#series;
    for (const id of [...(series?.jobs ?? []), jobId]) this.#atFault.add(id);
    if (series === null) return plain;
    this.#close(series.openedAt, now);
    return { ...plain, ended: { over: series.openedAt === null ? null : series, givenBack: new Set() } };
  }

  /** A gateway has answered. */
  gatewayAnswered(answer: GatewayAnswer): GatewayMeaning {
    const { jobId, queuedAt, answeredAt: now } = answer;
    const wasUnreached = this.isUnreached;
    const unreachedSince = this.#unreached.since;
    const looksBefore = this.#unreached.count;
    this.#unreached.end();
    if (!wasUnreached && this.#isOfRows(answer)) return this.#blameRows(jobId, now);
    if (this.#series === null && queuedAt < this.#backAt) return { ...plain, isForgiven: this.#giveBack(jobId) };
    if (!this.isOpen && !wasUnreached && this.#atFault.has(jobId)) {
      if (this.#series !== null && answer.hasSlot) this.#series.held += 1;
      // Where it becomes an outage, this try is given back like all that fell into it.
      this.#series?.jobs.add(jobId);
      return plain;
    }
    const since = wasUnreached ? unreachedSince : answer.firstAt;
    const date = answer.date - (now - answer.firstAt);
    const series = (this.#series ??= this.#begin({ since, date, status: 0 }, looksBefore));
    series.status = answer.status;
    series.hasGateway ||= answer.isGateway;
    series.answers += 1;
    series.jobs.add(jobId);
    if (series.openedAt !== null) {
      this.#looked(series, jobId, now);
      return { ...plain, waits: this.#mayWait(jobId, series), isProbe: this.#probe === jobId };
    }
    if (queuedAt > this.#soundAt) {
      series.latest.answers += 1;
      series.latest.jobs.add(jobId);
    }
    if (series.answers > 1 && answer.hasSlot) series.held += 1;
    // The first request of all is a look already, as one is that was sent to a service out of reach.
    const isLook = wasUnreached || (answer.isFirst && answer.isGateway);
    const opened = isLook || isOutage(series, answer);
    if (opened) {
      series.openedAt = now;
      if (isLook) series.looks += 1;
      this.#lookAgain(Math.max(1, series.looks), now);
    }
    // Broken answers to one job alone are its own: it keeps to its tries.
    const isShared = opened || series.hasGateway || series.jobs.size > 1;
    const waits = this.#isSuspect && isShared && this.#mayWait(jobId, series);
    return { ...plain, opened, jobs: series.jobs, waits, isProbe: isLook };
  }

  get #isSuspect(): boolean {
    return this.#series !== null && (this.#series.answers > 1 || this.isOpen);
  }

  #begin(first: GatewayOutage, looks: number): Series {
    this.#seriesMade += 1;
    return {
      ...first,
      number: this.#seriesMade,
      answers: 0,
      held: 0,
      jobs: new Set(),
      hasGateway: false,
      latest: { answers: 0, jobs: new Set() },
      openedAt: null,
      looks,
    };
  }

  /** An answer in vain: only that of a probe is a look. */
  #looked(series: Series, jobId: number, now: number): void {
    if (series.openedAt === null || this.#probe !== jobId) return;
    series.looks += 1;
    this.#lookAgain(series.looks, now);
  }

  #lookAgain(looks: number, now: number): void {
    const { random, waits } = this.#options;
    // The last look is at the end of the time for which it is waited.
    const patience = this.#options.statedMs().map((ms) => this.patienceMs(now, ms));
    const ends = patience.filter((ms) => ms > 0);
    this.#nextLookAt = now + Math.min(...ends, halfJitter(looks, random, waits.unreached));
  }

  #mayWait(jobId: number, { number }: Series): boolean {
    const waited = this.#waitedFor.get(jobId) ?? new Set();
    if (!waited.has(number) && waited.size >= mostPatience) return false;
    this.#waitedFor.set(jobId, waited.add(number));
    return true;
  }

  #giveBack(jobId: number): boolean {
    const times = this.givenBackTo(jobId);
    if (times >= mostPatience) return false;
    this.#givenBack.set(jobId, times + 1);
    return true;
  }
}

/** True where so many answers of gateways, or broken ones, are an outage. */
function isOutage(
  { answers, jobs, hasGateway, latest }: Series,
  { concurrency, othersInFlight, isAlone }: GatewayAnswer,
): boolean {
  if (latest.answers >= Math.min(mostAnswers, Math.max(2, concurrency)) && latest.jobs.size > 1) return true;
  if (answers < 2 || othersInFlight > 0) return false;
  return jobs.size > 1 || (hasGateway && (!isAlone || answers >= answersAlone));
}

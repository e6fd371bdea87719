import type { Rate } from "../suite/suite.ts";

/** Added to a window so that jitter between us and the service does not make two windows touch. */
const marginOf = (windowMs: number): number => Math.min(250, Math.ceil(windowMs * 0.02));

/** Longest window over which requests are spread: a burst would be blurred into the next one on its way. */
const spreadUpToMs = 10_000;
/** Greatest delay that may be made up for. */
const slackMs = 50;
/** Number of the latest requests that are remembered for a limit that is learned later. */
const remembered = 1_024;
/** Learned limits that are kept at a time. */
const mostLearned = 4;
/** No window is longer: the journal looks no further back. */
const longestWindowMs = 24 * 3_600_000;
/** Times that one window holds at the most. */
const mostTimes = 65_536;

/**
 * When may the next request leave? Keeps sliding windows (at most N requests in any window) and a pause that the service asked for.
 * All times are milliseconds of one steady clock and come from the caller.
 */
export class Pacer {
  #windows: Window[] = [];
  #tightest: Rate | null = null;
  readonly #configured: number;
  /** The times of the latest requests of this process, as a ring. */
  readonly #latest: number[] = [];
  #taken = 0;
  #notBefore = 0;

  /** `history` gives the times of the requests of the last so many milliseconds, oldest first: a restart does not empty the windows. */
  constructor(rate: Rate | null, history: (withinMs: number) => number[]) {
    if (rate !== null) this.#windows.push(new Window(rate, history(lookBackMs(rate))));
    this.#configured = this.#windows.length;
    this.#tightest = rate;
  }

  /** The tightest limit that is kept, or null. */
  get rate(): Rate | null {
    return this.#tightest;
  }

  /** Milliseconds until a request may leave; 0: now. */
  waitMs(now: number): number {
    let at = this.#notBefore;
    for (const window of this.#windows) at = Math.max(at, window.opensAt());
    return Math.max(0, at - now);
  }

  /** Counts a request that leaves now. */
  take(now: number): void {
    this.#latest[this.#taken++ % remembered] = now;
    for (const window of this.#windows) window.take(now);
  }

  /** Sends nothing before this time; a shorter pause never shortens a longer one. */
  pauseUntil(at: number): void {
    this.#notBefore = Math.max(this.#notBefore, at);
  }

  /** Keeps a limit that the service stated, if it is tighter than what is kept. Returns whether it was. */
  lower(stated: Rate, history?: (withinMs: number) => number[]): boolean {
    const rate = { count: Math.max(1, Math.floor(stated.count)), windowMs: Math.min(stated.windowMs, longestWindowMs) };
    if (this.#tightest !== null && perSecond(rate) >= perSecond(this.#tightest)) return false;
    const earlier = history === undefined ? this.#latest.toSorted((a, b) => a - b) : history(lookBackMs(rate));
    const learned = this.#windows.slice(this.#configured).slice(1 - mostLearned);
    this.#windows = [...this.#windows.slice(0, this.#configured), ...learned, new Window(rate, earlier)];
    this.#tightest = tightest(this.#windows.map((window) => window.rate));
    return true;
  }
}

/** The one of these rates that lets the fewest through; null when there is none. */
export function tightest(rates: readonly Rate[]): Rate | null {
  return rates.toSorted((a, b) => perSecond(a) - perSecond(b))[0] ?? null;
}

const perSecond = (rate: Rate): number => (rate.count * 1000) / rate.windowMs;

const lookBackMs = ({ windowMs }: Rate): number => windowMs * 1.1;

/** The times of the latest requests in a ring, and how far apart they are to be. */
class Window {
  readonly rate: Rate;
  readonly #windowMs: number;
  readonly #times: Float64Array;
  readonly #spacingMs: number;
  #next = 0;
  /** When the next request would be due at an even pace. */
  #due = 0;

  constructor(rate: Rate, earlier: number[]) {
    this.rate = rate;
    // So many in so long is kept by half as many in half of the time, and so on.
    const share = 2 ** Math.max(0, Math.ceil(Math.log2(rate.count / mostTimes)));
    this.#windowMs = rate.windowMs / share;
    this.#times = new Float64Array(Math.floor(rate.count / share));
    this.#spacingMs = this.#windowMs <= spreadUpToMs ? rate.windowMs / rate.count : 0;
    for (const time of earlier) this.take(time);
  }

  /** When the request `count` before the next one is old enough, and the next one is due. */
  opensAt(): number {
    const oldest = this.#times[this.#next] ?? 0;
    const free = oldest === 0 ? 0 : oldest + this.#windowMs + marginOf(this.#windowMs);
    return Math.ceil(Math.max(free, this.#due - slackMs));
  }

  take(now: number): void {
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % this.#times.length;
    if (this.#spacingMs > 0) this.#due = Math.max(this.#due, now) + this.#spacingMs;
  }
}

import type { Random } from "../lib/random.ts";

/** A wait that doubles from `baseMs` with every failure in a row, up to `capMs`. */
interface Growth {
  baseMs: number;
  capMs: number;
}

/** Waiting times of an endpoint queue, by the reason for waiting. */
export interface Waits {
  /** Wait before a job that failed is tried again. */
  retry: Growth;
  /** Wait before asking again a service that throttles and does not say for how long. */
  throttled: Growth;
  /** The same for a proxy that refuses in its place with 503: it lets the next one through in a fraction of a second. */
  refused: Growth;
  /** Wait before looking again for a deployment that could not be reached. */
  unreached: Growth;
  /** Wait for this machine to have files, ports or memory again. */
  local: Growth;
  /** The shortest and the longest that a service may make us wait at a time, whatever it asks for. */
  asked: { leastMs: number; mostMs: number };
  /** Wait before asking for a run again: as long as it goes on, and longer while the service does not tell. */
  ask: Growth;
  /** In lockstep, a side that gives no sign for so long no longer holds the others back. */
  lockstepMs: number;
}

/** A service that has answered before is waited for this long; one that never has, until it was looked for a few times. */
export const restartOfRouterMs = 300_000;

export const defaultWaits: Waits = {
  retry: { baseMs: 1_000, capMs: 60_000 },
  throttled: { baseMs: 2_000, capMs: 120_000 },
  refused: { baseMs: 500, capMs: 120_000 },
  unreached: { baseMs: 500, capMs: 30_000 },
  local: { baseMs: 250, capMs: 30_000 },
  asked: { leastMs: 50, mostMs: 3_600_000 },
  // The service hashes the key of every request, which takes it as long as a short answer.
  ask: { baseMs: 3_000, capMs: 60_000 },
  lockstepMs: 60_000,
};

const grown = (failures: number, { baseMs, capMs }: Growth): number => Math.min(capMs, baseMs * 2 ** (failures - 1));

/**
 * Milliseconds to wait before try number `failures` + 1: full jitter, uniform in [0, min(cap, base * 2^(failures - 1))).
 * Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
 */
export function fullJitter(failures: number, random: Random, growth: Growth = defaultWaits.retry): number {
  return random() * grown(failures, growth);
}

/** The same with at least half of the wait: for one who asks alone, where nothing is gained by asking at once. */
export function halfJitter(failures: number, random: Random, growth: Growth): number {
  const longest = grown(failures, growth);
  return longest / 2 + (random() * longest) / 2;
}

/** Counts how often in a row something happened. Answers to requests that were in flight together count once. */
export class Rounds {
  count = 0;
  /** When it began to happen. */
  since = 0;
  #at = Number.NEGATIVE_INFINITY;

  /** Takes note of what happened to a request that was queued at `queuedAt`; true when that is a new round. */
  note(queuedAt: number, now: number): boolean {
    if (this.count > 0 && queuedAt <= this.#at) return false;
    if (this.count === 0) this.since = now;
    this.count += 1;
    this.#at = now;
    return true;
  }

  end(): void {
    this.count = 0;
  }
}

import { Rounds } from "./backoff.ts";

/**
 * The meaning of an answer that asks to slow down.
 * - `limit`: the service limits everybody, who wait; the job goes first after that
 * - `again`: the same, and others go before it: whether the row is at fault, they tell
 * - `job`: this job alone is refused while others are answered: it goes behind others, and nobody waits
 * - `row`: it never gets through, and fails
 */
export type ThrottleMeaning = "limit" | "again" | "job" | "row";

/** A job that was throttled so often, with others answered between, never gets through. */
const mostTimes = 5;
/** So often it slows the others down, too. */
const timesForAll = 2;
/**
 * After so many further refusals of throttled jobs, while others were answered and none of these jobs got through, the rows
 * are refused: the next one slows nobody down.
 */
const refusalsToKnow = 4;
/** So many rounds of 503 in a row, and all in so short a time, may be a rate limit; further ones are an outage. */
const mostRounds = 2;
const limitMs = 2_500;

/** A job that was throttled, and has not got through since. */
interface ThrottledJob {
  /** Times with others answered between. */
  times: number;
  /** Number of sound answers when it was counted last. */
  sound: number;
  /** When it was refused while nobody waits: the next request to be sent tells whether others are refused, too. */
  refusedAt: number | null;
}

/** Tells a limit of requests from a row that is refused by itself, and from an outage. */
export class Throttles {
  /** Answers of the service itself. */
  #sound = 0;
  /** Answers 503 since the latest of those. */
  readonly #unavailable = new Rounds();
  readonly #jobs = new Map<number, ThrottledJob>();
  /** Further refusals of throttled jobs since one of them got through. */
  #refusedAgain = 0;

  get hasSound(): boolean {
    return this.#sound > 0;
  }

  /** The service has answered a job itself. */
  sound(jobId: number, queuedAt: number): void {
    this.#sound += 1;
    this.#unavailable.end();
    for (const job of this.#refusedBefore(queuedAt)) {
      job.times += 1;
      job.refusedAt = null;
    }
    // A job that was throttled gets through: the limit is for all.
    if (!this.#jobs.delete(jobId)) return;
    this.#jobs.clear();
    this.#refusedAgain = 0;
  }

  /** True for a 503 while others are answered: a limit of requests, and no outage. */
  isLimit(jobId: number, queuedAt: number, now: number): boolean {
    if (this.#sound === 0) return false;
    this.#unavailable.note(queuedAt, now);
    const { count, since } = this.#unavailable;
    return count <= mostRounds || now - since < limitMs || this.isOfJob(jobId);
  }

  /** True while 503s have come and nothing else since: one request at a time tells whether the service is there. */
  get isSilent(): boolean {
    return this.#unavailable.count > 0;
  }

  /** When the 503s in a row began; `now` where there are none. */
  unavailableSince(now: number): number {
    return this.#unavailable.count === 0 ? now : this.#unavailable.since;
  }

  /** True for a job that was throttled while others were answered: more than once, or where other rows are known to be refused. */
  isOfJob(jobId: number): boolean {
    return (this.#jobs.get(jobId)?.times ?? 0) >= (this.#isKnown ? 1 : timesForAll);
  }

  /** Rows are refused, and no limit of requests is in the way. */
  get #isKnown(): boolean {
    return this.#refusedAgain >= refusalsToKnow;
  }

  /** A job was throttled. `isLeft`: no other job is left, or only such ones. */
  throttled(
    jobId: number,
    { queuedAt, now, isLeft }: { queuedAt: number; now: number; isLeft: boolean },
  ): ThrottleMeaning {
    for (const job of this.#refusedBefore(queuedAt)) job.refusedAt = null;
    const isKnown = this.#isKnown;
    const job = this.#jobs.get(jobId);
    if (job === undefined) {
      this.#jobs.set(jobId, { times: 1, sound: this.#sound, refusedAt: null });
      // Where others had their answers, one that was not refused tells more than the same one again.
      return isKnown ? "job" : this.hasSound ? "again" : "limit";
    }
    const isBetween = this.#sound > job.sound;
    job.sound = this.#sound;
    if (isBetween) this.#refusedAgain += 1;
    if (job.times >= mostTimes - 1 && (isBetween || isLeft)) {
      this.#jobs.delete(jobId);
      return "row";
    }
    if (isLeft && (isKnown || job.times >= timesForAll)) {
      job.times += 1;
      return isKnown ? "job" : "limit";
    }
    if (!isBetween) return "again";
    if (job.times < timesForAll) {
      job.times += 1;
      return isKnown ? "job" : "again";
    }
    job.refusedAt = now;
    return "job";
  }

  /** The jobs that wait for an answer to a request which was sent after they were refused. */
  #refusedBefore(queuedAt: number): ThrottledJob[] {
    return [...this.#jobs.values()].filter(({ refusedAt }) => refusedAt !== null && refusedAt < queuedAt);
  }
}

import { Rounds } from "./backoff.ts";

/**
 * The meaning of an answer that asks to slow down.
 * - `limit`: the service limits everybody, who wait; the job goes first after that
 * - `again`: the same, and others go before it: whether the row is at fault, they tell
 * - `job`: this job alone is refused while others are answered: it goes behind others, which do not wait
 * - `last`: no other is left to tell; it waits by itself, longer each time
 * - `row`: it never gets through, and fails
 */
export type ThrottleMeaning = "limit" | "again" | "job" | "last" | "row";

/** A job that was throttled so often, with others answered between, never gets through. */
const mostTimes = 5;
/** So often it slows the others down, too. */
const timesForAll = 2;
/**
 * After so many further refusals of throttled jobs, while others were answered and none of these jobs got through, the rows
 * are refused: the next one slows no other down.
 */
const refusalsToKnow = 4;
/** So many jobs in a row that are refused, with none answered between, are refused by a limit for all. */
const jobsForAll = 5;
/** So many rounds of 503 in a row, and all in so short a time, may be a rate limit; further ones are an outage. */
const mostRounds = 2;
const limitMs = 2_500;

/** A job that was throttled, and has not got through since. */
interface ThrottledJob {
  status: number | null;
  /** Times with others answered between, or with no other left. */
  times: number;
  /** It was refused more than once with others answered between. */
  isAgain: boolean;
  /** Number of sound answers when it was counted last. */
  sound: number;
  /** When it was refused while no other waits: the next request to be sent tells whether others are refused, too. */
  refusedAt: number | null;
}

/** A request that was throttled, as it was sent and answered. */
interface ThrottledRequest {
  queuedAt: number;
  now: number;
  status: number | null;
  /** No other job is left that could tell whether this row is at fault. */
  isLast: boolean;
  /** A service that has answered asks for a wait that is too long for others to wait for a row. */
  isLong: boolean;
}

/** Tells a limit of requests from a row that is refused by itself, and from an outage. */
export class Throttles {
  /** Answers of the service itself. */
  #sound = 0;
  /** Answers 503 since the latest of those. */
  readonly #unavailable = new Rounds();
  /** Jobs that were throttled since the latest of those. */
  readonly #inARow = new Set<number>();
  readonly #jobs = new Map<number, ThrottledJob>();
  /** Status to the job of each further refusal while others were answered, since a throttled job got through. */
  readonly #again = new Map<number | null, number[]>();

  get hasSound(): boolean {
    return this.#sound > 0;
  }

  /** The service has answered a job itself. */
  sound(jobId: number, queuedAt: number): void {
    this.#sound += 1;
    this.#unavailable.end();
    this.#inARow.clear();
    for (const job of this.#refusedBefore(queuedAt)) {
      job.times += 1;
      job.refusedAt = null;
    }
    // A job that was throttled gets through: the limit is for all.
    if (!this.#jobs.delete(jobId)) return;
    this.#jobs.clear();
    this.#again.clear();
  }

  /** True for a 503 while others are answered: a limit of requests, and no outage. */
  isLimit(jobId: number, queuedAt: number, now: number): boolean {
    if (this.#sound === 0) return false;
    this.#unavailable.note(queuedAt, now);
    const { count, since } = this.#unavailable;
    return count <= mostRounds || now - since < limitMs || this.#isOfJob(this.#jobs.get(jobId), 503);
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
    const job = this.#jobs.get(jobId);
    return job !== undefined && this.#isOfJob(job, job.status);
  }

  #isOfJob(job: ThrottledJob | undefined, status: number | null): boolean {
    if (job === undefined || job.status !== status) return false;
    return job.isAgain || (this.#isKnown(status) && this.#sound > job.sound);
  }

  /**
   * True when no other job is left that could tell whether a row is at fault: all are refused by themselves, or no more are in
   * doubt than rows are known to be refused in the same way. Short of that, it is the service.
   */
  isLast(jobId: number, status: number | null, hasOther: (isOneOf: (id: number) => boolean) => boolean): boolean {
    let doubtful = 0;
    const isOther = hasOther((id) => {
      if (this.isOfJob(id)) return true;
      if (id !== jobId && !this.#jobs.has(id)) return false;
      doubtful += 1;
      return true;
    });
    return !isOther && doubtful <= new Set(this.#again.get(status)).size;
  }

  /** Rows are refused with this status, and no limit of requests is in the way. */
  #isKnown(status: number | null): boolean {
    return (this.#again.get(status)?.length ?? 0) >= refusalsToKnow;
  }

  /** A job was throttled. */
  throttled(jobId: number, { queuedAt, now, status, isLast, isLong }: ThrottledRequest): ThrottleMeaning {
    for (const each of this.#refusedBefore(queuedAt)) each.refusedAt = null;
    const isForAll = this.#inARow.add(jobId).size >= jobsForAll;
    const isOfRow = !isForAll && (this.#isKnown(status) || isLong);
    // Where others had their answers, one that was not refused tells more than the same one again.
    const meaning = isOfRow ? "job" : this.hasSound ? "again" : "limit";
    const job = this.#jobs.get(jobId);
    if (job === undefined || job.status !== status) {
      this.#jobs.set(jobId, { status, times: 1, isAgain: false, sound: this.#sound, refusedAt: null });
      return isLast ? "last" : meaning;
    }
    const isBetween = this.#sound > job.sound;
    job.sound = this.#sound;
    if (isBetween) {
      job.isAgain = true;
      const again = this.#again.get(status) ?? [];
      this.#again.set(status, again.concat(jobId));
    }
    if (job.times >= mostTimes - 1 && (isBetween || isLast)) {
      this.#jobs.delete(jobId);
      return "row";
    }
    if (isLast) {
      job.times += 1;
      return "last";
    }
    if (!isBetween) return "again";
    if (job.times < timesForAll) {
      job.times += 1;
      return meaning;
    }
    job.refusedAt = now;
    return "job";
  }

  /** The number of times that a job was refused so far. */
  timesOf(jobId: number): number {
    return this.#jobs.get(jobId)?.times ?? 0;
  }

  /** The jobs that wait for an answer to a request which was sent after they were refused. */
  #refusedBefore(queuedAt: number): ThrottledJob[] {
    return [...this.#jobs.values()].filter(({ refusedAt }) => refusedAt !== null && refusedAt < queuedAt);
  }
}

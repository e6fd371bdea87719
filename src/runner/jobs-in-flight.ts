/** When a job was sent, and when its time is over, on the steady clock. */
interface Sent {
  since: number;
  until: number;
}

/** Jobs of an endpoint queue whose answers are due, the earliest first, and how long answers take. */
export class JobsInFlight {
  readonly #jobs = new Map<number, Sent>();
  #slowestMs = 0;

  get size(): number {
    return this.#jobs.size;
  }

  some(isMeant: (jobId: number) => boolean): boolean {
    return [...this.#jobs.keys()].some(isMeant);
  }

  start(jobId: number, now: number, timeoutMs: number): void {
    this.#jobs.set(jobId, { since: now, until: now + timeoutMs });
  }

  end(jobId: number): void {
    this.#jobs.delete(jobId);
  }

  /** Notes how long an answer has taken. */
  took(ms: number): void {
    this.#slowestMs = Math.max(this.#slowestMs, ms);
  }

  /** Milliseconds until the last of them has ended, at the latest. */
  finishesWithinMs(now: number): number {
    return Math.max(0, ...[...this.#jobs.values()].map(({ until }) => until - now));
  }

  /** True when nothing has come for longer than `patienceMs`, and for far longer than answers take: the service hangs. */
  isSilent(now: number, finishedAt: number, patienceMs: number): boolean {
    const [earliest] = this.#jobs.values();
    if (earliest === undefined) return false;
    return now - Math.max(earliest.since, finishedAt) > Math.max(patienceMs, 3 * this.#slowestMs);
  }
}

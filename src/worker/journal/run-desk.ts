import { setTimeout as delay } from "node:timers/promises";
import type { AskedRun } from "../../runner/account-limits.ts";
import type { HeardOutage } from "../../runner/outage.ts";
import { waker } from "../../runner/waker.ts";
import type { AskedRuns } from "../postgres/asked-runs.ts";

/** A service that answers itself is told of this often, unless it is in question whether it is there. */
const calmMs = 1_000;

interface RunDeskOptions {
  /** The database's clock. */
  now: () => number;
  /** Enters the answers; null: the database did not take them. */
  enter: (asked: AskedRuns) => Promise<HeardOutage | null>;
  onHeard: (heard: HeardOutage) => void;
}

/**
 * Tells the database who answers the questions for the runs of a chunk, many answers in one statement: those of gateways at
 * once. Answers of the service itself are told now and then, so that a worker that only asks hears how the others find it.
 */
export class RunDesk {
  readonly #options: RunDeskOptions;
  readonly #waker = waker();
  #soundAt: number | null = null;
  #gateway = new Map<number, number>();
  #status: number | null = null;
  #isInQuestion = false;
  #isRunning = false;
  #isClosed = false;

  constructor(options: RunDeskOptions) {
    this.#options = options;
  }

  answered({ jobId, answeredBy, forMs }: AskedRun): void {
    const askedAt = Math.round(this.#options.now() - forMs);
    if (answeredBy === "service") this.#soundAt = Math.max(this.#soundAt ?? 0, askedAt);
    else {
      this.#gateway.set(jobId, askedAt);
      this.#status = answeredBy.gateway;
    }
    this.#waker.wake();
    if (!this.#isRunning && !this.#isClosed) void this.#run();
  }

  /** Others have told of the service. */
  heard({ isSuspect, away }: HeardOutage): void {
    this.#isInQuestion = isSuspect || away !== null;
    if (this.#isInQuestion) this.#waker.wake();
  }

  /** Nothing more is told. */
  close(): void {
    this.#isClosed = true;
    this.#waker.wake();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let toldAt = Number.NEGATIVE_INFINITY;
    while (!this.#isClosed && (this.#soundAt !== null || this.#gateway.size > 0)) {
      const leftMs = toldAt + calmMs - performance.now();
      if (leftMs > 0 && this.#gateway.size === 0 && !this.#isInQuestion) {
        await this.#waker.changeWithin(leftMs);
        continue;
      }
      toldAt = performance.now();
      await this.#tell();
    }
    this.#isRunning = false;
  }

  async #tell(): Promise<void> {
    const { enter, onHeard } = this.#options;
    const gateway = [...this.#gateway].map(([job, askedAt]) => ({ job, askedAt }));
    const asked = { soundAt: this.#soundAt, gateway, status: this.#status };
    this.#soundAt = null;
    this.#gateway = new Map();
    const heard = await enter(asked);
    if (heard === null) {
      await delay(calmMs);
      return;
    }
    this.heard(heard);
    if (!this.#isClosed) onHeard(heard);
  }
}

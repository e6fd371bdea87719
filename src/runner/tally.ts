import { type OutcomeKind, outcomes } from "../api/outcomes.ts";
import type { Outcome } from "../client/outcome.ts";
import { steadyNow } from "../lib/clock.ts";
import type { Rate } from "../suite/suite.ts";
import type { Decision } from "./decision.ts";

/** The reason why nothing leaves for a while. */
export interface Stall {
  /** A sentence that goes on with "for 40 s": "prod cannot be reached". */
  why: string;
  /** Milliseconds since it began. */
  forMs: number;
  /** Milliseconds until it is asked again; null: it is asked now, or the time is not known. */
  nextMs: number | null;
  /** Milliseconds for which it is waited for at the most; null: however long it takes. */
  leftMs: number | null;
}

/** State of an endpoint queue, for a progress line. */
export interface QueueSnapshot {
  /** `deployment/endpoint`. */
  name: string;
  deployment: string;
  /** Jobs to do when the queue began. */
  total: number;
  /** Jobs finished since, whatever their outcome. */
  done: number;
  failed: number;
  inFlight: number;
  /** Milliseconds until the last of them has ended, at the latest by its time-out; 0 when nothing is in flight, infinite where that is not known. */
  finishesWithinMs: number;
  /** Jobs that wait for a back-off. */
  waiting: number;
  /** Unfinished jobs of targets to which nothing more is sent. */
  leftOut: number;
  /** Attempts that were made again for what had failed. */
  retries: number;
  throttled: number;
  /** Attempts by outcome, `ok` apart. */
  errors: Partial<Record<OutcomeKind, number>>;
  /** Concurrency allowed now. */
  limit: number;
  rate: Rate | null;
  /** Milliseconds until the rate or the service lets the next request through. */
  pausedMs: number;
  /** null: something leaves, or will soon. */
  stall: Stall | null;
  /** Finished jobs a second, over the last minute or so; 0 until one finished. */
  perSecond: number;
  /** The reason why nothing more is started; null while it runs. */
  stopped: string | null;
}

/** The pace is measured over about this time. */
const paceWindowMs = 60_000;

/** Counts what an endpoint queue has committed. */
export class Tally {
  #total: number;
  readonly #startedAt = steadyNow();
  #done = 0;
  #failed = 0;
  #retries = 0;
  #throttled = 0;
  readonly #errors: Partial<Record<OutcomeKind, number>> = {};
  /** Moments and counts from which the pace is measured, oldest first. */
  readonly #marks: { at: number; done: number }[] = [];

  constructor(total: number) {
    this.#total = total;
  }

  /** Jobs that were taken for finished when the queue began. */
  reopened(count: number): void {
    this.#total += count;
  }

  settled(outcome: Outcome, decision: Decision): void {
    if (outcome.kind !== "ok") this.#errors[outcome.kind] = (this.#errors[outcome.kind] ?? 0) + 1;
    if (outcomes[outcome.kind].slowsDown) this.#throttled += 1;
    if (decision === "retry" || decision === "hold") this.#retries += 1;
    if (decision !== "finish") return;
    this.#done += 1;
    if (outcome.kind !== "ok") this.#failed += 1;
  }

  /** A job that had failed by an attempt that is counted already. */
  concluded(): void {
    this.#done += 1;
    this.#failed += 1;
  }

  /** Jobs that ended because an earlier turn had no answer. */
  skipped(count: number): void {
    this.#done += count;
  }

  snapshot(
    queue: Omit<QueueSnapshot, "total" | "done" | "failed" | "retries" | "throttled" | "errors" | "perSecond">,
  ): QueueSnapshot {
    return {
      ...queue,
      total: this.#total,
      done: this.#done,
      failed: this.#failed,
      retries: this.#retries,
      throttled: this.#throttled,
      errors: { ...this.#errors },
      perSecond: this.#pace(steadyNow()),
    };
  }

  #pace(now: number): number {
    const latest = this.#marks.at(-1);
    if (latest === undefined || now - latest.at >= 1_000) this.#marks.push({ at: now, done: this.#done });
    while ((this.#marks[0]?.at ?? now) < now - paceWindowMs) this.#marks.shift();
    const oldest = this.#marks[0];
    const from = oldest === undefined || now - oldest.at < 500 ? { at: this.#startedAt, done: 0 } : oldest;
    return now > from.at ? ((this.#done - from.done) * 1000) / (now - from.at) : 0;
  }
}

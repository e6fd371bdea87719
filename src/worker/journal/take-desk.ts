import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { waker } from "../../runner/waker.ts";
import type { Granted } from "../postgres/take.ts";
import { LinkClosed, type DatabaseLink } from "./database-link.ts";
import { type Moment, thisMoment } from "./lease.ts";

/** Attempts that are asked for in one statement. */
const mostAtOnce = 200;
/** A look that nobody has promised anything for comes this late. */
const longestLookMs = 1_000;
/** The database names no longer wait where only a slot is missing. */
const slotLookMs = 100;

export interface TakeDeskOptions {
  link: DatabaseLink;
  /** Asks the database which of these may leave; the same token gives the same answer again. */
  take: (token: string, asked: readonly Attempt[]) => Promise<Granted>;
  /** False while others may take this worker for dead: then nothing leaves. */
  mayLeave: () => boolean;
  /** Gives back what was granted and must not leave. */
  giveBack: (attempts: readonly Attempt[]) => void;
  /** Called with every answer. */
  onTold: (told: Granted, began: Moment) => void;
  /** Called for each attempt that may leave, with the time for which it has waited. */
  onWaited: (ms: number) => void;
  /** Called once when nothing more leaves of this batch. */
  onStopped: (reason: string) => void;
  onFailure: (error: unknown) => void;
}

/** An attempt of a job: 1, 2, ... within it. */
export interface Attempt {
  job: number;
  number: number;
}

interface Asked extends Attempt {
  since: number;
  answer: (isGranted: boolean) => void;
}

/**
 * Asks the database for leave to send, for all who wait in one statement: they are answered together, in their order,
 * as many as the limits of all workers let through. Nobody is refused for a database that is away: they wait.
 */
export class TakeDesk {
  readonly #options: TakeDeskOptions;
  #waiting: Asked[] = [];
  readonly #waker = waker();
  #isRunning = false;
  #isNudged = false;
  #isClosed = false;

  constructor(options: TakeDeskOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves with true when the attempt is entered and may leave, with false when it must not. */
  ask(attempt: Attempt): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    return new Promise((answer) => {
      this.#waiting.push({ ...attempt, since: performance.now(), answer });
      if (!this.#isRunning) void this.#run();
    });
  }

  /** A slot may have become free. */
  nudge(): void {
    this.#isNudged = true;
    this.#waker.wake();
  }

  /** Nothing more leaves: those who wait are refused. */
  close(): void {
    this.#isClosed = true;
    this.#refuseAll();
    this.#waker.wake();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      await nextTurn();
      while (this.#waiting.length > 0) {
        const waitMs = await this.#askOnce();
        // A slot that became free while we asked may be had at once.
        const isFree = this.#isNudged && waitMs <= slotLookMs;
        this.#isNudged = false;
        if (waitMs > 0 && !isFree && this.#waiting.length > 0)
          await this.#waker.changeWithin(Math.min(waitMs, longestLookMs));
      }
    } catch (error) {
      this.#isClosed = true;
      this.#refuseAll();
      if (!(error instanceof LinkClosed)) this.#options.onFailure(error);
    }
    this.#isRunning = false;
  }

  /** Returns the milliseconds after which it is worth asking again. */
  async #askOnce(): Promise<number> {
    const { link, take, onTold, onStopped } = this.#options;
    const asked = this.#waiting.slice(0, mostAtOnce);
    const attempts = asked.map(({ job, number }) => ({ job, number }));
    const token = randomUUID();
    let began = thisMoment();
    const told = await link.patiently(() => {
      began = thisMoment();
      return take(token, attempts);
    });
    onTold(told, began);
    this.#answer(asked, told);
    if (told.stopped !== null && !this.#isClosed) {
      this.close();
      onStopped(told.stopped);
    }
    const isMore = told.granted.length > 0 && told.granted.length + told.refused.length >= asked.length;
    return isMore ? 0 : told.waitMs;
  }

  #answer(asked: readonly Asked[], told: Granted): void {
    const granted = new Set(told.granted);
    const refused = new Set(told.refused);
    // An answer after the end, or when others may take this worker for dead, lets nothing leave.
    const mayLeave = !this.#isClosed && this.#options.mayLeave();
    const late: Attempt[] = [];
    const answered = new Set<Asked>();
    for (const each of asked) {
      const isGranted = granted.has(each.job);
      if (!isGranted && !refused.has(each.job)) continue;
      answered.add(each);
      if (isGranted && !mayLeave) late.push({ job: each.job, number: each.number });
      if (isGranted && mayLeave) this.#options.onWaited(performance.now() - each.since);
      each.answer(isGranted && mayLeave);
    }
    this.#waiting = this.#waiting.filter((each) => !answered.has(each));
    if (late.length > 0) this.#options.giveBack(late);
  }

  #refuseAll(): void {
    for (const { answer } of this.#waiting.splice(0)) answer(false);
  }
}

import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { waker } from "../../runner/waker.ts";
import type { Granted } from "../postgres/take.ts";
import { LinkClosed, type DatabaseLink } from "./database-link.ts";
import { Rest } from "./rest.ts";

/** Attempts that are asked for in one statement. */
const maxBatch = 200;
/** A look that nobody has promised anything for comes this late. */
const longestLookMs = 1_000;
/** The database names no longer wait where only a slot is missing. */
const slotLookMs = 100;
/** Where many workers miss one, they look more rarely, so that all together look no more than 200 times a second. */
const lookMsForEach = 5;

/** Where many wait for the same service an answer takes longer than this: results do not wait for it as well. */
const crowdedMs = 25;

const none: ReadonlySet<number> = new Set();

export interface TakeDeskOptions {
  link: DatabaseLink;
  /** Asks the database which of these may leave; the same token gives the same answer again. */
  take: (token: string, asked: readonly Attempt[]) => Promise<Granted>;
  /** False while others may take this worker for dead: then nothing leaves. */
  mayLeave: () => boolean;
  /** Takes back what the database may have granted in a call of which the answer was lost; gives the jobs of which that is so. */
  takeBack: (token: string, attempts: readonly Attempt[]) => Promise<readonly number[]>;
  /** Gives back what was granted and must not leave. */
  giveBack: (attempts: readonly Attempt[]) => void;
  onFailure: (error: unknown) => void;
}

/** Those who are told of the leave of one chunk. */
export interface TakeListener {
  /** Called with every answer. */
  onOutcome: (reported: Granted) => void;
  /** Called for each attempt that may leave, with the time for which it has waited. */
  onWaited: (ms: number) => void;
  /** Called once when nothing more leaves of this batch. */
  onStopped: (reason: string) => void;
}

/** An attempt of a job: 1, 2, ... within it. */
export interface Attempt {
  job: number;
  number: number;
}

interface Asked extends Attempt {
  since: number;
  counter: TakeCounter;
  answer: (isGranted: boolean) => void;
}

/** A question for leave that goes with another statement. */
export interface Carried {
  token: string;
  attempts: readonly Attempt[];
  answered: (reported: Granted) => void;
  /** Its answer was lost, or it was never asked: the desk asks again by itself. */
  lost: () => void;
}

/** A question for leave on its way. */
interface Question {
  token: string;
  asked: readonly Asked[];
  attempts: readonly Attempt[];
  began: number;
  /** Resolves with the answer, or with null where that was lost; null: nobody carries it. */
  carried: Promise<Granted | null> | null;
}

/** The place where one chunk asks for leave; many ask at one desk. */
export interface TakeCounter {
  /** Attempts that wait. */
  readonly waiting: number;
  readonly listener: TakeListener;
  /** Resolves with true when the attempt is entered and may leave, with false when it must not. */
  ask: (attempt: Attempt) => Promise<boolean>;
  /** Nothing more leaves of this chunk: those who wait are refused. */
  close: () => void;
}

/**
 * Asks the database for leave to send, for all chunks of a batch at a service in one statement: they are answered
 * together, in their order, as many as the limits of all workers let through. Nobody is refused for a database that is
 * away: they wait.
 */
export class TakeDesk {
  readonly #options: TakeDeskOptions;
  readonly #counters = new Set<TakeCounter>();
  readonly #waker = waker();
  readonly #rest = new Rest();
  #waiting: Asked[] = [];
  #isRunning = false;
  #question: Question | null = null;
  #tookMs = 0;
  /** Something has changed since the database was last asked. */
  #hasChanged = false;

  constructor(options: TakeDeskOptions) {
    this.#options = options;
  }

  /** True when no chunk asks here any more. */
  get isIdle(): boolean {
    return this.#counters.size === 0;
  }

  /** Opens a place for one chunk, until it is closed. */
  counter(listener: TakeListener): TakeCounter {
    const ofCounter = ({ counter: of }: Asked): boolean => of === counter;
    const waitingNow = (): number => this.#waiting.filter(ofCounter).length;
    const counter: TakeCounter = {
      get waiting() {
        return waitingNow();
      },
      listener,
      ask: (attempt) => (this.#counters.has(counter) ? this.#ask(attempt, counter) : Promise.resolve(false)),
      close: () => {
        this.#counters.delete(counter);
        const refused = this.#waiting.filter(ofCounter);
        this.#waiting = this.#waiting.filter((each) => !ofCounter(each));
        for (const { answer } of refused) answer(false);
        this.nudge();
      },
    };
    this.#counters.add(counter);
    return counter;
  }

  /** A slot may have become free. */
  nudge(): void {
    this.#hasChanged = true;
    this.#waker.wake();
  }

  /** Gives the question of those who wait to somebody whose statement makes room for them; null: none waits, it is asked already, or many ask. */
  carry(): Carried | null {
    if (this.#question !== null || this.#waiting.length === 0 || this.#tookMs > crowdedMs) return null;
    const { promise, resolve } = Promise.withResolvers<Granted | null>();
    const { token, attempts } = (this.#question = this.#questionNow(promise));
    this.#waker.wake();
    return { token, attempts, answered: resolve, lost: () => resolve(null) };
  }

  #ask(attempt: Attempt, counter: TakeCounter): Promise<boolean> {
    return new Promise((answer) => {
      this.#waiting.push({ ...attempt, since: performance.now(), counter, answer });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      await nextTurn();
      while (this.#waiting.length > 0 || this.#question !== null) {
        await this.#rested();
        this.#hasChanged = false;
        const { waitMs, workers } = await this.#askOnce((this.#question ??= this.#questionNow(null)));
        // A slot that became free while we asked may be had at once.
        const isFree = this.#hasChanged && waitMs <= slotLookMs;
        if (waitMs > 0 && !isFree && this.#waiting.length > 0 && !this.#isCarried)
          await this.#waker.changeWithin(Math.min(Math.max(waitMs, workers * lookMsForEach), longestLookMs));
      }
    } catch (error) {
      this.#question = null;
      for (const counter of this.#counters) counter.close();
      if (!(error instanceof LinkClosed)) this.#options.onFailure(error);
    }
    this.#isRunning = false;
  }

  /** A question has gone with another statement. */
  get #isCarried(): boolean {
    return this.#question !== null;
  }

  /** Rests after what was granted last, unless there are many, or somebody carries the question. */
  async #rested(): Promise<void> {
    for (;;) {
      const { leftMs } = this.#rest;
      if (leftMs <= 0 || this.#waiting.length >= maxBatch || this.#isCarried) return;
      await this.#waker.changeWithin(leftMs);
    }
  }

  #questionNow(carried: Question["carried"]): Question {
    const asked = this.#waiting.slice(0, maxBatch);
    const attempts = asked.map(({ job, number }) => ({ job, number }));
    return { token: randomUUID(), asked, attempts, began: performance.now(), carried };
  }

  /** Returns the milliseconds after which it is worth asking again, and the number of workers. */
  async #askOnce({ token, asked, attempts, began, carried }: Question): Promise<Pick<Granted, "waitMs" | "workers">> {
    const { link, take } = this.#options;
    const answer = await carried;
    // One that was carried and lost has been asked once.
    let calls = carried === null ? 0 : 1;
    const reported =
      answer ??
      (await link.patiently(() => {
        calls += 1;
        return take(token, attempts);
      }));
    this.#tookMs = performance.now() - began;
    if (reported.granted.length > 0) this.#rest.after(began, reported.granted.length);
    const back = calls > 1 ? await this.#takeBack(token, attempts, reported) : none;
    this.#question = null;
    for (const { listener } of this.#counters) listener.onOutcome(reported);
    this.#answer(asked, reported, back);
    if (reported.stopped !== null) this.#stop(reported.stopped);
    const isMore = reported.granted.length > 0 && reported.granted.length + reported.refused.length >= asked.length;
    return { waitMs: isMore ? 0 : reported.waitMs, workers: reported.workers };
  }

  #stop(reason: string): void {
    for (const counter of this.#counters) {
      counter.close();
      counter.listener.onStopped(reason);
    }
  }

  /** A grant of which the answer came only when others took this worker for dead is in doubt, although nothing has left. */
  async #takeBack(token: string, attempts: readonly Attempt[], { granted }: Granted): Promise<ReadonlySet<number>> {
    const { link, takeBack } = this.#options;
    const others = attempts.filter(({ job }) => !granted.includes(job));
    return others.length === 0 ? none : new Set(await link.patiently(() => takeBack(token, others)));
  }

  /** Those that were taken back go on waiting. */
  #answer(asked: readonly Asked[], reported: Granted, back: ReadonlySet<number>): void {
    const granted = new Set(reported.granted);
    const refused = new Set(reported.refused.filter((job) => !back.has(job)));
    const isHeld = this.#options.mayLeave();
    const late: Attempt[] = [];
    const answered = new Set<Asked>();
    for (const each of asked) {
      const isGranted = granted.has(each.job);
      if (!isGranted && !refused.has(each.job)) continue;
      answered.add(each);
      // An answer after the end of its chunk, or when others may take this worker for dead, lets nothing leave.
      const mayLeave = isHeld && this.#counters.has(each.counter);
      if (isGranted && !mayLeave) late.push({ job: each.job, number: each.number });
      if (isGranted && mayLeave) each.counter.listener.onWaited(performance.now() - each.since);
      each.answer(isGranted && mayLeave);
    }
    this.#waiting = this.#waiting.filter((each) => !answered.has(each));
    if (late.length > 0) this.#options.giveBack(late);
  }
}

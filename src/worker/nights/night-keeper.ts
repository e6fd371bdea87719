import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Postgres } from "../postgres/connection.ts";
import { isAway } from "../postgres/failure.ts";
import {
  endNight,
  enterDueTimes,
  homeSeen,
  keepNightTaken,
  type NightEnd,
  putNightBack,
  takeDueNight,
  type TakenNight,
} from "../postgres/nights.ts";
import { type Schedule, schedulesOf } from "../postgres/schedules.ts";
import { dueBetween } from "./due-times.ts";

/** A night that is being spent. */
export interface SpentNight {
  /** Null: it did not get to its end, and is to be gone on with. */
  ended: Promise<NightEnd | null>;
  /** The first time it finishes what is in flight, the second time it gives that up too. */
  stop: () => void;
}

/** A night that is being spent, whoever began it. */
interface Spending {
  /** Finishes what is in flight; again: nothing. */
  stop: () => void;
  giveUp: () => void;
  done: Promise<void>;
}

export interface NightKeeperOptions {
  db: Postgres;
  /** Id of the folder of nights. */
  home: string;
  /** Name of the worker. */
  name: string;
  /** Begins a night. A night that cannot begin rejects. */
  spend: (schedule: Schedule, night: TakenNight) => Promise<SpentNight>;
  tell: (line: string) => void;
  /** Time between two looks; left out: five seconds. */
  lookEveryMs?: number;
}

/** A night of which nobody gave a sign for so long is gone on with. */
const lostAfterMs = 60_000;
/** Nights at the same time; others wait until one has ended. */
const mostNights = 4;
/** A night that was interrupted is gone on with after so long. */
const againAfterMs = 60_000;

/** Looks what is due, and spends the nights that are this home's, each of them once over all workers. */
export class NightKeeper {
  readonly #options: NightKeeperOptions;
  readonly #spending = new Map<number, Spending>();
  readonly #notBefore = new Map<number, number>();
  readonly #stop = new AbortController();
  #isAway = false;

  constructor(options: NightKeeperOptions) {
    this.#options = options;
  }

  /** Nights that are being spent now. */
  get spending(): number {
    return this.#spending.size;
  }

  /** Works until it is stopped, and the nights that are being spent have ended. */
  async run(): Promise<void> {
    const { lookEveryMs = 5_000 } = this.#options;
    while (!this.#stop.signal.aborted) {
      await this.#patiently(() => this.look());
      await delay(lookEveryMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
    while (this.#spending.size > 0)
      await Promise.race([...[...this.#spending.values()].map(({ done }) => done), delay(lookEveryMs)]);
  }

  /** Begins no night more and stops those that are being spent: they are gone on with at the next start. */
  stop(): void {
    this.#stop.abort();
    for (const { stop } of this.#spending.values()) stop();
  }

  /** Gives up what the nights that are stopped have in flight. */
  giveUp(): void {
    for (const { giveUp } of this.#spending.values()) giveUp();
  }

  /** Gives a sign of life, enters what is due, and begins what is to be spent here. */
  async look(): Promise<void> {
    const { db, home, name, tell } = this.#options;
    await homeSeen(db, { id: home, name, host: hostname() });
    for (const schedule of await schedulesOf(db, null)) {
      try {
        await this.#enterDue(schedule);
      } catch (error) {
        if (isAway(error)) throw error;
        tell(`schedule ${schedule.name}: ${messageOf(error)}`);
        continue;
      }
      await this.#begin(schedule);
    }
  }

  async #enterDue({ id, cron, zone, lastDueAt, createdAt, dbNow }: Schedule): Promise<void> {
    // Another cron counts from when it was given on.
    const from = Math.max(lastDueAt ?? 0, createdAt);
    await enterDueTimes(this.#options.db, { schedule: id, dueAt: dueBetween({ cron, zone }, { from, to: dbNow }) });
  }

  async #begin(schedule: Schedule): Promise<void> {
    const { db, home, tell } = this.#options;
    const { id, name } = schedule;
    const isLater = (this.#notBefore.get(id) ?? 0) > performance.now();
    if (this.#spending.has(id) || this.#spending.size >= mostNights || isLater || this.#stop.signal.aborted) return;
    const night = await takeDueNight(db, { schedule: id, home, token: randomUUID(), lostAfterMs });
    if (night === null) return;
    if (night.instead !== null)
      tell(`schedule ${name}: ${night.instead} is away for long: its nights are spent here from now on`);
    for (const batch of night.stopped)
      tell(`schedule ${name}: ${batch} of ${night.instead} is stopped; nobody brings it but who resumes it there`);
    tell(`schedule ${name}: the night of ${new Date(night.dueAt).toISOString()} begins`);
    const spent = this.#options.spend(schedule, night);
    const tellStop = (): void => void spent.then((process) => process.stop()).catch(() => undefined);
    let isStopped = false;
    const stop = (): void => {
      if (!isStopped) tellStop();
      isStopped = true;
    };
    const done = this.#follow(schedule, { night, spent, stop }).finally(() => this.#spending.delete(id));
    this.#spending.set(id, { stop, giveUp: tellStop, done });
    if (this.#stop.signal.aborted) stop();
  }

  /** Gives signs for a night until it has ended, and enters what came of it. */
  async #follow(
    { id, name }: Schedule,
    { night, spent, stop }: { night: TakenNight; spent: Promise<SpentNight>; stop: () => void },
  ): Promise<void> {
    const { db, tell } = this.#options;
    let isRemoved = false;
    const keep = async (): Promise<void> => {
      const state = await keepNightTaken(db, night);
      if (state === "kept" || isRemoved) return;
      isRemoved = state === "removed";
      const why = isRemoved ? "it was removed: its night is stopped" : "another worker has taken the night over";
      tell(`schedule ${name}: ${why}`);
      stop();
    };
    const signs = setInterval(() => void this.#patiently(keep), lostAfterMs / 6);
    const end = await spent
      .then(({ ended }) => ended)
      .catch((error: unknown): NightEnd => {
        tell(`schedule ${name}: ${messageOf(error)}`);
        return { exitCode: 2, batch: null, verdict: null, word: null };
      });
    clearInterval(signs);
    if (end === null) this.#notBefore.set(id, performance.now() + againAfterMs);
    const enter = (): Promise<void> => (end === null ? putNightBack(db, night) : endNight(db, night, end));
    // Where the database stays away, the next start goes on with the night, and finds that it has ended.
    while (!(await this.#patiently(enter)) && !this.#stop.signal.aborted) await delay(1_000);
    const left = isRemoved ? "was stopped: `tandem resume` in this folder resumes it" : "will be resumed";
    const how = end === null ? left : `has ended with exit code ${end.exitCode}`;
    tell(`schedule ${name}: the night ${how}`);
  }

  /** False: the database is away, which is told once. Other faults are told each time. */
  async #patiently(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.#isAway = false;
      return true;
    } catch (error) {
      if (!isAway(error) || !this.#isAway) this.#options.tell(`nights: ${messageOf(error)}`);
      this.#isAway = isAway(error);
      return !this.#isAway;
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

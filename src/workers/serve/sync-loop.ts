import { waker } from "../../runner/waker.ts";
import { sync, type SyncTold, type WorkerState } from "../postgres/calls.ts";
import { LinkClosed } from "../postgres/database-link.ts";
import type { AccountShare } from "./account-share.ts";
import type { Accounts } from "./accounts.ts";
import type { ChunkRun } from "./chunk-run.ts";
import { thisMoment } from "./moment.ts";
import type { WorkerSite } from "./site.ts";

/** The database hears so often of what goes on. */
const syncEveryMs = 250;
/** A worker without a chunk gives a sign so often. */
const signEveryMs = 3_000;

interface SyncLoopOptions {
  accounts: Accounts;
  /** The chunks that are driven now. */
  runs: () => readonly ChunkRun[];
  isPaused: () => boolean;
  /** Called with the state that the worker is asked for; null: somebody has removed it. */
  onState: (state: WorkerState | null) => Promise<void>;
}

/** Tells the database what goes on, again and again, and hears what may be sent. */
export class SyncLoop {
  readonly #site: WorkerSite;
  readonly #options: SyncLoopOptions;
  readonly #bell = waker();
  #isHurried = false;
  #isOver = false;

  constructor(site: WorkerSite, options: SyncLoopOptions) {
    this.#site = site;
    this.#options = options;
  }

  /** The next time is now. */
  readonly hurry = (): void => {
    this.#isHurried = true;
    this.#bell.wake();
  };

  end(): void {
    this.#isOver = true;
    this.#bell.wake();
  }

  /** Goes on until it is ended, or nobody waits for the database any more. Rejects when it cannot go on. */
  async run(): Promise<void> {
    let last = performance.now();
    while (!this.#isOver) {
      const waitMs = this.#options.runs().length > 0 ? syncEveryMs : signEveryMs;
      if (!this.#isHurried) await this.#bell.changeWithin(Math.max(0, last + waitMs - performance.now()));
      if (this.#isOver) return;
      this.#isHurried = false;
      last = performance.now();
      try {
        await this.#sync();
      } catch (error) {
        if (error instanceof LinkClosed) return;
        throw error;
      }
    }
  }

  async #sync(): Promise<void> {
    const { db, link, own } = this.#site;
    const { accounts, isPaused, onState } = this.#options;
    const runs = this.#options.runs();
    const asked = runs.map((run) => run.ask());
    const wantedOf = (share: AccountShare): number =>
      runs.reduce((sum, run) => sum + (run.options.account.share === share ? run.wanted : 0), 0);
    // A start anew takes over the share of its predecessor, as a resume does on one machine.
    const shares = accounts.ask(own.id, { isPaused: isPaused(), wantedOf });
    let askedAt = thisMoment();
    const told: SyncTold = await link.patiently(() => {
      askedAt = thisMoment();
      return sync(db, {
        worker: own.id,
        inFlight: accounts.flying,
        results: asked.flatMap(({ results }) => results),
        notes: asked.flatMap(({ notes }) => notes),
        chunks: asked.map(({ chunk }) => chunk),
        accounts: shares,
      });
    });
    // A chunk that was lost is left first: nothing of it goes with the new share.
    for (const [place, run] of runs.entries()) {
      const [one, answer] = [asked[place], told.chunks[place]];
      if (one === undefined || answer === undefined) continue;
      run.told(one, answer);
      if (!one.isWhole) this.#isHurried = true;
    }
    const isUsed = (share: AccountShare): boolean =>
      this.#options.runs().some(({ options }) => options.account.share === share);
    if (accounts.told(shares, told.shares, { askedAt, isUsed })) this.#isHurried = true;
    await onState(told.state);
  }
}

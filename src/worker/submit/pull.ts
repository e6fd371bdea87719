import { endOf } from "../../api/outcomes.ts";
import type { Journal, Settlement } from "../../runner/journal.ts";
import type { JobHere, Pulled } from "../../store/journal/pulled.ts";
import type { Postgres } from "../postgres/connection.ts";
import {
  markPulled,
  markSkippedPulled,
  pullAttempts,
  type PulledAttempt,
  pullSkipped,
  remoteDoubts,
} from "../postgres/pull.ts";
import { arrivedSettlement } from "./arrived.ts";
import type { Places } from "./places.ts";

/** A worker writes reasons of jobs and targets; who writes past it may write more. */
export const longestReason = 2_000;

/** Attempts of one page. */
const pageSize = 1_000;

export interface PullOptions {
  db: Postgres;
  /** Number of the batch there. */
  batch: () => number;
  journal: Pick<Journal, "settle" | "skip">;
  books: Pulled;
  places: Places;
  /** An attempt was entered here that was not known. */
  onSettled: (job: JobHere, entry: Settlement) => void;
  /** Jobs ended without an answer that was sent for: skipped, or given up because nobody knows. */
  onEnded: (job: JobHere, jobs: number) => void;
  /** Something has come of a job that was held. */
  onReopened: (job: JobHere) => void;
}

/**
 * Brings what workers have done into the journal here, page by page: committed here, and only then marked there. Whatever
 * is brought twice is entered once.
 */
export class Pull {
  readonly #options: PullOptions;
  readonly #reopened = new Set<number>();

  constructor(options: PullOptions) {
    this.#options = options;
  }

  /** Brings all that is there now; returns the number of attempts. */
  async all(): Promise<number> {
    let imported = 0;
    for (let after: PulledAttempt | undefined; ;) {
      const page = await pullAttempts(this.#options.db, this.#options.batch(), {
        limit: pageSize,
        ...(after !== undefined && { after }),
      });
      const entered = await this.#enterPage(page);
      imported += entered;
      after = page.at(-1);
      // Attempts that nobody here asks for stay: those behind them are looked for, too.
      if (after === undefined || (entered > 0 && page.length < pageSize / 2)) break;
    }
    await this.#skipped();
    return imported;
  }

  /** Enters what nobody knows the end of: it is held until somebody decides. Returns those jobs. */
  async holdDoubts(): Promise<JobHere[]> {
    const { db, batch, places, books } = this.#options;
    const doubts = (await remoteDoubts(db, batch())).flatMap(({ job, number, queuedAt }) => {
      const id = places.here(job);
      const here = id === null ? null : books.job(id);
      return here?.outcome === null ? [{ here, number, queuedAt }] : [];
    });
    books.enterDoubts(doubts.map(({ here, ...attempt }) => ({ jobId: here.id, ...attempt, end: "held" as const })));
    return doubts.map(({ here }) => here);
  }

  /** Returns the number of those that are of this load. */
  async #enterPage(attempts: readonly PulledAttempt[]): Promise<number> {
    const { db, batch, books } = this.#options;
    const ours = this.#ofThisLoad(attempts);
    const here = new Map(
      books
        .attempts(ours.map(({ job }) => job.id))
        .map(({ jobId, number, isInDoubt }) => [`${jobId} ${number}`, isInDoubt ? "doubted" : "known"] as const),
    );
    const entered = await Promise.all(
      ours.map(({ attempt, job }) => this.#enter(job, attempt, here.get(`${job.id} ${attempt.number}`) ?? null)),
    );
    for (const tell of entered) tell?.();
    if (ours.length > 0)
      await markPulled(
        db,
        batch(),
        ours.map(({ attempt }) => attempt),
      );
    return ours.length;
  }

  #ofThisLoad(attempts: readonly PulledAttempt[]): { attempt: PulledAttempt; job: JobHere }[] {
    const { places, books } = this.#options;
    const ids = attempts.map(({ job }) => places.here(job));
    const jobs = books.jobs([...new Set(ids.filter((id) => id !== null))]);
    return attempts.flatMap((attempt, at) => {
      const job = jobs.get(ids[at] ?? 0);
      return job === undefined ? [] : [{ attempt, job }];
    });
  }

  /** Enters one attempt; resolves with who is to be told once all of the page is on disk. */
  async #enter(job: JobHere, attempt: PulledAttempt, here: "known" | "doubted" | null): Promise<(() => void) | null> {
    const { books, journal, onSettled, onEnded } = this.#options;
    // Sent again from elsewhere meanwhile: that answer counts.
    const isOver = job.outcome !== null && !endOf(job.outcome).inDoubt;
    if (isOver || here === "known") return null;
    this.#reopen(job);
    if (attempt.entry === null) {
      const end = attempt.final ? "in-doubt" : null;
      books.enterDoubts([{ jobId: job.id, number: attempt.number, queuedAt: Date.now(), end }]);
      return attempt.final ? () => onEnded(job, 1) : null;
    }
    if (here === "doubted") books.clearDoubt(job.id, attempt.number);
    const entry = arrivedSettlement(job.id, { ...attempt, entry: attempt.entry });
    await journal.settle(entry);
    return () => onSettled(job, entry);
  }

  /** Tells once of each job that was held and is not any more. */
  #reopen(job: JobHere): void {
    if (job.outcome === null || !endOf(job.outcome).open || this.#reopened.has(job.id)) return;
    this.#reopened.add(job.id);
    this.#options.onReopened(job);
  }

  async #skipped(): Promise<void> {
    const { db, batch, places, books, journal, onEnded } = this.#options;
    const ours = (await pullSkipped(db, batch())).flatMap(({ job, reason }) => {
      const id = places.here(job);
      const here = id === null ? null : books.job(id);
      return here === null ? [] : [{ place: job, here, reason }];
    });
    for (const { here, reason } of ours) {
      const jobs = await journal.skip(here.id, reason.slice(0, longestReason));
      if (jobs > 0) onEnded(here, jobs);
    }
    if (ours.length > 0)
      await markSkippedPulled(
        db,
        batch(),
        ours.map(({ place }) => place),
      );
  }
}

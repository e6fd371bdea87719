import { type DatabaseLink, LinkClosed } from "../journal/database-link.ts";
import type { Postgres } from "../postgres/connection.ts";
import { failBatch, leaveBatch } from "../postgres/settle.ts";

interface BatchFaultsOptions {
  workerId: string;
  /** Name of the worker, for those who ask why their batch has stopped. */
  name: string;
  db: Postgres;
  link: DatabaseLink;
  tell: (line: string) => void;
  /** Chunks of a batch that are being driven: they are left. */
  chunksOf: (batch: number) => readonly { batch: string; leave: (reason: string) => void }[];
  /** The worker cannot go on: the database does not even take that a batch has stopped. */
  fail: (error: unknown) => void;
}

/** Keeps a fault of one batch with that batch: it stops for all workers with the reason, and every other goes on. */
export class BatchFaults {
  readonly #options: BatchFaultsOptions;
  readonly #stopping = new Map<number, Promise<void>>();

  constructor(options: BatchFaultsOptions) {
    this.#options = options;
  }

  /** Does something for a batch, waiting while the database is away; a fault stops the batch, and gives `otherwise`. */
  async within<Result>(batch: number, work: () => Promise<Result>, otherwise: Result): Promise<Result> {
    try {
      return await this.#options.link.patiently(work);
    } catch (error) {
      this.found(batch, error);
      return otherwise;
    }
  }

  /** Stops a batch, once however many faults are found; the end of waiting for the database is none. */
  found(batch: number, error: unknown): void {
    if (error instanceof LinkClosed || this.#stopping.has(batch)) return;
    const stopping = this.#stop(batch, error);
    this.#stopping.set(batch, stopping);
    void stopping.then(() => this.left(batch));
  }

  /** When nothing of a batch that was stopped here is driven any more, what remains of it is in doubt. */
  async left(batch: number): Promise<void> {
    const { db, link, workerId, chunksOf } = this.#options;
    const stopping = this.#stopping.get(batch);
    if (stopping === undefined) return;
    await stopping;
    if (chunksOf(batch).length > 0) return;
    await this.#orFail(() => link.patiently(() => leaveBatch(db, workerId, batch)));
    // It may be gone on with, and fail again.
    this.#stopping.delete(batch);
  }

  async #stop(batch: number, error: unknown): Promise<void> {
    const { name, db, link, tell, chunksOf } = this.#options;
    const what = error instanceof Error ? error.message : String(error);
    // One that is not loaded yet has no name.
    const named = chunksOf(batch).find((chunk) => chunk.batch !== "")?.batch ?? `batch ${batch}`;
    const reason = `worker ${name} cannot run it: ${what}`;
    for (const chunk of chunksOf(batch)) chunk.leave(reason);
    const isStopped = await this.#orFail(() => link.patiently(() => failBatch(db, batch, reason)), error);
    const rest = "Other batches continue; the next start enters its answers that are kept here.";
    if (isStopped === true) tell(`${named} is stopped: ${what.replace(/\.?$/, ".")} ${rest}`);
  }

  /** Where the database does not take even this, something is wrong with the worker or with the database. */
  async #orFail<Result>(work: () => Promise<Result>, first?: unknown): Promise<Result | null> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LinkClosed)) this.#options.fail(first ?? error);
      return null;
    }
  }
}

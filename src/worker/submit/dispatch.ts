import { version } from "../../lib/version.ts";
import type { DatabaseLink } from "../journal/database-link.ts";
import type { Postgres } from "../postgres/connection.ts";
import { putChunks, chunkQueue } from "../postgres/queues.ts";
import { type OpenChunk, openChunks } from "../postgres/rejoin.ts";
import { callWorkers } from "../postgres/workers.ts";
import type { Session } from "./session.ts";

interface HandOutOptions {
  session: Session;
  link: DatabaseLink;
  batch: () => { no: number; id: string };
}

/** Puts chunks into the queues of the engine; one that is there, or that a worker has, stays where it is. */
export class Dispatch {
  readonly #options: HandOutOptions;
  #waiting: number[] = [];
  /** Chunks that went before all did. */
  readonly #gone = new Set<number>();
  #isAll = false;

  constructor(options: HandOutOptions) {
    this.#options = options;
  }

  /** All that are not done. */
  async all(): Promise<void> {
    this.#isAll = true;
    await this.#put(await this.#open());
  }

  /** A chunk that goes with the next `waiting`. */
  later(chunk: number): void {
    this.#waiting.push(chunk);
  }

  async waiting(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const wanted = new Set(this.#waiting.splice(0));
    for (const chunk of wanted) this.#gone.add(chunk);
    const open = await this.#open();
    await this.#put(open.filter(({ id }) => wanted.has(id)));
  }

  /** Those that went before and are not done: a worker may have let go of one just when there was more to do in it. */
  async again(): Promise<void> {
    const open = await this.#open();
    await this.#put(open.filter(({ id }) => this.#isAll || this.#gone.has(id)));
  }

  #open(): Promise<OpenChunk[]> {
    const { session, link, batch } = this.#options;
    return link.patiently(() => openChunks(session.db, batch().no));
  }

  async #put(chunks: readonly OpenChunk[]): Promise<void> {
    const { session, link, batch } = this.#options;
    await link.patiently(() => dispatch(session.db, { no: batch().no, version }, chunks));
    if (chunks.length > 0) await link.patiently(() => callWorkers(session.db));
  }
}

/** Puts chunks of a batch into their queues. `version`: that by which it was planned. */
export async function dispatch(
  db: Postgres,
  { no, version: planned }: { no: number; version: string },
  chunks: readonly OpenChunk[],
): Promise<void> {
  const queues = Map.groupBy(chunks, ({ deployment, service }) =>
    chunkQueue({ service, deployment, version: planned }),
  );
  for (const [queue, own] of queues)
    await putChunks(
      db,
      queue,
      no,
      own.map(({ id }) => id),
    );
}

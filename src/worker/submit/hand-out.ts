import { version } from "../../lib/version.ts";
import type { DatabaseLink } from "../journal/database-link.ts";
import type { Postgres } from "../postgres/connection.ts";
import { putSlices, sliceQueue } from "../postgres/queues.ts";
import { type OpenSlice, openSlices } from "../postgres/rejoin.ts";
import { callWorkers } from "../postgres/workers.ts";
import type { Session } from "./session.ts";

interface HandOutOptions {
  session: Session;
  link: DatabaseLink;
  batch: () => { no: number; id: string };
}

/** Puts slices into the queues of the engine; one that is there, or that a worker has, stays where it is. */
export class HandOut {
  readonly #options: HandOutOptions;
  #waiting: number[] = [];
  /** Slices that went before all did. */
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

  /** A slice that goes with the next `waiting`. */
  later(slice: number): void {
    this.#waiting.push(slice);
  }

  async waiting(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const wanted = new Set(this.#waiting.splice(0));
    for (const slice of wanted) this.#gone.add(slice);
    const open = await this.#open();
    await this.#put(open.filter(({ id }) => wanted.has(id)));
  }

  /** Those that went before and are not done: a worker may have let go of one just when there was more to do in it. */
  async again(): Promise<void> {
    const open = await this.#open();
    await this.#put(open.filter(({ id }) => this.#isAll || this.#gone.has(id)));
  }

  #open(): Promise<OpenSlice[]> {
    const { session, link, batch } = this.#options;
    return link.patiently(() => openSlices(session.db, batch().no));
  }

  async #put(slices: readonly OpenSlice[]): Promise<void> {
    const { session, link, batch } = this.#options;
    await link.patiently(() => handOut(session.db, { no: batch().no, version }, slices));
    if (slices.length > 0) await link.patiently(() => callWorkers(session.db));
  }
}

/** Puts slices of a batch into their queues. `version`: that by which it was planned. */
export async function handOut(
  db: Postgres,
  { no, version: planned }: { no: number; version: string },
  slices: readonly OpenSlice[],
): Promise<void> {
  const queues = Map.groupBy(slices, ({ deployment, service }) =>
    sliceQueue({ service, deployment, version: planned }),
  );
  for (const [queue, own] of queues)
    await putSlices(
      db,
      queue,
      no,
      own.map(({ id }) => id),
    );
}

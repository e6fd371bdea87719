import { version } from "../../lib/version.ts";
import type { Engine } from "../engine/engine.ts";
import { sliceQueue, waitingSlice } from "../engine/slice-queue.ts";
import type { DatabaseLink } from "../journal/database-link.ts";
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
    await link.patiently(() => putSlices(session.engine, { ...batch(), version }, slices));
    if (slices.length > 0) await link.patiently(() => callWorkers(session.db));
  }
}

/** Puts slices of a batch into their queues. */
export async function putSlices(
  engine: Engine,
  { no, id: batchId, version: planned }: { no: number; id: string; version: string },
  slices: readonly OpenSlice[],
): Promise<void> {
  const queues = new Map<string, number[]>();
  for (const { id, deployment, service } of slices) {
    const queue = sliceQueue({ service, deployment, version: planned });
    queues.set(queue, [...(queues.get(queue) ?? []), id]);
  }
  for (const [queue, ids] of queues) {
    await engine.createQueue(queue);
    await engine.insert(
      queue,
      ids.map((slice) => waitingSlice(batchId, { batch: no, slice })),
    );
  }
}

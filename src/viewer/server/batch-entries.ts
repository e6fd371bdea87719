import { batchOverviews, targetsOfBatches } from "../../store/batch-overview.ts";
import { batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { listPins } from "../../store/pins/pins.ts";
import { unfinishedJobs } from "../../store/journal/unfinished.ts";
import type { BatchEntry, BatchList, PinEntry } from "../api.ts";
import { batchState, isAtWork } from "./batch-state.ts";

/** Share of the time that counting the unfinished jobs of a batch takes at most. */
const countShare = 0.05;

/** The list of batches, asked for by every page every few seconds: what has ended is not counted again. */
export class BatchEntries {
  readonly #db: Connection;
  /** Batch to what it had left, and from when on it may be counted again. */
  readonly #left = new Map<number, { state: string; left: number; next: number }>();

  constructor(db: Connection) {
    this.#db = db;
  }

  list(): BatchList {
    const pins = pinEntries(this.#db);
    const targets = targetsOfBatches(this.#db);
    const batches = batchOverviews(this.#db).map(({ id, ...row }): BatchEntry => {
      const { state } = batchState(this.#db, id);
      return {
        ...row,
        state,
        live: isAtWork(state),
        finished: row.jobs - this.#leftOf(id, state),
        targets: targets.get(id) ?? [],
        pins: pins.filter(({ batches: pinned }) => pinned.includes(row.name)).map(({ name }) => name),
      };
    });
    return { batches, pins };
  }

  #leftOf(id: number, state: string): number {
    if (state === "finished" || state === "grading") return 0;
    const known = this.#left.get(id);
    if (known !== undefined && known.state === state && performance.now() < known.next) return known.left;
    const start = performance.now();
    const left = Array.from(unfinishedJobs(this.#db, id).values()).reduce((sum, count) => sum + count, 0);
    const took = performance.now() - start;
    // A batch that stands still is counted once in a while, should somebody resume it elsewhere.
    const next = start + (isAtWork(state) ? took / countShare : Math.max(60_000, took / countShare));
    this.#left.set(id, { state, left, next });
    return left;
  }
}

/** Pins too of batches that were not run here: what a colleague exported can be compared with. */
function pinEntries(db: Connection): PinEntry[] {
  return listPins(db).map(({ name, batches }) => ({
    name,
    batches: batches.map((batch) => batch.name),
    targets: Array.from(new Set(batches.flatMap(({ id }) => batchTargets(db, id).map((target) => target.name)))),
  }));
}

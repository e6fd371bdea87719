import { storedComparisons } from "../../store/comparisons.ts";
import { batchTargets, findBatch, listBatches } from "../../store/batches.ts";
import type { Connection } from "../../store/database.ts";
import { holderOf } from "../../store/lock.ts";
import { listPins } from "../../store/pins.ts";
import { targetTallies } from "../../store/results.ts";
import { unfinishedJobs } from "../../store/unfinished.ts";
import type { BatchEntry, Live } from "../api.ts";

/** Every batch, the latest first. */
export function batchEntries(db: Connection): BatchEntry[] {
  const pins = listPins(db);
  return listBatches(db)
    .toReversed()
    .map(({ id, name, suiteName, reason, createdAt, state }) => {
      const { jobs, finished } = progressOf(db, id);
      return {
        name,
        suite: suiteName,
        state: stateOf(db, id, state),
        reason,
        createdAt,
        jobs,
        finished,
        targets: batchTargets(db, id).map((target) => target.name),
        verdict: storedComparisons(db, id).at(-1)?.verdict ?? null,
        pins: pins.filter(({ batches }) => batches.some((batch) => batch.id === id)).map((pin) => pin.name),
      };
    });
}

/** How far a batch is. */
export function liveOf(db: Connection, name: string): Live {
  const { id, state } = findBatch(db, name);
  const targets = targetTallies(db, id).map(({ target, jobs, outcomes, attempts, throttled }) => {
    return { name: target, jobs, outcomes, attempts, throttled };
  });
  return { state: stateOf(db, id, state), ...progressOf(db, id), targets };
}

/** A process that was killed had no time to say so. */
function stateOf(db: Connection, id: number, state: string): string {
  return state === "running" && holderOf(db, id) === null ? "killed" : state;
}

function progressOf(db: Connection, batchId: number): { jobs: number; finished: number } {
  const jobs =
    db
      .prepare<[number], number>("SELECT coalesce(last_job - first_job + 1, 0) FROM batch WHERE id = ?")
      .pluck()
      .get(batchId) ?? 0;
  const left = [...unfinishedJobs(db, batchId).values()].reduce((sum, count) => sum + count, 0);
  return { jobs, finished: jobs - left };
}

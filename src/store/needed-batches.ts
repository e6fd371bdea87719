import { isUnread } from "./batch-state.ts";
import { type Batch, listBatches } from "./batches.ts";
import { comparedBatches } from "./compared/comparisons.ts";
import type { Connection } from "./connection.ts";
import { holders } from "./lock.ts";
import { listPins } from "./pins/pins.ts";

/** Which batches a pruning leaves. */
export interface PruneRule {
  /** The latest so many of each suite are left; null: their number does not count. */
  keep: number | null;
  /** Those that began after this moment are left; null: their age does not count. */
  before: number | null;
  /** Those of other suites are left; left out: they are not. */
  suite?: string;
}

/**
 * Batches beyond what a rule leaves, the earliest first, and whatever a process left that died while it read a dataset. Nobody
 * looks here at what a pin or another batch needs.
 */
export function prunable(db: Connection, { keep, before, suite }: PruneRule): Batch[] {
  const left = new Map<string, number>();
  return listBatches(db, suite)
    .toReversed()
    .filter((batch) => {
      if (batch.state === "reading" && isUnread(db, batch.id)) return true;
      const { suiteName, createdAt } = batch;
      const later = left.get(suiteName) ?? 0;
      left.set(suiteName, later + 1);
      return (keep === null || later >= keep) && (before === null || createdAt < before);
    })
    .toReversed();
}

/** Batch id to why it cannot be removed with these others: a process runs it, a pin holds it, or a batch that stays was compared with it. */
export function neededOf(db: Connection, chosen: readonly Batch[]): Map<number, string> {
  const reasons = new Map<number, string>();
  const going = new Set(chosen.map(({ id }) => id));
  const pins = listPins(db);
  const staying = new Map(listBatches(db).flatMap(({ id, name }) => (going.has(id) ? [] : [[id, name] as const])));
  const compares = comparedBatches(db).filter(({ by }) => staying.has(by));
  const running = holders(db);
  for (const { id } of chosen) {
    const holder = running.get(id);
    const pin = pins.find(({ batches }) => batches.some((batch) => batch.id === id));
    const compared = compares.find(({ to }) => to === id);
    if (holder !== undefined) reasons.set(id, `process ${holder.pid} on ${holder.host} is working on it`);
    else if (pin !== undefined) reasons.set(id, `the pin ${pin.name} holds it`);
    else if (compared !== undefined) reasons.set(id, `${staying.get(compared.by)} was compared with it`);
  }
  return reasons;
}

import { AppError } from "../../errors.ts";
import { isExported } from "../compared/comparisons.ts";
import type { Connection } from "../connection.ts";
import { knownPath } from "../read-only-folder.ts";
import { execute, inTransaction, selectRows, sqlite } from "../sqlite.ts";

/** A name for a batch, or for several whose runs are pooled. */
export interface Pin {
  name: string;
  createdAt: number;
  /** Batches in the order in which their runs are counted. */
  batches: PinnedBatch[];
}

export interface PinnedBatch {
  id: number;
  name: string;
}

/** All pins, the latest last. */
export function listPins(db: Connection): Pin[] {
  const rows = selectRows<{ name: string; createdAt: number; batchId: number; batch: string }>(
    db,
    `SELECT pin.name, pin.created_at AS createdAt, batch.id AS batchId, batch.name AS batch FROM pin
     JOIN pin_batch ON pin_id = pin.id JOIN batch ON batch.id = batch_id ORDER BY pin.id, place`,
  );
  const pins = new Map<string, Pin>();
  for (const { name, createdAt, batchId, batch } of rows) {
    const pin = pins.get(name) ?? { name, createdAt, batches: [] };
    pin.batches.push({ id: batchId, name: batch });
    pins.set(name, pin);
  }
  return Array.from(pins.values());
}

/** A pin by its name; null when there is none. */
export function findPin(db: Connection, name: string): Pin | null {
  return listPins(db).find((pin) => pin.name === name) ?? null;
}

/** Gives a name to batches; `replace` takes it from those that had it. Throws USAGE when the name is taken. */
export function addPin(
  db: Connection,
  { name, batches, replace, at }: { name: string; batches: readonly PinnedBatch[]; replace: boolean; at: number },
): void {
  const sql = sqlite(db);
  inTransaction(db, () => {
    if (replace) execute(db, "DELETE FROM pin WHERE name = ?", [name]);
    else if (findPin(db, name) !== null) {
      throw new AppError("USAGE", `There is already a pin "${name}".`, {
        hint: "Choose another name, or take it from what it names now with --replace.",
      });
    }
    const { lastInsertRowid } = execute(db, "INSERT INTO pin (name, created_at) VALUES (?, ?)", [name, at]);
    const insert = sql.prepare("INSERT INTO pin_batch (pin_id, place, batch_id) VALUES (?, ?, ?)");
    for (const [place, { id }] of batches.entries()) insert.run(lastInsertRowid, place, id);
  });
}

/** The name under which an exported pin is stored: another file of the same pin is another batch. */
export function importedName(name: string, hash: string): string {
  return `pin-${name.replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")}-${hash}`;
}

/** The name that a batch had where it was exported; null for one that was run here. */
export function exportedName(db: Connection, batch: { id: number; name: string }): string | null {
  return isExported(db, batch.id) ? (/^pin-(.*)-[^-]+$/su.exec(batch.name)?.[1] ?? batch.name) : null;
}

/** Forgets a pin, not its batches. Throws BATCH_NOT_FOUND when there is none of that name. */
export function removePin(db: Connection, name: string): void {
  const { changes } = execute(db, "DELETE FROM pin WHERE name = ?", [name]);
  if (changes > 0) return;
  const known = listPins(db).map((pin) => pin.name);
  throw new AppError("BATCH_NOT_FOUND", `There is no pin "${name}" in ${knownPath(db.name)}.`, {
    hint: known.length === 0 ? "`tandem pin BATCH --as NAME` makes one." : `There are: ${known.join(", ")}.`,
  });
}

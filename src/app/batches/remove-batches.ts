import { statSync } from "node:fs";
import { AppError } from "../../errors.ts";
import { type Batch, findBatch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { neededOf, prunable, type PruneRule } from "../../store/removal/needed-batches.ts";
import { compact, finishRemovals, removeBatch } from "../../store/removal/remove-batch.ts";

/** The batches that a removal would take, and those that it would leave although they were chosen. */
export interface Removal {
  going: Batch[];
  staying: { batch: Batch; reason: string }[];
}

/** The removal of batches by their names. Throws USAGE for one that is needed. */
export function namedRemoval(db: Connection, references: readonly string[]): Removal {
  const chosen = new Map(references.map((reference) => findBatch(db, reference)).map((batch) => [batch.id, batch]));
  const { going, staying } = removalOf(db, [...chosen.values()]);
  const [first] = staying;
  if (first === undefined) return { going, staying };
  throw new AppError("USAGE", `${first.batch.name} cannot be removed: ${first.reason}.`, {
    hint: "Nothing was removed. Remove the pin (`tandem pin NAME --remove`), or the batch that needs it too.",
  });
}

/** The removal of all batches beyond what a rule leaves; what is needed stays. */
export function prunedRemoval(db: Connection, rule: PruneRule): Removal {
  return removalOf(db, prunable(db, rule));
}

/** Leaves out what is needed, and what is needed by what is left out, until nothing more is. */
function removalOf(db: Connection, chosen: readonly Batch[]): Removal {
  const staying: Removal["staying"] = [];
  for (let going = [...chosen]; ;) {
    const needed = neededOf(db, going);
    if (needed.size === 0) return { going, staying };
    staying.push(
      ...going.flatMap((batch) => ({ batch, reason: needed.get(batch.id) ?? "" })).filter((each) => each.reason !== ""),
    );
    going = going.filter(({ id }) => !needed.has(id));
  }
}

/** Removes the batches and gives their room back. `freed`: bytes; null while another process holds the database. */
export function carryOut(db: Connection, { going }: Removal): { freed: number | null } {
  const before = statSync(db.name).size;
  for (const { id } of going) removeBatch(db, id);
  finishRemovals(db);
  return { freed: compact(db) ? Math.max(0, before - statSync(db.name).size) : null };
}

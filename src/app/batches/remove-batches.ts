import { statSync } from "node:fs";
import { AppError } from "../../errors.ts";
import { counted } from "../../report/say/quantity.ts";
import { type Batch, findBatch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { openRunCount, openRunCounts } from "../../store/journal/in-doubt.ts";
import { neededOf, prunable, type PruneRule } from "../../store/needed-batches.ts";
import { alarmReasons } from "../history/alarm-nights.ts";
import { compact, removeStoredBatches } from "../../store/remove-batch.ts";

/** The batches that a removal would take, and those that it would leave although they were chosen. */
export interface Removal {
  going: Batch[];
  staying: { batch: Batch; reason: string }[];
}

/** The removal of batches by their names. Throws USAGE for one that is needed; `losesRuns`: runs at the service may be lost. */
export function namedRemoval(db: Connection, references: readonly string[], losesRuns: boolean): Removal {
  const chosen = new Map(references.map((reference) => findBatch(db, reference)).map((batch) => [batch.id, batch]));
  const { going, staying } = removalOf(db, [...chosen.values()], { losesRuns });
  const [first] = staying;
  if (first === undefined) return { going, staying };
  const isOpen = !losesRuns && openRunCount(db, first.batch.id) > 0;
  throw new AppError("USAGE", `${first.batch.name} cannot be removed: ${first.reason}.`, {
    hint: isOpen
      ? `Nothing was removed. \`tandem resume ${first.batch.name}\` fetches what they answered; --lose-runs removes it as it is.`
      : "Nothing was removed. Remove the pin (`tandem pin NAME --remove`), or the batch that needs it too.",
  });
}

/** The removal of all batches beyond what a rule leaves; what is needed stays, and the nights of an alarm that goes on. */
export function prunedRemoval(db: Connection, rule: PruneRule, losesRuns: boolean): Removal {
  return removalOf(db, prunable(db, rule), { losesRuns, staysFor: alarmReasons(db) });
}

interface Asked {
  losesRuns: boolean;
  /** The reason why a batch stays that nothing else needs; null: it goes. */
  staysFor?: (batch: Batch) => string | null;
}

/** Leaves out what is needed, and what is needed by what is left out, until nothing more is. */
export function removalOf(db: Connection, chosen: readonly Batch[], { losesRuns, staysFor }: Asked): Removal {
  const staying: Removal["staying"] = [];
  for (let going = [...chosen]; ;) {
    const needed = new Map([
      ...going.flatMap((batch): [number, string][] => {
        const reason = staysFor?.(batch) ?? null;
        return reason === null ? [] : [[batch.id, reason]];
      }),
      ...(losesRuns ? [] : withOpenRuns(db, going)),
      ...neededOf(db, going),
    ]);
    if (needed.size === 0) return { going, staying };
    staying.push(
      ...going.flatMap((batch) => ({ batch, reason: needed.get(batch.id) ?? "" })).filter((each) => each.reason !== ""),
    );
    going = going.filter(({ id }) => !needed.has(id));
  }
}

/** Batch id to why it should stay: the ids of its runs at the service stand nowhere else, and the runs are paid. */
function withOpenRuns(db: Connection, batches: readonly Batch[]): [id: number, reason: string][] {
  const counts = openRunCounts(db);
  return batches.flatMap(({ id }): [number, string][] => {
    const open = counts.get(id) ?? 0;
    if (open === 0) return [];
    return [[id, `${counted(open, "run")} of it ${open === 1 ? "was" : "were"} submitted and not fetched`]];
  });
}

/** Removes the batches and gives their room back. `freed`: bytes; null while another process holds the database. */
export function carryOut(db: Connection, { going }: Removal): { freed: number | null } {
  const before = statSync(db.name).size;
  removeStoredBatches(
    db,
    going.map(({ id }) => id),
  );
  return { freed: compact(db) ? Math.max(0, before - statSync(db.name).size) : null };
}

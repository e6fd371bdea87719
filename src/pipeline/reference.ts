import { AppError } from "../errors.ts";
import { type Batch, batchTargets, type BatchTarget, findBatch } from "../store/batches.ts";
import type { Connection } from "../store/database.ts";
import { findPin } from "../store/pins.ts";

/** What a reference such as `release-12`, `nightly~1` or `nightly~1:prod` names: batches, and perhaps one of their targets. */
export interface Reference {
  /** What it is called: the name of the pin or of the batch. */
  name: string;
  /** One, or several that are pooled. */
  batches: Batch[];
  /** Null: it names none. */
  target: string | null;
}

/** Finds what is named: a pin, else a batch; `:TARGET` behind it. Throws BATCH_NOT_FOUND. */
export function findReference(db: Connection, text: string): Reference {
  const whole = batchesNamed(db, text);
  if (whole !== null) return { ...whole, target: null };
  // A target of a matrix has a colon in its name too: the first that leaves a batch before it counts.
  for (let colon = text.indexOf(":"); colon !== -1; colon = text.indexOf(":", colon + 1)) {
    const named = batchesNamed(db, text.slice(0, colon));
    if (named !== null) return { ...named, target: text.slice(colon + 1) };
  }
  // Says what there is.
  const batch = findBatch(db, text.split(":")[0] ?? text);
  return { name: batch.name, batches: [batch], target: null };
}

function batchesNamed(db: Connection, name: string): Pick<Reference, "name" | "batches"> | null {
  const pin = findPin(db, name);
  if (pin !== null) return { name: pin.name, batches: pin.batches.map((batch) => findBatch(db, batch.name)) };
  try {
    const batch = findBatch(db, name);
    return { name: batch.name, batches: [batch] };
  } catch (error) {
    if (error instanceof AppError && error.code === "BATCH_NOT_FOUND") return null;
    throw error;
  }
}

/** The reference by the name that stays: `nightly~1` is another batch tomorrow. */
export function lastingName({ name, target }: Reference): string {
  return target === null ? name : `${name}:${target}`;
}

/** The targets of that name in the batches of a reference, with their batches; throws BATCH_NOT_FOUND when there is none. */
export function targetsNamed(
  db: Connection,
  { name, batches }: Reference,
  target: string,
): { batch: Batch; target: BatchTarget }[] {
  const known = new Set<string>();
  const found = batches.flatMap((batch) =>
    batchTargets(db, batch.id).flatMap((each) => {
      known.add(each.name);
      return each.name === target ? [{ batch, target: each }] : [];
    }),
  );
  if (found.length > 0) return found;
  throw new AppError("BATCH_NOT_FOUND", `${name} has no target "${target}".`, {
    hint: `It has: ${Array.from(known).join(", ")}.`,
  });
}

import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../errors.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { type Batch, batchOfId, batchTargets, type BatchTarget, findBatch } from "../../store/batches.ts";
import { toldReference } from "../../store/compared/comparisons.ts";
import type { Connection } from "../../store/connection.ts";
import { exportedName, findPin } from "../../store/pins/pins.ts";

/**
 * The batches that a reference such as `release-12`, `nightly~1` or `nightly~1:prod` names, and perhaps one of their
 * targets.
 */
export interface Reference {
  /** The name by which it is found again: of the pin or of the batch. */
  name: string;
  /** Name for people: the name of an exported pin is the one it had. */
  label: string;
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
  return { name: batch.name, label: batch.name, batches: [batch], target: null };
}

function batchesNamed(db: Connection, name: string): Omit<Reference, "target"> | null {
  const pin = findPin(db, name);
  if (pin !== null) {
    return { name: pin.name, label: pin.name, batches: pin.batches.map((batch) => findBatch(db, batch.name)) };
  }
  try {
    const batch = findBatch(db, name);
    return { name: batch.name, label: exportedName(db, batch) ?? batch.name, batches: [batch] };
  } catch (error) {
    if (error instanceof AppError && error.code === "BATCH_NOT_FOUND") return null;
    throw error;
  }
}

/**
 * The reference that the run of a batch was told, with the batches that it named then, wherever the name has gone since.
 * Null: its targets are compared with each other. Throws BATCH_NOT_FOUND.
 */
export function ownReference(db: Connection, batch: Batch): Reference | null {
  const told = toldReference(db, batch.id);
  if (told === null) return null;
  const { name, target } = told;
  const batches = told.batches.map((id) => batchOfId(db, id));
  const [first] = batches;
  if (first === undefined)
    throw new AppError("BATCH_NOT_FOUND", `What ${batch.name} was compared with, ${name}, is gone.`);
  const label = first.name === name ? (exportedName(db, first) ?? name) : name;
  return { name, label, batches, target };
}

/** True for the same batches by the same name. */
export function isSameReference(one: Reference | null, other: Reference | null): boolean {
  if (one === null || other === null) return one === other;
  const [here, there] = [one, other].map(({ batches }) => batches.map(({ id }) => id));
  return lastingName(one) === lastingName(other) && isDeepStrictEqual(here, there);
}

/** The reference by the name that stays: `nightly~1` is another batch tomorrow. */
export function lastingName({ name, target }: Reference): string {
  return target === null ? name : `${name}:${target}`;
}

/** The targets of that name in the batches of a reference, with their batches; throws BATCH_NOT_FOUND when there is none. */
export function targetsNamed(
  db: Connection,
  { label, batches }: Reference,
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
  const all = Array.from(known);
  throw new AppError("BATCH_NOT_FOUND", `${label} has no target "${target}".`, {
    hint: [didYouMean(target, all), `It has: ${all.join(", ")}.`].flatMap((line) => line ?? []).join(" "),
  });
}

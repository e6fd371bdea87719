import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Batch, findBatch, isBatch } from "../../store/batches.ts";
import { isExported } from "../../store/compared/comparisons.ts";
import type { Connection } from "../../store/connection.ts";
import type { BatchPart } from "../../store/merge/batch-part.ts";
import { findReference, ownReference, type Reference } from "./batch-reference.ts";
import { exportPin, openReference } from "./pin-file.ts";

/**
 * The reference of a batch of another database, as one of this one: its batches if they are here, else its answers and scores
 * are brought over, as an exported pin would bring them. null: it has none.
 */
export async function importedReference(
  db: Connection,
  first: BatchPart,
  onNotice: (message: string) => void,
): Promise<Reference | null> {
  const there = ownReference(first.db, first.batch);
  if (there === null) return null;
  const here = there.batches.flatMap((batch) => sameBatch(db, batch) ?? []);
  if (here.length === there.batches.length) return { ...there, batches: here };
  const folder = mkdtempSync(join(tmpdir(), "tandem-merge-"));
  try {
    const path = join(folder, "reference.jsonl");
    const { label, batches } = there;
    const [one] = batches;
    const pin = { name: label, createdAt: one?.createdAt ?? 0, batches };
    await exportPin(first.db, pin, { suite: one?.suiteName ?? label, path });
    const name = openReference(db, path);
    onNotice(`${label} was not here: its answers and scores were taken over from ${first.name}.`);
    return { ...findReference(db, name), target: there.target };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The batch of another database, where it is in this one too; an exported pin is known by its name, which has a hash of it. */
function sameBatch(db: Connection, { name, createdAt }: Batch): Batch | null {
  const here = isBatch(db, name) ? findBatch(db, name) : null;
  return here !== null && (here.createdAt === createdAt || isExported(db, here.id)) ? here : null;
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../errors.ts";
import { againstOf } from "../../store/compared/comparisons.ts";
import type { Connection } from "../../store/connection.ts";
import type { BatchPart } from "../../store/merge/batch-part.ts";
import { findReference, type Reference } from "./batch-reference.ts";
import { exportPin, openReference } from "./pin-file.ts";

/**
 * The reference of a batch of another database, as a name here: as it is if it is known here, else its answers and scores
 * are brought over, as an exported pin would bring them. null: it has none.
 */
export async function importedReference(
  db: Connection,
  first: BatchPart,
  onNotice: (message: string) => void,
): Promise<string | null> {
  const against = againstOf(first.db, first.batch.id);
  if (against === null) return null;
  const there = findReference(first.db, against);
  if (isKnown(db, there)) return against;
  const folder = mkdtempSync(join(tmpdir(), "tandem-merge-"));
  try {
    const path = join(folder, "reference.jsonl");
    const { label, batches } = there;
    const [one] = batches;
    const pin = { name: label, createdAt: one?.createdAt ?? 0, batches };
    await exportPin(first.db, pin, { suite: one?.suiteName ?? label, path });
    const name = openReference(db, path);
    onNotice(`${label} was not here: its answers and scores were taken over from ${first.name}.`);
    return there.target === null ? name : `${name}:${there.target}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The name means the same batches in another database. */
function isKnown(db: Connection, { name, batches }: Reference): boolean {
  try {
    const here = findReference(db, name).batches.map((batch) => batch.name);
    return isDeepStrictEqual(
      here,
      batches.map((batch) => batch.name),
    );
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

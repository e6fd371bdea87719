import type { MissingPart } from "../../compare/comparison.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { missingParts } from "../../store/merge/merged-parts.ts";

/** The parts that batches of a comparison lack; those of another batch than the one that is told of are named with it. */
export function missingIn(db: Connection, batches: readonly Batch[], own: Batch): MissingPart[] {
  return batches.flatMap((batch): MissingPart[] => {
    const missing = missingParts(db, batch);
    if (missing === null) return [];
    const { parts, of, cases: rows, isAllowed } = missing;
    return [{ kind: "parts-missing", batch: batch.id === own.id ? null : batch.name, parts, of, rows, isAllowed }];
  });
}

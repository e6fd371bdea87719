import type { MissingPart } from "../../compare/comparison.ts";
import { counted, number } from "../../report/say/quantity.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { missingParts, type MissingParts } from "../../store/merge/merged-parts.ts";

/** The parts that batches of a comparison lack; those of another batch than the one that is told of are named with it. */
export function missingIn(db: Connection, batches: readonly Batch[], own: Batch): MissingPart[] {
  return batches.flatMap((batch): MissingPart[] => {
    const missing = missingParts(db, batch);
    if (missing === null) return [];
    const who = batch.id === own.id ? "" : `${batch.name}: `;
    return [{ sentence: `${who}${missingPartsWords(missing)}.`, isAllowed: missing.isAllowed }];
  });
}

/** `--shard 2/3 is missing: 55 of 165 cases were not merged`: which parts, and how many cases they are. */
function missingPartsWords({ parts, of, cases }: Pick<MissingParts, "parts" | "of" | "cases">): string {
  const names = shardWords(parts, of);
  const lacks = `${names} ${parts.length === 1 ? "is" : "are"} missing among the parts that were merged`;
  if (cases === null) return `${lacks} (how many cases that are is not known)`;
  return `${lacks}: ${number(cases.missing)} of ${counted(cases.of, "row")} ${cases.missing === 1 ? "is" : "are"} not here`;
}

/** `--shard 1/3 and 2/3` */
function shardWords(parts: readonly number[], of: number): string {
  const named = parts.map((part) => `${part}/${of}`);
  const last = named.pop() ?? "";
  return `--shard ${named.length === 0 ? last : `${named.join(", ")} and ${last}`}`;
}

import type { BatchList, BatchListAnswer } from "../../api.ts";
import { ask } from "./server-calls.ts";

/** The list of batches as it was heard, with what the viewer calls it. */
export interface HeardList extends BatchList {
  version: number;
}

/** Asks for what is new in the list; the same object where nothing is. */
export async function hearList(before: HeardList | null): Promise<HeardList> {
  const known = new URLSearchParams({ known: String(before?.version ?? 0) });
  return following(before, await ask<BatchListAnswer>("batches", known));
}

/** The list with what is new in it, the latest batch first. */
function following(before: HeardList | null, { version, isWhole, batches, pins }: BatchListAnswer): HeardList {
  if (before === null || isWhole) return { version, batches, pins };
  const isSame = before.version === version && JSON.stringify(before.pins) === JSON.stringify(pins);
  if (isSame) return before;
  const others = new Set(batches.map(({ id }) => id));
  const all = [...batches, ...before.batches.filter(({ id }) => !others.has(id))];
  return { version, batches: all.toSorted((one, other) => other.id - one.id), pins };
}

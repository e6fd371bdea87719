import { hash } from "node:crypto";
import type { JobResult } from "../../store/results/case-result.ts";
import { growingFloats } from "./growing.ts";

/** Answers that were sent for and came with a run id, and how many of them have one that another of them has, too. */
export interface SharedIds {
  shared: number;
  of: number;
}

/** Counts answers whose run id is not their own, as from a cache on the way, in 8 bytes for each answer. */
export function sharedIds() {
  const ids = growingFloats();
  return {
    add({ outcome, runId, sentAt }: Pick<JobResult, "outcome" | "runId" | "sentAt">): void {
      // Nothing was sent for a stored answer: rows of an export may well be of one run.
      if (outcome !== "ok" || runId === null || sentAt === null) return;
      ids.push(hash("sha256", runId, "buffer").readUIntBE(0, 6));
    },
    /** Null where each answer has an id of its own, or none. */
    counts(): SharedIds | null {
      const sorted = ids.view().toSorted();
      const shared = sorted.reduce((sum, id, at) => sum + (id === sorted[at - 1] || id === sorted[at + 1] ? 1 : 0), 0);
      return shared === 0 ? null : { shared, of: sorted.length };
    },
  };
}

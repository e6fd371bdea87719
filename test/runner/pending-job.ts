import type { PendingJob } from "../../src/runner/journal.ts";

/** A job that waits and was never tried: the first run of its case, without a turn before it. */
export function pendingJob(id: number, part: Partial<PendingJob> = {}): PendingJob {
  return {
    id,
    targetId: 1,
    caseId: id,
    repeat: 1,
    turn: 1,
    waitsFor: null,
    input: "{}",
    attempts: 0,
    failures: 0,
    firstTriedAt: null,
    ...part,
  };
}

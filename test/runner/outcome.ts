import type { Outcome } from "../../src/client/outcome.ts";

/** An outcome with nothing in it but what a test is about. */
export function outcome(part: Partial<Outcome>): Outcome {
  return {
    kind: "ok",
    answer: null,
    status: null,
    record: null,
    error: null,
    possiblyPaid: false,
    retryAfterMs: null,
    limit: null,
    headers: null,
    bodyStart: null,
    redacted: false,
    localLimit: false,
    timing: { sentAt: 1, firstByteAt: 2, doneAt: 3 },
    ...part,
  };
}

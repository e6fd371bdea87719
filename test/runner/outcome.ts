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
    answeredBy: whoAnswered(part),
    timing: { sentAt: 1, firstByteAt: 2, doneAt: 3 },
    ...part,
  };
}

/** As the client tells it of a whole answer. */
function whoAnswered({ kind = "ok", status = kind === "ok" ? 200 : null }: Partial<Outcome>): Outcome["answeredBy"] {
  if (status === null || kind === "throttled") return null;
  return kind === "ambiguous" && status >= 502 && status <= 504 ? "gateway" : "service";
}

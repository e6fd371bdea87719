import { dateOffset, steadyNow } from "../lib/clock.ts";
import type { AttemptRequest } from "./attempt-request.ts";
import type { Exchange } from "./exchange.ts";
import { connectCause, isLocalLimit } from "./network-cause.ts";
import type { AttemptTiming, Outcome } from "./outcome.ts";
import { blankVerdict, type Classified, type SentRequest } from "./verdict.ts";

/** The reason of an attempt that this side stopped. */
export const stopped = "the attempt was stopped from this side";

/** Member by member: a name behind a spread costs as much as all of these. */
export function outcomeOf(verdict: Classified, timing: AttemptTiming): Outcome {
  return {
    kind: verdict.kind,
    answer: verdict.answer,
    status: verdict.status,
    record: verdict.record,
    error: verdict.error,
    possiblyPaid: verdict.possiblyPaid,
    retryAfterMs: verdict.retryAfterMs,
    limit: verdict.limit,
    headers: verdict.headers,
    bodyStart: verdict.bodyStart,
    redacted: verdict.redacted,
    localLimit: verdict.localLimit,
    answeredBy: verdict.answeredBy,
    ...(verdict.usage !== undefined && { usage: verdict.usage }),
    timing,
  };
}

/** The dates of moments on the steady clock: no time between two of them is negative. */
export function timingOf({ status, firstByte, done }: Exchange, started: number | null, offset: number): AttemptTiming {
  if (started === null) return { sentAt: null, firstByteAt: null, doneAt: done + offset };
  return {
    sentAt: started + offset,
    firstByteAt: status === null ? null : firstByte + offset,
    doneAt: done + offset,
  };
}

export function notSent({ why, error }: Exchange, { where, redactor }: SentRequest): Classified {
  const cause = why ?? connectCause(error);
  return {
    ...blankVerdict("not-sent"),
    error: redactor.text(`${where} was not sent: ${cause}`),
    localLimit: isLocalLimit(error),
  };
}

/** A case of which no request can be made, today and tomorrow. */
export function unmade(fault: string, request: AttemptRequest): Outcome {
  return outcomeOf({ ...blankVerdict("rejected"), error: `nothing was sent: ${fault}` }, untimed(request));
}

/** An attempt that was stopped while its files were read. */
export function stoppedBefore(request: AttemptRequest): Outcome {
  return outcomeOf({ ...blankVerdict("not-sent"), error: `nothing was sent: ${stopped}` }, untimed(request));
}

function untimed({ dateOffset: offset }: AttemptRequest): AttemptTiming {
  return { sentAt: null, firstByteAt: null, doneAt: steadyNow() + (offset ?? dateOffset()) };
}

/**
 * A request whose own body ended before its last byte. No service can act on it: it has fewer bytes than its length
 * says, and since a changed file is noticed before its last piece, the end of the JSON or of the form never left.
 */
export function brokenOff(fault: string, { timing }: Outcome): Outcome {
  const error = `the request was broken off before its end: ${fault}`;
  return outcomeOf({ ...blankVerdict("rejected"), error }, timing);
}

export function unanswered(exchange: Exchange, { where, redactor }: SentRequest): Classified {
  const error = `${where} was sent, but no answer came: ${exchange.fault() ?? "it ended without one"}`;
  // A request that this side has ended, for its time or its end, tells nothing of the service.
  const answeredBy = exchange.why === null ? "broken" : null;
  return { ...blankVerdict("ambiguous"), error: redactor.text(error), answeredBy };
}

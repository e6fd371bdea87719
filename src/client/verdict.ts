import type { EndpointCall } from "../api/endpoint-call.ts";
import type { EndpointName } from "../api/endpoint-name.ts";
import { type OutcomeKind, outcomes } from "../api/outcomes.ts";
import type { Outcome } from "./outcome.ts";
import type { Redactor } from "./redact.ts";

/** An outcome without its times. */
export type Classified = Omit<Outcome, "timing">;

/** Header names in lower case; a name that came more than once has a list. */
export type ResponseHeaders = Record<string, string | string[] | undefined>;

/** The answer of a server; `body` is decoded. */
export interface ReceivedAnswer {
  status: number;
  headers: ResponseHeaders;
  body: Buffer;
}

/** The facts needed to judge an answer besides the answer itself. */
export interface SentRequest {
  endpoint: EndpointName;
  /** Its call, or a part of its asynchronous form. */
  call: EndpointCall;
  /** Method and address, for messages: `POST https://host/v2/video-bots`. */
  where: string;
  /** The proxy that it went through; null: none. */
  proxy: string | null;
  redactor: Redactor;
  /** Texts and patterns of answers that are failures put into words. */
  failedWhen?: readonly string[] | undefined;
  /** When the answer came (milliseconds since the epoch): a date in `Retry-After` counts from here if the answer has none. */
  receivedAt: number;
}

/** An outcome of a kind with nothing known of it. */
export function blankVerdict(kind: OutcomeKind): Classified {
  return {
    kind,
    answer: null,
    status: null,
    record: null,
    error: null,
    possiblyPaid: outcomes[kind].mayBePaid,
    retryAfterMs: null,
    limit: null,
    headers: null,
    bodyStart: null,
    redacted: false,
    localLimit: false,
    answeredBy: null,
  };
}

/** When the service says that it answered: its clock and ours may differ by days. */
export function dateOf(headers: ResponseHeaders): number | null {
  const date = firstOf(headers["date"]);
  return date === null || Number.isNaN(Date.parse(date)) ? null : Date.parse(date);
}

export function firstOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  return typeof header === "string" ? header : (header[0] ?? null);
}

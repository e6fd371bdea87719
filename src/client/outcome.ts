import type { AnswerKind } from "../api/answer-kind.ts";
import { type Answerer, isAnswerer, type OutcomeKind } from "../api/outcomes.ts";
import type { Usage } from "../api/usage.ts";
import type { ReplyRun } from "../api/endpoint-call.ts";

/** A run as the service told it: its identity, and the body it came in, byte for byte. */
export interface RunRecord extends ReplyRun {
  /** The response body as received (with the API key, if it was echoed, redacted); null when only an id was salvaged. */
  body: Buffer | null;
  /** The text of a body that is not UTF-8, read in its charset; left out: the body is its text. */
  text?: string;
}

/** The outcome of one attempt: the same shape for a success and for every failure. */
export interface Outcome {
  kind: OutcomeKind;
  /** Kind of answer; null unless the outcome is `ok`. */
  answer: AnswerKind | null;
  /** HTTP status; null when no response began. */
  status: number | null;
  /** Present for `ok`, for `run-failed`, and wherever an id is known. */
  record: RunRecord | null;
  /** The error, in words that name the cause; null for `ok`, but where a reply tells why it has no answer. For `run-failed` exactly the service's text. */
  error: string | null;
  /** A run may have been made and charged although its record is not known. */
  possiblyPaid: boolean;
  /** Milliseconds the service asked us to wait; null when it did not say. */
  retryAfterMs: number | null;
  /** A limit named in the text of a 429. It may only lower what we do. */
  limit: StatedLimit | null;
  /** The response headers that matter: of `ok` those that name a model or a version, else retry-after, server, ratelimit-*, request ids; null: none. */
  headers: Record<string, string> | null;
  /** The first bytes (at most 1,000) of a body that was not a record, as text; null otherwise. */
  bodyStart: string | null;
  /** The API key was echoed in the answer and was replaced by `[redacted]`. */
  redacted: boolean;
  /** The process has run out of a local resource (EMFILE, ENFILE, EADDRNOTAVAIL): wait, it is nobody's failure. */
  localLimit: boolean;
  /** Who answered; null: nobody did, or the answer does not tell (it took too long, or asks us to slow down). */
  answeredBy: Answerer | null;
  /** Nothing was sent because it might not leave any more (`mayLeave`); left out: that was not the reason. */
  heldBack?: true;
  /** Tokens that an answer took, as the reply tells; left out where it does not. */
  usage?: Usage;
  timing: AttemptTiming;
}

/** A limit as a service states it: so many requests in a window, or so many runs at once. */
export type StatedLimit =
  | { kind: "requests"; count: number; windowMs: number }
  | { kind: "concurrency"; count: number };

/** Milliseconds since the Unix epoch; null for what did not happen. */
export interface AttemptTiming {
  sentAt: number | null;
  firstByteAt: number | null;
  doneAt: number;
  /** Milliseconds of the run itself, as the service tells it; left out where it does not. */
  runMs?: number;
}

/** Who answered, a gateway with its status; null: that is not known. */
export function answererOf({ answeredBy, status }: Outcome): "service" | { gateway: number } | null {
  if (isAnswerer(answeredBy, "isGateway")) return { gateway: status ?? 502 };
  return answeredBy === "service" ? answeredBy : null;
}

import type { EndpointName } from "../api/endpoint-name.ts";
import { endpoints } from "../api/endpoints.ts";
import { isJsonObject } from "../lib/json.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import { asText, errorTextOf } from "./error-text.ts";
import { statedLimit } from "./limit-text.ts";
import type { Outcome, OutcomeKind, RunRecord } from "./outcome.ts";
import type { Redactor } from "./redact.ts";
import { retryAfterMs } from "./retry-after.ts";
import { beginsLikeJson, detailOf, parseBody, recordOf, salvage, startOf } from "./run-record.ts";

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
  /** Method and address, for messages: `POST https://host/v2/video-bots`. */
  where: string;
  redactor: Redactor;
  /** When the answer came (milliseconds since the epoch): a date in `Retry-After` counts from here if the answer has none. */
  receivedAt: number;
}

/**
 * Classifies a whole answer: the table of outcomes, first match wins. Pure, and total: every status, header and body
 * has exactly one outcome.
 */
export function classify(answer: ReceivedAnswer, question: SentRequest): Classified {
  const { body, parsed } = readBody(answer.body, question.redactor);
  const redacted = body !== answer.body;
  const success = answer.status >= 200 && answer.status <= 299;
  if (success && isJsonObject(parsed) && isJsonObject(parsed["output"])) {
    return okVerdict(
      answer.status,
      recordOf(parsed, body),
      endpoints[question.endpoint].kindOf(parsed["output"]),
      redacted,
    );
  }
  const headers = cleanHeaders(answer.headers, question.redactor);
  const clean = { ...answer, body, headers };
  const verdict = success ? notARecord(clean, parsed, question) : failure(clean, parsed, question);
  const echoed = redacted || headers !== answer.headers;
  return withoutKey({ ...verdict, redacted: echoed, headers: telling(headers) }, question.redactor);
}

/**
 * Classifies an answer of which only a part came (reset, time-out, too large): `why` says what happened in a sentence.
 * The status decides if it can; else a run may have been made.
 */
export function classifyCut(answer: ReceivedAnswer, why: string, tooLarge: boolean, question: SentRequest): Classified {
  const body = question.redactor.cutBody(answer.body);
  const { status } = answer;
  const headers = cleanHeaders(answer.headers, question.redactor);
  const success = status >= 200 && status <= 299;
  const verdict = {
    ...blankVerdict(success ? cutSuccess(body, tooLarge) : cutFailure(status, headers)),
    status,
    record: salvage(body),
    error: `HTTP ${status} from ${question.where}, but not whole: ${why}`,
    retryAfterMs: retryAfterMs(firstOf(headers["retry-after"]), dateOf(headers) ?? question.receivedAt),
    bodyStart: startOf(body),
    headers: telling(headers),
    redacted: body !== answer.body || headers !== answer.headers,
  };
  return withoutKey(verdict, question.redactor);
}

/** An outcome of a kind with nothing known of it. */
export function blankVerdict(kind: OutcomeKind): Classified {
  return {
    kind,
    answer: null,
    status: null,
    record: null,
    error: null,
    possiblyPaid: kind === "ambiguous",
    retryAfterMs: null,
    limit: null,
    headers: null,
    bodyStart: null,
    redacted: false,
    localLimit: false,
  };
}

interface ReadBody {
  /** The same object as was given when it holds no key. */
  body: Buffer;
  parsed: JsonValue | undefined;
}

/** JSON can also spell the key with `\u00..` escapes; only a body that has some is looked at again. */
function readBody(received: Buffer, redactor: Redactor): ReadBody {
  const body = redactor.body(received);
  const parsed = parseBody(body);
  if (parsed === undefined || !body.includes("\\u00")) return { body, parsed };
  const text = JSON.stringify(parsed);
  const clean = redactor.text(text);
  return clean === text ? { body, parsed } : { body: Buffer.from(clean), parsed: parseBody(Buffer.from(clean)) };
}

function okVerdict(status: number, record: RunRecord, answer: Outcome["answer"], redacted: boolean): Classified {
  return {
    kind: "ok",
    answer,
    status,
    record,
    error: null,
    possiblyPaid: false,
    retryAfterMs: null,
    limit: null,
    headers: null,
    bodyStart: null,
    redacted,
    localLimit: false,
  };
}

/** A 2xx that is no record: broken JSON may be a run that was paid; anything else is not this API. */
function notARecord(answer: ReceivedAnswer, parsed: JsonValue | undefined, { where }: SentRequest): Classified {
  const { status, body, headers } = answer;
  const type = firstOf(headers["content-type"]) ?? "no content type";
  const bodyStart = startOf(body);
  if (parsed !== undefined) {
    const error = `HTTP ${status} from ${where} is JSON without an "output" object: this is not the API`;
    return { ...blankVerdict("not-the-api"), status, record: salvage(body), error, bodyStart };
  }
  const empty = body.length === 0 && type.includes("json");
  if (empty || beginsLikeJson(body)) {
    const what = empty ? "is empty" : `breaks off or is not valid JSON (${body.length} bytes)`;
    const error = `HTTP ${status} from ${where}: the record ${what}; the run may have been made and charged`;
    return { ...blankVerdict("ambiguous"), status, record: salvage(body), error, bodyStart };
  }
  const what = looksLikeHtml(body, type) ? "an HTML page" : `no JSON (${type}, ${body.length} bytes)`;
  const error = `HTTP ${status} from ${where} is ${what}: this is not the API; check base_url`;
  return { ...blankVerdict("not-the-api"), status, error, bodyStart };
}

function looksLikeHtml(body: Buffer, type: string): boolean {
  return type.includes("html") || body.toString("utf8", 0, 256).trimStart().startsWith("<");
}

/** Any answer outside 2xx. */
function failure(answer: ReceivedAnswer, parsed: JsonValue | undefined, question: SentRequest): Classified {
  const { status, headers, body } = answer;
  const detail = detailOf(parsed);
  const kind = failureKind(status, headers, hasId(detail));
  const told = detail === null ? null : recordOf(detail, body);
  const record = told === null || told.id === null ? salvage(body) : told;
  return {
    ...blankVerdict(kind),
    status,
    record,
    error: kind === "run-failed" ? runError(status, detail) : failureText(kind, answer, parsed, question),
    retryAfterMs: retryAfterMs(firstOf(headers["retry-after"]), dateOf(headers) ?? question.receivedAt),
    limit: status === 429 ? statedLimit(errorTextOf(parsed) ?? body.toString("utf8", 0, 4096)) : null,
    bodyStart: record === null || record.body === null ? startOf(body) : null,
  };
}

/** The lines of the table that a status outside 2xx can match, in their order. */
function failureKind(status: number, headers: ResponseHeaders, hasRun: boolean): OutcomeKind {
  if ((status === 401 || status === 403) && !hasRun) return "auth";
  if (status === 402) return "credits";
  if (status === 404) return "target";
  if (status === 429 || (status === 503 && headers["retry-after"] !== undefined)) return "throttled";
  if (status >= 400 && hasRun) return "run-failed";
  if (status >= 400 && status <= 499 && status !== 408 && status !== 425) return "rejected";
  return status >= 300 && status <= 399 ? "not-the-api" : "ambiguous";
}

/** The missing part of a refusal may have named a run, so it is not taken for one. */
function cutFailure(status: number, headers: ResponseHeaders): OutcomeKind {
  const kind = failureKind(status, headers, false);
  return kind === "auth" || kind === "rejected" ? "ambiguous" : kind;
}

function cutSuccess(body: Buffer, tooLarge: boolean): OutcomeKind {
  return tooLarge && !beginsLikeJson(body) ? "not-the-api" : "ambiguous";
}

function hasId(detail: JsonObject | null): boolean {
  return detail !== null && typeof detail["id"] === "string" && detail["id"] !== "";
}

/** Exactly the service's text: runs that fail alike are recognised by it. */
function runError(status: number, detail: JsonObject | null): string {
  const error = detail?.["error"] ?? null;
  return error === null ? `HTTP ${status}` : asText(error);
}

function failureText(
  kind: OutcomeKind,
  answer: ReceivedAnswer,
  parsed: JsonValue | undefined,
  { where }: SentRequest,
): string {
  const { status, headers } = answer;
  const said = `HTTP ${status} from ${where}`;
  if (kind === "not-the-api") {
    const location = firstOf(headers["location"]);
    const target = location === null ? "no Location" : `Location ${location.slice(0, 500)}`;
    return `${said}: a redirect is never followed (${target}); check base_url`;
  }
  return `${said}: ${errorTextOf(parsed) ?? `no error text (${firstOf(headers["content-type"]) ?? "no content type"})`}`;
}

/** When the service says that it answered: its clock and ours may differ by days. */
function dateOf(headers: ResponseHeaders): number | null {
  const date = firstOf(headers["date"]);
  return date === null || Number.isNaN(Date.parse(date)) ? null : Date.parse(date);
}

function firstOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  return typeof header === "string" ? header : (header[0] ?? null);
}

/** Texts can hold the key although the body did not: a Location, or JSON that spells it with escapes. */
function withoutKey(verdict: Classified, redactor: Redactor): Classified {
  const error = verdict.error === null ? null : redactor.text(verdict.error);
  const bodyStart = verdict.bodyStart === null ? null : redactor.text(verdict.bodyStart);
  const record = verdict.record === null ? null : cleanIdentity(verdict.record, redactor);
  const changed = error !== verdict.error || bodyStart !== verdict.bodyStart;
  return {
    ...verdict,
    error,
    bodyStart,
    record,
    redacted: verdict.redacted || changed || record !== verdict.record,
  };
}

/** Headers without the key, before any of them is cut: half a key would not be found. The same object when there is none. */
function cleanHeaders(headers: ResponseHeaders, redactor: Redactor): ResponseHeaders {
  let changed = false;
  const clean = (text: string): string => {
    const without = redactor.text(text);
    changed ||= without !== text;
    return without;
  };
  const entries = Object.entries(headers).map(([name, value]) => [
    clean(name),
    typeof value === "string" ? clean(value) : value?.map(clean),
  ]);
  const cleaned: ResponseHeaders = Object.fromEntries(entries);
  return changed ? cleaned : headers;
}

/** The headers that help to understand why an answer is not a record; null when there are none. */
function telling(headers: ResponseHeaders): Record<string, string> | null {
  const found = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const first = firstOf(value);
    return first === null || !tellingNames.test(name) ? [] : [[name, first.slice(0, 300)]];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
}

const tellingNames =
  /^(?:retry-after|location|server|via|content-type|date|x-request-id|x-correlation-id|cf-ray|(?:x-)?ratelimit-.*)$/i;

function cleanIdentity(record: RunRecord, redactor: Redactor): RunRecord {
  const id = record.id === null ? null : redactor.text(record.id);
  const url = record.url === null ? null : redactor.text(record.url);
  const createdAt = record.createdAt === null ? null : redactor.text(record.createdAt);
  const isSame = id === record.id && url === record.url && createdAt === record.createdAt;
  return isSame ? record : { ...record, id, url, createdAt };
}

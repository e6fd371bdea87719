import { isUtf8 } from "node:buffer";
import { withoutLogins } from "../lib/address.ts";
import { markupSent } from "../lib/markup.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../lib/json.ts";
import type { OutcomeKind } from "../api/outcomes.ts";
import { retryAfterMs } from "./retry-after.ts";
import { beginsLikeJson, isCutJson, recordOf, salvage, startOf, textOfBody } from "./run-record.ts";
import {
  blankVerdict,
  type Classified,
  dateOf,
  firstOf,
  type ReceivedAnswer,
  type ResponseHeaders,
  type SentRequest,
} from "./verdict.ts";
import { validationError } from "../api/error-bodies.ts";
import { toldReason } from "../api/told-reason.ts";
import { redirectAdvice } from "./redirect-advice.ts";
import { lineData } from "../api/event-stream.ts";
import { detailOf } from "../api/service-call.ts";
import type { StatedLimit } from "./outcome.ts";

/** A 2xx that is no record: broken JSON may be a run that was paid; anything else is not this API. */
export function notARecord(
  answer: ReceivedAnswer,
  parsed: JsonValue | undefined,
  { where, call, proxy }: SentRequest,
): Classified {
  const { status, body, headers } = answer;
  const { notOurs, salvagesRuns } = call;
  const record = salvagesRuns ? salvage(body) : null;
  const type = firstOf(headers["content-type"]) ?? "no content type";
  const bodyStart = startOf(body);
  if (parsed !== undefined) {
    const told = toldReason(parsed);
    const error = `HTTP ${status} from ${where} is JSON ${notOurs}${told === null ? "" : ` (${told})`}: this is not the API`;
    return { ...blankVerdict("not-the-api"), status, record, error, bodyStart };
  }
  // 204 says itself that it has no body.
  const empty = body.length === 0 && status !== 204;
  if (call.isBroken({ json: parsed, text: () => textOfBody(body) })) {
    const error = `HTTP ${status} from ${where}: the stream breaks off (${body.length} bytes); the run may have been made and charged`;
    return { ...blankVerdict("ambiguous"), status, record, error, bodyStart };
  }
  const isCut = beginsLikeJson(body) && isCutJson(textOfBody(body));
  if (empty || isCut) {
    const what = empty ? "is empty" : `breaks off (${body.length} bytes)`;
    const error = `HTTP ${status} from ${where}: the record ${what}; the run may have been made and charged`;
    return { ...blankVerdict("ambiguous"), status, record, error, bodyStart };
  }
  const isMade = beginsLikeJson(body);
  const many = lineData(textOfBody(body)) === null ? "no valid JSON" : "several JSON texts, one a line, and not one";
  const markup = markupSent(startOfText(body), type);
  const isText = markup === "XML" ? markup : isMade ? many : "no JSON";
  const what = markup === "HTML" ? "an HTML page" : `${isText} (${type}, ${body.length} bytes)`;
  const error = `HTTP ${status} from ${where} is ${what}: this is not the API; check base_url${proxy === null ? "" : ` and the proxy`}`;
  return { ...blankVerdict("not-the-api"), status, record, error, bodyStart };
}

/** As much of a body as tells in which language it is written. */
export const startOfText = (body: Buffer): string => body.toString("utf8", 0, 4096);

/** Any answer outside 2xx. */
export function failure(answer: ReceivedAnswer, parsed: JsonValue | undefined, question: SentRequest): Classified {
  const { status, headers, body } = answer;
  const { call } = question;
  const detail = call.failedRun(parsed);
  const kind = call.meaning(status, parsed) ?? failureKind(status, headers, hasId(detail));
  const reported = detail === null ? null : recordOf(detail, body);
  const salvaged = call.salvagesRuns ? salvage(body) : null;
  const record = reported === null || reported.id === null ? salvaged : reported;
  const said =
    call.errorText(parsed) ??
    errorTextOf(parsed) ??
    toldReason(parsed) ??
    (ofProxy(answer, question) === "" ? plainWords(answer, parsed) : null);
  return {
    ...blankVerdict(kind),
    status,
    record,
    error: kind === "run-failed" ? runError(status, detail, said) : failureText(kind, answer, said, question),
    retryAfterMs: retryAfterMs(firstOf(headers["retry-after"]), dateOf(headers) ?? question.receivedAt),
    limit: status === 429 ? statedLimit(said ?? body.toString("utf8", 0, 4096)) : null,
    bodyStart: record === null || record.body === null ? startOf(body) : null,
  };
}

/** The lines of the table that a status outside 2xx can match, in their order. */
export function failureKind(status: number, headers: ResponseHeaders, hasRun: boolean): OutcomeKind {
  if ((status === 401 || status === 403) && !hasRun) return "auth";
  if (status === 402) return "credits";
  if (status === 404) return "target";
  if (status === 429 || (status === 503 && headers["retry-after"] !== undefined)) return "throttled";
  if (status >= 400 && hasRun) return "run-failed";
  if (status >= 400 && status <= 499 && status !== 408 && status !== 425) return "rejected";
  return status >= 300 && status <= 399 ? "not-the-api" : "ambiguous";
}

function hasId(detail: JsonObject | null): boolean {
  return detail !== null && typeof detail["id"] === "string" && detail["id"] !== "";
}

/** Exactly the service's text: runs that fail alike are recognised by it. */
function runError(status: number, detail: JsonObject | null, said: string | null): string {
  const error = detail === null ? said : (detail["error"] ?? null);
  return error === null ? `HTTP ${status}` : asText(error);
}

function failureText(kind: OutcomeKind, answer: ReceivedAnswer, text: string | null, question: SentRequest): string {
  const { where } = question;
  const { status, headers } = answer;
  const said = `HTTP ${status} from ${where}`;
  if (kind === "not-the-api") {
    const location = firstOf(headers["location"]);
    const target = location === null ? "no Location" : `Location ${withoutLogins(location).slice(0, 500)}`;
    const advice = location === null ? null : redirectAdvice(location, question);
    return `${said}: a redirect is never followed (${target}); ${advice ?? "check base_url"}`;
  }
  if (text !== null) return `${said}: ${text}`;
  return `${said}: no error text (${firstOf(headers["content-type"]) ?? "no content type"})${ofProxy(answer, question)}`;
}

/** Statuses with which a proxy tells of itself, or that it did not reach the service. */
const proxyStatuses = new Set([407, 502, 503, 504]);

/** A remark that an answer without a text of the service may be the proxy's; empty where there is none. */
function ofProxy({ status }: ReceivedAnswer, { proxy }: SentRequest): string {
  return proxy === null || !proxyStatuses.has(status)
    ? ""
    : "; this may be the proxy's own page: look at its log, or leave it out with `proxy: none`";
}

const longest = 500;

/**
 * The message of an error body, in one line of text: the service's own words, or the places and messages of a refused
 * request. Null when the body has none in a known shape.
 */
function errorTextOf(parsed: JsonValue | undefined): string | null {
  const error = detailOf(parsed)?.["error"] ?? null;
  if (error !== null) return shortened(asText(error));
  if (!isJsonObject(parsed)) return null;
  const fault = validationError.safeParse(parsed);
  if (fault.success && fault.data.detail.length > 0) {
    return shortened(fault.data.detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; "));
  }
  const detail = parsed["detail"] ?? null;
  return detail === null ? null : shortened(asText(detail));
}

/** The words of a body that is no page, as it is, as a text in JSON or between the tags of XML; null where there are none. */
function plainWords({ body, headers }: ReceivedAnswer, parsed: JsonValue | undefined): string | null {
  if (parsed !== undefined && typeof parsed !== "string") return isEmpty(parsed) ? null : shortened(asText(parsed));
  const type = firstOf(headers["content-type"]) ?? "";
  const markup = parsed === undefined ? markupSent(startOfText(body), type) : null;
  if (parsed === undefined && (markup === "HTML" || !isUtf8(body))) return null;
  const text = markup === "XML" ? startOfText(body).replaceAll(/<[^>]*>/g, " ") : (parsed ?? textOfBody(body));
  const words = text.replaceAll(/\s+/g, " ").trim();
  return words === "" ? null : shortened(words);
}

const isEmpty = (value: JsonValue): boolean =>
  value === null || (typeof value === "object" && Object.keys(value).length === 0);

/** A text as it is; anything else as JSON text. */
function asText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shortened(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const sentence =
  /Limit:\s*(\d{1,9})\s+(concurrent\s+)?(?:requests?|runs?)\s+in\s+(\d{1,9}(?:\.\d{1,9})?)\s*([smhd])\b/i;

/**
 * The limit that the text of a 429 states: `Limit: 10 requests in 1m.` or `Limit: 4 concurrent runs in 30m.`;
 * null when there is none to be read, or it is zero.
 */
export function statedLimit(text: string): StatedLimit | null {
  const match = sentence.exec(text.slice(0, 4096));
  if (match === null) return null;
  const count = Number(match[1]);
  if (count === 0) return null;
  if (match[2] !== undefined) return { kind: "concurrency", count };
  const windowMs = Math.round(Number(match[3]) * (unitMs[(match[4] ?? "").toLowerCase()] ?? 0));
  return windowMs > 0 ? { kind: "requests", count, windowMs } : null;
}

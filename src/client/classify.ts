import { endpointOf } from "../api/endpoints.ts";
import type { ReplyRun } from "../api/endpoint-call.ts";
import type { AnswerKind } from "../api/answer-kind.ts";
import { isFailureInWords } from "../api/failed-when.ts";
import { toldReason } from "../api/told-reason.ts";
import { withoutLogins } from "../lib/address.ts";
import { namesItself } from "../lib/self-names.ts";
import { markupSent } from "../lib/markup.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import { failure, failureKind, notARecord, startOfText } from "./failure.ts";
import type { Answerer, OutcomeKind } from "../api/outcomes.ts";
import type { Outcome, RunRecord } from "./outcome.ts";
import type { Redactor } from "./redact.ts";
import { readCharset } from "./reply-charset.ts";
import { retryAfterMs } from "./retry-after.ts";
import { beginsLikeJson, parseBody, salvage, startOf, textOfBody } from "./run-record.ts";
import {
  blankVerdict,
  type Classified,
  dateOf,
  firstOf,
  type ReceivedAnswer,
  type ResponseHeaders,
  type SentRequest,
} from "./verdict.ts";

/**
 * Classifies a whole answer: the table of outcomes, first match wins. Pure, and total: every status, header and body
 * has exactly one outcome.
 */
export function classify(answer: ReceivedAnswer, question: SentRequest): Classified {
  const { body, utf8, fault, parsed, redacted } = readBody(answer, question.redactor);
  const success = answer.status >= 200 && answer.status <= 299;
  const { call } = question;
  const { kindOf, usageOf } = endpointOf(question.endpoint);
  const reply = { json: parsed, text: () => textOfBody(utf8) };
  const output = success ? call.outputOf(reply) : null;
  if (output !== null) {
    const { id, url, createdAt } = call.runOf(reply);
    const record = asReceived({ id, url, createdAt }, { body, utf8 });
    const unread = fault === null ? null : `the reply cannot be read: ${fault}`;
    const kind = kindOf(output);
    const words = failureInWords(output, question);
    const failed = unread ?? call.failureIn(output) ?? words;
    const usage = usageOf(output);
    const told = usage === null ? {} : { usage };
    if (failed === null) {
      const headers = versionHeaders(answer.headers, question.redactor);
      const verdict = { ...okVerdict(answer.status, record, kind, redacted), headers, ...told };
      const reason = lacksWords(kind) ? (toldReason(output) ?? call.lacksAnswer(output)) : null;
      return reason === null ? verdict : withoutKey({ ...verdict, error: reason }, question.redactor);
    }
    const reported = {
      status: answer.status,
      record,
      error: failed,
      possiblyPaid: unread !== null || words !== null,
      redacted,
      ...told,
      answeredBy: "service" as const,
    };
    return withoutKey({ ...blankVerdict("run-failed"), ...reported }, question.redactor);
  }
  const headers = cleanHeaders(answer.headers, question.redactor);
  const clean = { ...answer, body: utf8, headers };
  const found = success ? notARecord(clean, parsed, question) : failure(clean, parsed, question);
  const verdict = found.record?.body === utf8 ? { ...found, record: asReceived(found.record, { body, utf8 }) } : found;
  const echoed = redacted || headers !== answer.headers;
  const answeredBy = whoAnswered(verdict, clean, parsed);
  return withoutKey({ ...verdict, answeredBy, redacted: echoed, headers: telling(headers) }, question.redactor);
}

/** An answer of which a part is missing. */
export interface Cut {
  /** Says in a sentence why. */
  why: string;
  tooLarge: boolean;
  /** This side has ended it: it was too large, took too long, or was no longer needed. */
  byUs: boolean;
}

/**
 * Classifies an answer of which only a part came (reset, time-out, too large). The status decides if it can; else a run
 * may have been made.
 */
export function classifyCut(answer: ReceivedAnswer, { why, tooLarge, byUs }: Cut, question: SentRequest): Classified {
  const { utf8 } = readCharset(answer.body, firstOf(answer.headers["content-type"]));
  const body = question.redactor.cutBody(utf8);
  const { status } = answer;
  const headers = cleanHeaders(answer.headers, question.redactor);
  const success = status >= 200 && status <= 299;
  const verdict = {
    ...blankVerdict(success ? cutSuccess(body, tooLarge) : cutFailure(status, headers)),
    status,
    record: question.call.salvagesRuns ? salvage(body) : null,
    error: `HTTP ${status} from ${question.where}, but not whole: ${why}`,
    retryAfterMs: retryAfterMs(firstOf(headers["retry-after"]), dateOf(headers) ?? question.receivedAt),
    bodyStart: startOf(body),
    headers: telling(headers),
    redacted: body !== utf8 || headers !== answer.headers,
  };
  // Only a gateway's own status tells who answered where the rest is missing.
  const answeredBy = gatewayOf(verdict) ?? (verdict.kind === "ambiguous" && !byUs ? "broken" : null);
  return withoutKey({ ...verdict, answeredBy }, question.redactor);
}

/** Statuses with which a gateway says that there is no service behind it: of HTTP, and of Cloudflare and its like. */
const gatewayStatuses = new Set([502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530]);

/** The gateway that answered; null: none. It knows of no run, and an endpoint that gives its status another meaning has the word. */
function gatewayOf({ kind, status, record }: Classified): Answerer | null {
  if (kind !== "ambiguous" || status === null || !gatewayStatuses.has(status) || record !== null) return null;
  return "gateway";
}

/** An error in JSON, XML or a line of text is the service's own word; a page, or nothing at all, with the status 500 is not. */
function whoAnswered(verdict: Classified, answer: ReceivedAnswer, parsed: JsonValue | undefined): Answerer | null {
  const { kind, status, record } = verdict;
  if (kind === "throttled") return null;
  const gateway = gatewayOf(verdict);
  if (gateway !== null || kind !== "ambiguous" || status === null) return gateway ?? "service";
  // An answer with a good status that is empty, or ends in the middle, was emptied or cut on its way.
  if (status < 300) return "broken";
  if (status !== 500 || record !== null || parsed !== undefined) return "service";
  const type = firstOf(answer.headers["content-type"]) ?? "";
  const text = startOfText(answer.body);
  return text.trim() === "" || markupSent(text, type) === "HTML" ? "gateway" : "service";
}

/** True for kinds of answer without words of their own, of which the reply may tell the reason. */
const lacksWords = (kind: AnswerKind): boolean => kind === "empty" || kind === "refusal";

/** The answer itself, where the suite says that one like it is a failure; null: it is none. */
function failureInWords(output: JsonObject, { endpoint, failedWhen = [] }: SentRequest): string | null {
  if (failedWhen.length === 0) return null;
  const answer = endpointOf(endpoint).textOf(output);
  return answer !== null && isFailureInWords(answer, failedWhen) ? answer.slice(0, mostWords) : null;
}

/** A record with its body as it was received, and its text where that is another. */
function asReceived(run: ReplyRun, { body, utf8 }: Pick<ReadBody, "body" | "utf8">): RunRecord {
  const { id, url, createdAt } = run;
  return { id, url, createdAt, body, ...(utf8 !== body && { text: textOfBody(utf8) }) };
}

/** Characters that are kept of an answer that is a failure. */
const mostWords = 1_000;

interface ReadBody {
  /** As it was received, without the key. */
  body: Buffer;
  /** The same in UTF-8; the same object where it is that already. */
  utf8: Buffer;
  /** The reason why not all of it could be read; null: it could. */
  fault: string | null;
  parsed: JsonValue | undefined;
  /** The key stood in it. */
  redacted: boolean;
}

/** JSON can also spell the key with `\u00..` escapes; only a body that has some is looked at again. */
function readBody({ body: received, headers }: ReceivedAnswer, redactor: Redactor): ReadBody {
  const body = redactor.body(received);
  const { utf8, fault } = readCharset(body, firstOf(headers["content-type"]));
  const parsed = parseBody(utf8);
  // In another charset the key may have other bytes.
  const plain = utf8 === body ? utf8 : redactor.body(utf8);
  if (plain !== utf8) return { body: plain, utf8: plain, fault, parsed: parseBody(plain), redacted: true };
  const read = { body, utf8, fault, parsed, redacted: body !== received };
  if (parsed === undefined || !utf8.includes("\\u00")) return read;
  const text = JSON.stringify(parsed);
  const clean = redactor.bodyText(text);
  if (clean === text) return read;
  const bytes = Buffer.from(clean);
  return { body: bytes, utf8: bytes, fault, parsed: parseBody(bytes), redacted: true };
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
    answeredBy: "service",
  };
}

/** The missing part of a refusal may have named a run, so it is not taken for one. */
function cutFailure(status: number, headers: ResponseHeaders): OutcomeKind {
  const kind = failureKind(status, headers, false);
  return kind === "auth" || kind === "rejected" ? "ambiguous" : kind;
}

function cutSuccess(body: Buffer, tooLarge: boolean): OutcomeKind {
  return tooLarge && !beginsLikeJson(body) ? "not-the-api" : "ambiguous";
}

/**
 * Texts can hold the key although the body did not: a Location, or JSON that spells it with escapes; or the login of an
 * address that a service redirects to or cannot reach.
 */
function withoutKey(verdict: Classified, redactor: Redactor): Classified {
  const error = verdict.error === null ? null : redactor.text(verdict.error);
  const bodyStart = verdict.bodyStart === null ? null : redactor.text(verdict.bodyStart);
  const record = verdict.record === null ? null : cleanIdentity(verdict.record, redactor);
  const changed = error !== verdict.error || bodyStart !== verdict.bodyStart;
  return {
    ...verdict,
    error: error === null ? null : withoutLogins(error),
    bodyStart: bodyStart === null ? null : withoutLogins(bodyStart),
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
    return first === null || !tellingNames.test(name) ? [] : [[name, withoutLogins(first).slice(0, 300)]];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
}

/** The headers by which a service names its model or its version; null when there are none. */
function versionHeaders(headers: ResponseHeaders, redactor: Redactor): Record<string, string> | null {
  const own = Object.entries(headers).filter(([name]) => namesItself(name) && !aboutTransport.has(name.toLowerCase()));
  if (own.length === 0) return null;
  const found = Object.entries(cleanHeaders(Object.fromEntries(own), redactor)).flatMap(([name, value]) => {
    const first = firstOf(value);
    return first === null ? [] : [[name, withoutLogins(first).slice(0, 300)] as const];
  });
  return Object.fromEntries(found);
}

const aboutTransport = new Set(["mime-version", "sec-websocket-version"]);

const tellingNames =
  /^(?:retry-after|location|server|via|content-type|date|x-request-id|x-correlation-id|cf-ray|(?:x-)?ratelimit-.*)$/i;

function cleanIdentity(record: RunRecord, redactor: Redactor): RunRecord {
  const id = record.id === null ? null : redactor.bodyText(record.id);
  const url = record.url === null ? null : redactor.bodyText(record.url);
  const createdAt = record.createdAt === null ? null : redactor.bodyText(record.createdAt);
  const isSame = id === record.id && url === record.url && createdAt === record.createdAt;
  return isSame ? record : { ...record, id, url, createdAt };
}

import { endpointOf } from "../api/endpoints.ts";
import type { JsonValue } from "../lib/json.ts";
import { failure, failureKind, looksLikeHtml, notARecord } from "./failure.ts";
import type { OutcomeKind } from "../api/outcomes.ts";
import type { Outcome, RunRecord } from "./outcome.ts";
import type { Redactor } from "./redact.ts";
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
  const { body, parsed } = readBody(answer.body, question.redactor);
  const redacted = body !== answer.body;
  const success = answer.status >= 200 && answer.status <= 299;
  const { call } = question;
  const { kindOf, usageOf } = endpointOf(question.endpoint);
  const reply = { json: parsed, text: () => textOfBody(body) };
  const output = success ? call.outputOf(reply) : null;
  if (output !== null) {
    const { id, url, createdAt } = call.runOf(reply);
    const record = { id, url, createdAt, body };
    const failed = call.failureIn(output);
    if (failed === null) {
      const verdict = okVerdict(answer.status, record, kindOf(output), redacted);
      const usage = usageOf(output);
      return usage === null ? verdict : { ...verdict, usage };
    }
    const reported = { status: answer.status, record, error: failed, redacted, answeredBy: "service" as const };
    return withoutKey({ ...blankVerdict("run-failed"), ...reported }, question.redactor);
  }
  const headers = cleanHeaders(answer.headers, question.redactor);
  const clean = { ...answer, body, headers };
  const verdict = success ? notARecord(clean, parsed, question) : failure(clean, parsed, question);
  const echoed = redacted || headers !== answer.headers;
  const answeredBy = whoAnswered(verdict, clean, parsed);
  return withoutKey({ ...verdict, answeredBy, redacted: echoed, headers: telling(headers) }, question.redactor);
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
    record: question.call.salvagesRuns ? salvage(body) : null,
    error: `HTTP ${status} from ${question.where}, but not whole: ${why}`,
    retryAfterMs: retryAfterMs(firstOf(headers["retry-after"]), dateOf(headers) ?? question.receivedAt),
    bodyStart: startOf(body),
    headers: telling(headers),
    redacted: body !== answer.body || headers !== answer.headers,
  };
  // Only a gateway's own status tells who answered where the rest is missing.
  const answeredBy = isOfGateway(verdict) ? "gateway" : null;
  return withoutKey({ ...verdict, answeredBy }, question.redactor);
}

/** Statuses with which a gateway says that there is no service behind it. */
const gatewayStatuses = new Set([502, 503, 504]);

/** A gateway knows of no run, and an endpoint that gives its status another meaning has the word. */
const isOfGateway = ({ kind, status, record }: Classified): boolean =>
  kind === "ambiguous" && status !== null && gatewayStatuses.has(status) && record === null;

/** An error in JSON is the service's own word; a page, or nothing at all, with the status 500 is not. */
function whoAnswered(
  verdict: Classified,
  { body, headers }: ReceivedAnswer,
  parsed: JsonValue | undefined,
): Classified["answeredBy"] {
  if (verdict.kind === "throttled") return null;
  if (isOfGateway(verdict)) return "gateway";
  const isBare500 = verdict.kind === "ambiguous" && verdict.status === 500 && verdict.record === null;
  if (!isBare500 || parsed !== undefined) return "service";
  const type = firstOf(headers["content-type"]) ?? "";
  return body.toString("utf8", 0, 256).trim() === "" || looksLikeHtml(body, type) ? "gateway" : "service";
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
  const clean = redactor.bodyText(text);
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
  const id = record.id === null ? null : redactor.bodyText(record.id);
  const url = record.url === null ? null : redactor.bodyText(record.url);
  const createdAt = record.createdAt === null ? null : redactor.bodyText(record.createdAt);
  const isSame = id === record.id && url === record.url && createdAt === record.createdAt;
  return isSame ? record : { ...record, id, url, createdAt };
}

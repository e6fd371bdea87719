import { endpointOf } from "../../api/endpoints.ts";
import { attemptMs } from "../../lib/duration.ts";
import { version } from "../../lib/version.ts";
import type { Batch } from "../../store/batches.ts";
import type { AttemptRow } from "../../store/results/attempt-pages.ts";
import type { SentGrade } from "./grades.ts";
import { runSpans } from "./run-spans.ts";

/** A value of an attribute in the JSON of OTLP, which writes whole numbers of 64 bits as texts. */
type AttributeValue = { stringValue: string } | { intValue: string } | { doubleValue: number } | { boolValue: boolean };

interface Attribute {
  key: string;
  value: AttributeValue;
}

/** A span in the JSON of OTLP: ids in hexadecimal, times in nanoseconds as texts, enumerations as numbers. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: 1 | 3;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code?: 2; message?: string };
}

/** Kinds of spans. */
const internal = 1;
const client = 3;

const longestMessage = 500;

/**
 * The spans of some requests: each run of a case is a trace of its own, with a span for each request. A trace of a whole
 * batch would be larger than most stores of traces take. The ids are made of the run, so that the same again is the same.
 * Prompts and answers are not in them.
 */
export function spansOf(
  batch: Pick<Batch, "name" | "suiteName" | "createdAt" | "seed">,
  rows: readonly AttemptRow[],
): Span[] {
  const runs = Map.groupBy(rows, ({ jobId }) => jobId);
  return Array.from(runs.values()).flatMap((attempts) => spansOfRun(batch, attempts));
}

function spansOfRun(batch: Parameters<typeof spansOf>[0], attempts: readonly AttemptRow[]): Span[] {
  const [first] = attempts;
  const last = attempts.at(-1);
  if (first === undefined || last === undefined) return [];
  const { traceId, runId: parentSpanId, requestId } = runSpans(batch, first);
  const run: Span = {
    traceId,
    spanId: parentSpanId,
    name: `run ${first.target}`,
    kind: internal,
    startTimeUnixNano: nanoseconds(first.queuedAt),
    // A clock that was set back between two attempts lets no run end before it began.
    endTimeUnixNano: nanoseconds(Math.max(...attempts.map(endOf))),
    attributes: attributesOf({
      ...runAttributes(batch, first),
      "tandem.outcome": last.jobOutcome === "ok" ? last.answer : last.jobOutcome,
      "tandem.attempts": attempts.length,
    }),
    status: last.jobOutcome === "ok" || last.jobOutcome === null ? {} : failed(last),
  };
  const requests = attempts.map(
    (attempt) =>
      ({
        traceId,
        spanId: requestId(attempt.number),
        parentSpanId,
        name: `${endpointOf(attempt.endpoint).operation} ${attempt.exampleId}`.trim(),
        kind: client,
        startTimeUnixNano: nanoseconds(startOf(attempt)),
        endTimeUnixNano: nanoseconds(endOf(attempt)),
        attributes: attributesOf({ ...runAttributes(batch, attempt), ...requestAttributes(attempt) }),
        status: attempt.outcome === "ok" ? {} : failed(attempt),
      }) as const,
  );
  return [run, ...requests];
}

type Attributes = Record<string, string | number | boolean | null>;

function runAttributes(batch: Pick<Batch, "name" | "suiteName">, row: AttemptRow): Attributes {
  return {
    "tandem.batch": batch.name,
    "tandem.suite": batch.suiteName,
    "tandem.target": row.target,
    "tandem.case.key": row.key,
    "tandem.repeat": row.repeat,
    "tandem.kind": row.kind,
  };
}

/** By the conventions for HTTP and for generative AI, where they have a word for it. */
function requestAttributes(row: AttemptRow): Attributes {
  const { operation, runs } = endpointOf(row.endpoint);
  const address = addressOf(row.baseUrl);
  return {
    "gen_ai.operation.name": operation,
    "gen_ai.provider.name": row.deployment,
    ...(runs?.key === "model" ? { "gen_ai.request.model": row.exampleId } : { "gen_ai.agent.id": row.exampleId }),
    "gen_ai.usage.input_tokens": row.tokensIn,
    "gen_ai.usage.output_tokens": row.tokensOut,
    "gen_ai.response.id": row.runId,
    "http.request.method": "POST",
    "http.response.status_code": row.status,
    "http.request.resend_count": row.number > 1 ? row.number - 1 : null,
    "server.address": address?.hostname ?? null,
    "server.port": address === null || address.port === "" ? null : Number(address.port),
    "error.type": row.outcome === "ok" ? null : row.outcome,
    "tandem.outcome": row.outcome === "ok" ? row.answer : row.outcome,
    "tandem.possibly_paid": row.possiblyPaid === 1,
    "tandem.queued_ms": attemptMs(row.queuedAt, row.sentAt),
    "tandem.first_byte_ms": attemptMs(row.sentAt, row.firstByteAt),
    "tandem.run.url": row.url,
  };
}

function addressOf(baseUrl: string): URL | null {
  return URL.canParse(baseUrl) ? new URL(baseUrl) : null;
}

function failed({ outcome, error }: AttemptRow): Span["status"] {
  return { code: 2, message: (error ?? outcome).slice(0, longestMessage).toWellFormed() };
}

function attributesOf(values: Attributes): Attribute[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === null || value === "" ? [] : [{ key, value: attributeValue(value) }],
  );
}

function attributeValue(value: string | number | boolean): AttributeValue {
  if (typeof value === "string") return { stringValue: value.toWellFormed() };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

const startOf = ({ sentAt, queuedAt }: AttemptRow): number => sentAt ?? queuedAt;
const endOf = (row: AttemptRow): number => Math.max(row.doneAt ?? 0, startOf(row));

/** Milliseconds are kept to the microsecond: more does not fit a number. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1000)}000`;

/** An event in the JSON of OTLP, which is a log record with a name. */
export interface LogRecord {
  timeUnixNano: string;
  observedTimeUnixNano: string;
  severityNumber: 9;
  eventName: string;
  attributes: Attribute[];
  traceId: string;
  spanId: string;
}

/** The severity of information. */
const information = 9;

/**
 * Grades as events `gen_ai.evaluation.result` of OpenTelemetry's conventions for generative AI, each in the context of the
 * request whose answer was graded. With `reasons` they explain themselves, by texts that may quote the answer.
 */
export function eventsOf(
  batch: Pick<Batch, "name" | "suiteName">,
  grades: readonly SentGrade[],
  { reasons }: { reasons: boolean },
): LogRecord[] {
  return grades.map(({ metric, value, pass, reason, of, traceId, spanId, at }) => {
    const attributes = attributesOf({
      "gen_ai.evaluation.name": metric.name,
      "gen_ai.evaluation.score.label": pass === null ? null : pass ? "pass" : "fail",
      "gen_ai.evaluation.explanation": reasons ? (reason?.slice(0, longestMessage) ?? null) : null,
      "gen_ai.response.id": of.runId,
      "error.type": value === null ? "unscored" : null,
      ...runAttributes(batch, of),
    });
    // A score is a number with a fraction there, also where it is a whole one.
    if (value !== null) attributes.push({ key: "gen_ai.evaluation.score.value", value: { doubleValue: value } });
    return {
      timeUnixNano: nanoseconds(at),
      observedTimeUnixNano: nanoseconds(at),
      severityNumber: information,
      eventName: "gen_ai.evaluation.result",
      attributes,
      traceId,
      spanId,
    };
  });
}

/** The bodies of requests to a collector, with spans and with events. `resource`: attributes of what is described, such as the name of the service. */
export function exportRequest(spans: readonly Span[], resource: Readonly<Record<string, string>>): string {
  return JSON.stringify({ resourceSpans: [{ resource: described(resource), scopeSpans: [{ scope, spans }] }] });
}

export function eventsRequest(logRecords: readonly LogRecord[], resource: Readonly<Record<string, string>>): string {
  return JSON.stringify({ resourceLogs: [{ resource: described(resource), scopeLogs: [{ scope, logRecords }] }] });
}

const scope = { name: "tandem", version };

function described(resource: Readonly<Record<string, string>>): { attributes: Attribute[] } {
  return { attributes: attributesOf({ "service.name": "tandem", "service.version": version, ...resource }) };
}

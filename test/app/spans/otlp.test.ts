import { describe, expect, test } from "vitest";
import { exportRequest, spansOf } from "../../../src/app/spans/otlp.ts";
import type { AttemptRow } from "../../../src/store/results/attempt-pages.ts";

const batch = { name: "night-1", suiteName: "night", createdAt: 1_790_000_000_000, seed: "1" };

const answered: AttemptRow = {
  jobId: 7,
  caseId: 3,
  key: "en-1",
  target: "prod",
  deployment: "prod",
  baseUrl: "https://bots.example.test:8443/api",
  endpoint: "chat-completions",
  exampleId: "small-model",
  repeat: 1,
  kind: "case",
  jobOutcome: "ok",
  number: 2,
  outcome: "ok",
  answer: "answered",
  status: 200,
  error: null,
  possiblyPaid: 1,
  queuedAt: 1_790_000_001_000,
  sentAt: 1_790_000_001_002.5,
  firstByteAt: 1_790_000_001_100.25,
  doneAt: 1_790_000_001_200.125,
  tokensIn: 12,
  tokensOut: 34,
  runId: "r1",
  url: null,
};
const throttled: AttemptRow = {
  ...answered,
  number: 1,
  outcome: "throttled",
  answer: null,
  status: 429,
  error: "slow down",
  possiblyPaid: 0,
  queuedAt: 1_790_000_000_500,
  sentAt: 1_790_000_000_501,
  firstByteAt: null,
  doneAt: 1_790_000_000_600,
  tokensIn: null,
  tokensOut: null,
  runId: null,
};

const attributes = (span: { attributes: { key: string; value: object }[] } | undefined): Record<string, object> =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, value]));

describe("the spans of a run", () => {
  test("are one for the run and one for each request, in a trace of its own", () => {
    const [run, first, second, ...more] = spansOf(batch, [throttled, answered]);
    expect(more).toEqual([]);
    expect(run).toMatchObject({ name: "run prod", kind: 1, status: {} });
    expect(run?.parentSpanId).toBeUndefined();
    expect([first?.parentSpanId, second?.parentSpanId]).toEqual([run?.spanId, run?.spanId]);
    expect([first?.startTimeUnixNano, second?.endTimeUnixNano]).toEqual(["1790000000501000000", "1790000001200125000"]);
    expect([run?.startTimeUnixNano, run?.endTimeUnixNano]).toEqual(["1790000000500000000", "1790000001200125000"]);
    expect(first).toMatchObject({ kind: 3, name: "chat small-model", status: { code: 2, message: "slow down" } });
    expect(attributes(first)).toMatchObject({
      "error.type": { stringValue: "throttled" },
      "http.response.status_code": { intValue: "429" },
    });
    expect(attributes(second)).toMatchObject({
      "gen_ai.operation.name": { stringValue: "chat" },
      "gen_ai.request.model": { stringValue: "small-model" },
      "gen_ai.usage.input_tokens": { intValue: "12" },
      "http.request.resend_count": { intValue: "1" },
      "server.address": { stringValue: "bots.example.test" },
      "server.port": { intValue: "8443" },
      "tandem.case.key": { stringValue: "en-1" },
      "tandem.outcome": { stringValue: "answered" },
      "tandem.queued_ms": { doubleValue: 2.5 },
      "tandem.possibly_paid": { boolValue: true },
    });
    expect(attributes(second)["error.type"]).toBeUndefined();
  });

  test("have the same ids when they are made again, and others for another run", () => {
    const ids = (rows: AttemptRow[]): string[] =>
      spansOf(batch, rows).flatMap(({ traceId, spanId }) => [traceId, spanId]);
    expect(ids([answered])).toEqual(ids([{ ...answered, jobId: 99 }]));
    const others = [answered, { ...answered, jobId: 8, repeat: 2 }, { ...answered, jobId: 9, target: "test" }];
    expect(new Set(spansOf(batch, others).map(({ traceId }) => traceId)).size).toBe(3);
    expect(new Set(spansOf(batch, others).map(({ spanId }) => spanId)).size).toBe(6);
    for (const id of ids([throttled, answered])) expect(id).toMatch(/^(?:[0-9a-f]{32}|[0-9a-f]{16})$/);
  });

  test("tell of a failed run why, cut, and of one in flight no end before its beginning", () => {
    const failing = { ...throttled, jobOutcome: "rejected", outcome: "rejected", error: "x".repeat(2000) } as const;
    const [run, request] = spansOf(batch, [failing]);
    expect(run?.status).toEqual({ code: 2, message: "x".repeat(500) });
    expect(request?.status.code).toBe(2);
    const [open] = spansOf(batch, [{ ...throttled, sentAt: null, doneAt: null, jobOutcome: null }]);
    expect(open?.endTimeUnixNano).toBe(open?.startTimeUnixNano);
  });

  test("stand in a request with the attributes of the resource", () => {
    const body = JSON.parse(exportRequest(spansOf(batch, [answered]), { "service.name": "evals", team: "bots" }));
    const [{ resource, scopeSpans }] = body.resourceSpans;
    expect(attributes(resource)).toMatchObject({
      "service.name": { stringValue: "evals" },
      team: { stringValue: "bots" },
    });
    expect(scopeSpans[0].scope.name).toBe("tandem");
    expect(scopeSpans[0].spans).toHaveLength(2);
  });
});

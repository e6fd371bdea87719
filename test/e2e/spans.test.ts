import { createServer, type IncomingHttpHeaders } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { batchOfTwo, prompts } from "../viewer/viewing.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const attribute = z.strictObject({
  key: z.string(),
  value: z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ intValue: z.string() }),
    z.strictObject({ doubleValue: z.number() }),
    z.strictObject({ boolValue: z.boolean() }),
  ]),
});
const id = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const span = z.looseObject({
  traceId: id(32),
  spanId: id(16),
  name: z.string(),
  attributes: z.array(attribute),
});
/** As `opentelemetry/proto/logs/v1/logs.proto` has it. */
const logRecord = z.strictObject({
  timeUnixNano: z.string().regex(/^\d+$/),
  observedTimeUnixNano: z.string().regex(/^\d+$/),
  severityNumber: z.int().min(1).max(24),
  eventName: z.string(),
  attributes: z.array(attribute),
  traceId: id(32),
  spanId: id(16),
});
const ofSpans = z.looseObject({ scopeSpans: z.tuple([z.looseObject({ spans: z.array(span) })]) });
const ofEvents = z.looseObject({ scopeLogs: z.tuple([z.looseObject({ logRecords: z.array(logRecord) })]) });
const body = z.union([
  z.strictObject({ resourceSpans: z.tuple([ofSpans]) }),
  z.strictObject({ resourceLogs: z.tuple([ofEvents]) }),
]);

interface Got {
  path: string;
  headers: IncomingHttpHeaders;
  spans: z.infer<typeof span>[];
  events: z.infer<typeof logRecord>[];
}

type Answer = { status: number; body?: object; hangs?: boolean };

/** A collector that answers as it is told, the last answer for all that follow; `events` is its answer to events. */
async function startCollector(...answers: Answer[]): Promise<Collector> {
  return collectorWith({ answers, events: { status: 200 } });
}

interface Collector {
  url: string;
  /** Requests with spans, and those with events. */
  got: Got[];
  events: Got[];
}

async function collectorWith({
  answers,
  events: answerToEvents,
}: {
  answers: Answer[];
  events: Answer;
}): Promise<Collector> {
  const events: Got[] = [];
  const got: Got[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      const read = body.parse(JSON.parse(text));
      const one = { path: request.url ?? "", headers: request.headers, spans: [], events: [] };
      const isOfEvents = "resourceLogs" in read;
      if ("resourceLogs" in read) events.push({ ...one, events: read.resourceLogs[0].scopeLogs[0].logRecords });
      else got.push({ ...one, spans: read.resourceSpans[0].scopeSpans[0].spans });
      const next = (): Answer => (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 200 };
      const { status, body: reply = {}, hangs } = isOfEvents ? answerToEvents : next();
      if (hangs === true) return;
      response.writeHead(status, { "content-type": "application/json", "retry-after": "0" });
      response.end(JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, got, events };
}

const attributesOf = ({ attributes }: { attributes: z.infer<typeof attribute>[] }) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

describe("grades for OpenTelemetry", () => {
  test("are events in the context of the request whose answer was graded, without reasons unless contents are asked for", async () => {
    const { tandem } = await batchOfTwo();
    await tandem.run("run", "suite.yaml");
    const collector = await startCollector({ status: 200 });
    const sent = await tandem.run("send", "spans", "--otel", collector.url, "--json");
    expect(JSON.parse(sent.out)).toMatchObject({ sent: 24, grades: { sent: 11, dropped: 0, reason: null } });
    const spans = collector.got.flatMap((each) => each.spans);
    const events = collector.events.flatMap((each) => each.events);
    expect(collector.events.map(({ path }) => path)).toEqual(["/v1/logs"]);
    expect(new Set(events.map(({ eventName }) => eventName))).toEqual(new Set(["gen_ai.evaluation.result"]));
    for (const event of events) {
      const own = spans.find(({ spanId }) => spanId === event.spanId);
      const { ["tandem.case.key"]: key, ["tandem.target"]: target } = attributesOf(event);
      expect(own?.traceId).toBe(event.traceId);
      expect(attributesOf(own ?? { attributes: [] })).toMatchObject({
        "gen_ai.response.id": attributesOf(event)["gen_ai.response.id"],
        "tandem.case.key": key,
        "tandem.target": target,
        "tandem.outcome": "answered",
      });
    }
    const labels = events
      .map(attributesOf)
      .map((each) => [each["tandem.target"], each["gen_ai.evaluation.score.label"]]);
    expect(labels.filter(([target]) => target === "prod")).toEqual(prompts.map(() => ["prod", "pass"]));
    expect(labels.filter(([target]) => target === "test")).toEqual(prompts.slice(1).map(() => ["test", "fail"]));
    expect(events.map(attributesOf).map((each) => each["gen_ai.evaluation.name"])).toEqual(events.map(() => "correct"));
    expect(JSON.stringify(events)).not.toMatch(/explanation|WHO KNOWS/);
    tandem.env({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" });
    await tandem.run("send", "spans", "--otel", collector.url);
    const explained = collector.events[1]?.events.map(attributesOf) ?? [];
    expect(explained).toHaveLength(11);
    for (const each of explained) expect(each["gen_ai.evaluation.explanation"]).toMatch(/answered/);
  });

  test("are not sent to a collector that takes no events, which is no fault, and counted where they are not taken", async () => {
    const { tandem } = await batchOfTwo();
    await tandem.run("run", "suite.yaml");
    const ofTraces = await collectorWith({ answers: [{ status: 200 }], events: { status: 404 } });
    const without = await tandem.run("send", "spans", "--otel", ofTraces.url);
    expect([without.code, without.err]).toEqual([0, expect.stringContaining("24 spans sent to OpenTelemetry.")]);
    expect(without.err).toContain("No grades were sent: the collector takes no events");
    const part = { partialSuccess: { rejectedLogRecords: "3", errorMessage: "too old" } };
    const partly = await collectorWith({ answers: [{ status: 200 }], events: { status: 200, body: part } });
    const some = await tandem.run("send", "spans", "--otel", partly.url);
    expect([some.code, some.err]).toEqual([3, expect.stringContaining("3 of 11 grades were not taken (too old)")]);
  });
});

describe("spans for OpenTelemetry", () => {
  test("of a run are sent at its end, each request once, and again from the database with the same ids", async () => {
    const { tandem } = await batchOfTwo();
    const collector = await startCollector({ status: 503 }, { status: 200 });
    tandem.env({ TANDEM_API_KEY: "sk-test-0123456789", OTEL_EXPORTER_OTLP_HEADERS: "x-key=abc" });
    const run = await tandem.run("run", "suite.yaml", "--otel", collector.url);
    // Two of each run: its own, and that of its request. The first try was refused.
    const most = prompts.length * 2 * 2;
    expect(run.err).toContain(`${most} spans and 11 grades sent to OpenTelemetry.`);
    expect(collector.got).toHaveLength(2);
    const sent = collector.got[1];
    expect(sent).toMatchObject({ path: "/v1/traces", headers: { "x-key": "abc", "content-type": "application/json" } });
    expect(sent?.spans).toEqual(collector.got[0]?.spans);
    expect(new Set(sent?.spans.map(({ spanId }) => spanId)).size).toBe(most);
    // Nothing that was asked or answered, and no key.
    expect(JSON.stringify(collector.got.map(({ spans }) => spans))).not.toMatch(/WHO KNOWS|renew|sk-test/);
    const again = await tandem.run("send", "spans", "--otel", collector.url, "--json");
    expect(JSON.parse(again.out)).toMatchObject({ version: storedVersion, sent: most, dropped: 0, reason: null });
    expect(collector.got[2]?.spans).toEqual(sent?.spans);
  });

  test("of a batch that was stopped and resumed are sent by the process that made the requests", async () => {
    const { tandem } = await batchOfTwo();
    const collector = await startCollector({ status: 200 });
    await tandem.run("run", "suite.yaml", "--budget", "5", "--otel", collector.url);
    const before = collector.got.flatMap(({ spans }) => spans.map(({ spanId }) => spanId));
    expect(before).toHaveLength(10);
    await tandem.run("resume", "--otel", collector.url);
    const all = collector.got.flatMap(({ spans }) => spans.map(({ spanId }) => spanId));
    expect(all).toHaveLength(prompts.length * 2 * 2);
    expect(new Set(all).size).toBe(all.length);
  });

  test("that are not taken are counted, and the run is what it would have been", async () => {
    const { tandem } = await batchOfTwo();
    const refusing = await startCollector({ status: 400 });
    const run = await tandem.run("run", "suite.yaml", "--otel", refusing.url);
    expect(run.code).toBe(1);
    expect(run.err).toMatch(/24 of 24 spans were not taken \(it answered 400\)\. .* tandem send spans two-/);
    // One that says nothing is given up after a while.
    const silent = await startCollector({ status: 200, hangs: true });
    const waited = await tandem.run("run", "suite.yaml", "--otel", silent.url);
    expect([waited.code, waited.err]).toEqual([1, expect.stringContaining("24 of 24 spans were not taken")]);
    const part = { partialSuccess: { rejectedSpans: "3", errorMessage: "too old" } };
    const partly = await startCollector({ status: 200, body: part });
    const { code, err } = await tandem.run("send", "spans", "--otel", partly.url);
    expect(code).toBe(3);
    expect(err).toMatch(/3 of 24 spans were not taken \(too old\)/);
    const wrong = await tandem.run("run", "suite.yaml", "--otel", "nowhere");
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringContaining("What --otel was given is not an address that begins with http:// or https://"),
    ]);
  });
});

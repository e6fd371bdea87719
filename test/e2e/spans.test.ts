import { createServer, type IncomingHttpHeaders } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { batchOfTwo, prompts } from "../viewer/viewing.ts";

interface Got {
  path: string;
  headers: IncomingHttpHeaders;
  spans: { traceId: string; spanId: string; name: string; attributes: { key: string; value: object }[] }[];
}

/** A collector that answers as it is told, the last answer for all that follow. */
async function startCollector(
  ...answers: { status: number; body?: object; hangs?: boolean }[]
): Promise<{ url: string; got: Got[] }> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      const [{ scopeSpans }] = JSON.parse(text).resourceSpans;
      got.push({ path: request.url ?? "", headers: request.headers, spans: scopeSpans[0].spans });
      const { status, body = {}, hangs } = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 200 };
      if (hangs === true) return;
      response.writeHead(status, { "content-type": "application/json", "retry-after": "0" });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, got };
}

describe("spans for OpenTelemetry", () => {
  test("of a run are sent at its end, each request once, and again from the database with the same ids", async () => {
    const { tandem } = await batchOfTwo();
    const collector = await startCollector({ status: 503 }, { status: 200 });
    tandem.env({ TANDEM_API_KEY: "sk-test-0123456789", OTEL_EXPORTER_OTLP_HEADERS: "x-key=abc" });
    const run = await tandem.run("run", "suite.yaml", "--otel", collector.url);
    // Two of each run: its own, and that of its request. The first try was refused.
    const most = prompts.length * 2 * 2;
    expect(run.err).toContain(`${most} spans sent to OpenTelemetry.`);
    expect(collector.got).toHaveLength(2);
    const sent = collector.got[1];
    expect(sent).toMatchObject({ path: "/v1/traces", headers: { "x-key": "abc", "content-type": "application/json" } });
    expect(sent?.spans).toEqual(collector.got[0]?.spans);
    expect(new Set(sent?.spans.map(({ spanId }) => spanId)).size).toBe(most);
    // Nothing that was asked or answered, and no key.
    expect(JSON.stringify(collector.got.map(({ spans }) => spans))).not.toMatch(/WHO KNOWS|renew|sk-test/);
    const again = await tandem.run("spans", "--otel", collector.url, "--json");
    expect(JSON.parse(again.out)).toMatchObject({ version: 1, sent: most, dropped: 0, reason: null });
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
    expect(run.err).toMatch(/24 of 24 spans were not taken \(it answered 400\)\. .* tandem spans two-/);
    // One that says nothing is given up after a while.
    const silent = await startCollector({ status: 200, hangs: true });
    const waited = await tandem.run("run", "suite.yaml", "--otel", silent.url);
    expect([waited.code, waited.err]).toEqual([1, expect.stringContaining("24 of 24 spans were not taken")]);
    const part = { partialSuccess: { rejectedSpans: "3", errorMessage: "too old" } };
    const partly = await startCollector({ status: 200, body: part });
    const { code, err } = await tandem.run("spans", "--otel", partly.url);
    expect(code).toBe(3);
    expect(err).toMatch(/3 of 24 spans were not taken \(too old\)/);
    const wrong = await tandem.run("run", "suite.yaml", "--otel", "nowhere");
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--otel takes an address")]);
  });
});

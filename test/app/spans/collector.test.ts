import { describe, expect, test } from "vitest";
import { collectorOf } from "../../../src/app/spans/collector.ts";

const addressOf = (given: string, env: NodeJS.ProcessEnv = {}): string => collectorOf(given, env).spans.url.href;

describe("the collector", () => {
  test("has the path of traces below the address that is given, and as it is where that is one of traces", () => {
    expect(addressOf("http://127.0.0.1:4318")).toBe("http://127.0.0.1:4318/v1/traces");
    expect(addressOf("https://otel.example.test/base/")).toBe("https://otel.example.test/base/v1/traces");
    expect(addressOf("https://otel.example.test/v1/traces")).toBe("https://otel.example.test/v1/traces");
    expect(addressOf("", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" })).toBe(
      "http://localhost:4318/v1/traces",
    );
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://a.test",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://b.test/own",
    };
    expect(addressOf("", env)).toBe("http://b.test/own");
    expect(addressOf("http://c.test", env)).toBe("http://c.test/v1/traces");
  });

  test("has the path of events beside that of traces, and none where only the address of traces is known", () => {
    const eventsOf = (given: string, env: NodeJS.ProcessEnv = {}) => collectorOf(given, env).events?.url.href;
    expect(eventsOf("https://otel.example.test/base/")).toBe("https://otel.example.test/base/v1/logs");
    expect(eventsOf("https://otel.example.test/v1/traces")).toBe("https://otel.example.test/v1/logs");
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://b.test/own" };
    expect(eventsOf("", own)).toBeUndefined();
    expect(eventsOf("", { ...own, OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "http://b.test/logs" })).toBe("http://b.test/logs");
  });

  test("gets reasons of grades where contents are asked for by OpenTelemetry's own variable", () => {
    const reasonsFor = (value: string) =>
      collectorOf("http://127.0.0.1:4318", { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: value }).reasons;
    expect(["true", "EVENT_ONLY", "SPAN_AND_EVENT"].map(reasonsFor)).toEqual([true, true, true]);
    expect(["", "false", "NO_CONTENT", "SPAN_ONLY"].map(reasonsFor)).toEqual([false, false, false, false]);
  });

  test("takes headers and attributes from the environment", () => {
    const { spans, events, resource } = collectorOf("https://otel.example.test", {
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc, x-team = bots,broken,=no",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x-team=evals",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=ci,service.name=a",
      OTEL_SERVICE_NAME: "b",
    });
    expect(spans.headers).toEqual({ authorization: "Bearer abc", "x-team": "evals" });
    expect(events?.headers).toEqual({ authorization: "Bearer abc", "x-team": "bots" });
    expect(resource).toEqual({ "deployment.environment": "ci", "service.name": "b" });
  });

  test("is refused without an address, with another protocol, and where a key would be readable on its way", () => {
    expect(() => collectorOf("", {})).toThrow(/needs the address of a collector/);
    expect(() => collectorOf("localhost:4318", {})).toThrow(/http:\/\/ or https:\/\//);
    const env = { OTEL_EXPORTER_OTLP_HEADERS: "authorization=x" };
    expect(() => collectorOf("http://otel.example.test", env)).toThrow(/plain http/);
    expect(() => collectorOf("http://me:word@otel.example.test", {})).toThrow(/plain http/);
    expect(addressOf("http://[::1]:4318", env)).toBe("http://[::1]:4318/v1/traces");
  });
});

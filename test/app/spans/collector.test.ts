import { describe, expect, test } from "vitest";
import { collectorOf } from "../../../src/app/spans/collector.ts";

const addressOf = (given: string, env: NodeJS.ProcessEnv = {}): string => collectorOf(given, env).url.href;

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

  test("takes headers and attributes from the environment", () => {
    const { headers, resource } = collectorOf("https://otel.example.test", {
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc, x-team = bots,broken,=no",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x-team=evals",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=ci,service.name=a",
      OTEL_SERVICE_NAME: "b",
    });
    expect(headers).toEqual({ authorization: "Bearer abc", "x-team": "evals" });
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

import { describe, expect, test } from "vitest";
import { drawLatency, latencySettings } from "../../../src/deployment/bot/drawn-latency.ts";
import { seededRandom } from "../../../src/lib/random.ts";

function draws(settings: object, count = 20_000): number[] {
  const random = seededRandom("latency");
  const parsed = latencySettings.parse(settings);
  return Array.from({ length: count }, () => drawLatency(parsed, random)).toSorted((a, b) => a - b);
}

describe("latency", () => {
  test("is 0 unless configured, and fixed is always the median", () => {
    expect(new Set(draws({}, 10))).toStrictEqual(new Set([0]));
    expect(new Set(draws({ median_ms: 70, p95_ms: 500 }, 10))).toStrictEqual(new Set([70]));
  });

  test("lognormal has the median and the 95th percentile that were asked for", () => {
    const sorted = draws({ distribution: "lognormal", median_ms: 200, p95_ms: 350 });
    expect(sorted[10_000]).toBeGreaterThan(190);
    expect(sorted[10_000]).toBeLessThan(210);
    expect(sorted[19_000]).toBeGreaterThan(335);
    expect(sorted[19_000]).toBeLessThan(365);
    expect(sorted[0]).toBeGreaterThanOrEqual(0);
  });

  test("the same seed draws the same, and lognormal has a tail", () => {
    const settings = { distribution: "lognormal", median_ms: 100, p95_ms: 300 };
    expect(draws(settings, 50)).toStrictEqual(draws(settings, 50));
    expect(draws(settings).at(-1)).toBeGreaterThan(800);
  });

  test("a 95th percentile below the median is refused", () => {
    expect(latencySettings.safeParse({ median_ms: 100, p95_ms: 50 }).error?.issues[0]?.message).toBe(
      "p95_ms must not be below median_ms",
    );
  });
});

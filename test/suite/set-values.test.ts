import { describe, expect, test } from "vitest";
import { withSetValues } from "../../src/suite/flags/set-values.ts";

const written = { deployments: { prod: { base_url: "x", retries: 1 }, test: { base_url: "y" } }, repeats: 1 };

const set = (suite: unknown, given: string[]): unknown => withSetValues(suite, given).value;

describe("--set KEY=VALUE", () => {
  test("lays values over a suite as it is written: by a path, at every deployment, or not at all", () => {
    expect(set(written, ["compare.noise_repeats=2", "repeats=3"])).toEqual({
      ...written,
      repeats: 3,
      compare: { noise_repeats: 2 },
    });
    expect(set(written, ["retries=0", "deployments.test.timeout=30s"])).toMatchObject({
      deployments: { prod: { retries: 0 }, test: { retries: 0, timeout: "30s" } },
    });
    expect(set({ repeats: 1 }, ["retries=0"])).toEqual({ repeats: 1 });
    expect(set(written, ["repeats=null"])).toEqual({ deployments: written.deployments });
    const scorers = [{ type: "contains" }, { type: "length", max: 9 }];
    expect(set({ scorers }, ["scorers.1.max=20", "scorers.0=null"])).toEqual({
      scorers: [{ type: "length", max: 20 }],
    });
  });

  test.each(["repeats", "=3", ".x=1", "a..b=1", "__proto__.x=1", "repeats=[1", "repeats=", "repeats.x=1"])(
    "refuses %s",
    (text) => {
      expect(() => withSetValues(written, [text])).toThrow(expect.objectContaining({ code: "USAGE" }));
    },
  );
});

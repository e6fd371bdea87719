import { describe, expect, test } from "vitest";
import { withSetValues } from "../../src/suite/flags/set-values.ts";

const written = { deployments: { prod: { base_url: "x", retries: 1 }, test: { base_url: "y" } }, repeats: 1 };

describe("--set KEY=VALUE", () => {
  test("lays values over a suite as it is written: by a path, at every deployment, or not at all", () => {
    expect(withSetValues(written, ["compare.noise_repeats=2", "repeats=3"])).toEqual({
      ...written,
      repeats: 3,
      compare: { noise_repeats: 2 },
    });
    expect(withSetValues(written, ["retries=0", "deployments.test.timeout=30s"])).toMatchObject({
      deployments: { prod: { retries: 0 }, test: { retries: 0, timeout: "30s" } },
    });
    expect(withSetValues({ repeats: 1 }, ["retries=0"])).toEqual({ repeats: 1 });
    expect(withSetValues(written, ["repeats="])).toEqual({ deployments: written.deployments });
  });

  test.each(["repeats", "=3", ".x=1", "a..b=1", "__proto__.x=1", "repeats=[1"])("refuses %s", (text) => {
    expect(() => withSetValues(written, [text])).toThrow(expect.objectContaining({ code: "USAGE" }));
  });
});

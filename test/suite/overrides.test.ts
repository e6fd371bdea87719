import { describe, expect, test } from "vitest";
import { suiteFromFlags } from "../../src/suite/flags/flags.ts";
import { withOverrides } from "../../src/suite/flags/overrides.ts";

const { suite } = suiteFromFlags(
  { dataset: "p.csv", endpoint: "functions", deployments: { a: "local:a", b: "local:b" }, exampleIds: ["x"] },
  {},
  "/home/me",
);

describe("flags over a suite", () => {
  test("hold for every deployment, and leave the rest as it is", () => {
    const changed = withOverrides(suite, {
      rate: "5/s",
      repeats: 4,
      noiseRepeats: 3,
      concurrency: undefined,
    });
    expect(changed).toMatchObject({ repeats: 4, targets: suite.targets });
    expect(changed.compare).toEqual({ baseline: "a", candidates: ["b"], noiseRepeats: 3 });
    expect(changed.deployments).toMatchObject([
      { name: "a", concurrency: 4, retries: 2, rate: { count: 5, windowMs: 1_000 } },
      { name: "b", rate: { count: 5, windowMs: 1_000 } },
    ]);
    expect(withOverrides(suite, {})).toEqual(suite);
  });

  test("are checked like the suite, and the message names the flag", () => {
    expect(() => withOverrides(suite, { rate: "fast", concurrency: 0, noiseRepeats: 0 })).toThrow(
      '--concurrency must be at least 1, got the number 0\n--rate must be a rate such as 10/m, 2/s or 100/h, got "fast"\n--noise-repeats must be at least 1, got the number 0',
    );
  });
});

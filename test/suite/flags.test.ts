import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { AppError } from "../../src/errors.ts";
import { suiteFromFlags, type SuiteFromFlags } from "../../src/suite/flags/flags.ts";

const flags: SuiteFromFlags = {
  dataset: "data/prompts.csv",
  endpoint: "video-bots",
  deployments: { prod: "https://prod.example.org/", test: "local:bots/test" },
  exampleIds: ["a", "b"],
};

function failure(changed: Partial<SuiteFromFlags>): AppError {
  try {
    suiteFromFlags({ ...flags, ...changed }, {}, "/home/me");
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error("no AppError was raised");
}

describe("a suite from flags", () => {
  test("sends every case to every deployment with every example_id", () => {
    const { suite, warnings, text } = suiteFromFlags({ ...flags, rate: "2/s", set: ["timeout=30s"] }, {}, "/home/me");
    expect(warnings).toEqual([]);
    expect(suite).toMatchObject({ name: "prompts", datasets: ["/home/me/data/prompts.csv"], folder: null });
    expect(suite.targets.map((target) => target.name)).toEqual(["prod:a", "prod:b", "test:a", "test:b"]);
    expect(suite.compare).toEqual({ baseline: "prod:a", candidates: ["prod:b", "test:a", "test:b"], noiseRepeats: 1 });
    expect(suite.deployments[0]).toMatchObject({
      rate: { count: 2, windowMs: 1_000 },
      timeoutMs: 30_000,
      keyNames: ["TANDEM_PROD_API_KEY", "TANDEM_API_KEY"],
    });
    expect(suite.deployments[1]?.baseUrl).toBe("local:/home/me/bots/test");
    expect(parse(text)).toMatchObject({ matrix: { example_ids: ["a", "b"] } });
  });

  test("grades by types, and by mappings in braces", () => {
    const scorers = ["contains", "{ name: short, type: length, max: 300 }"];
    const { suite, text } = suiteFromFlags({ ...flags, scorers }, {}, "/home/me");
    expect(suite.scorers.map(({ name }) => name)).toEqual(["contains", "short"]);
    expect(parse(text)).toMatchObject({ scorers: [{ type: "contains" }, { name: "short", max: 300 }] });
    expect(failure({ scorers: ["contians"] }).message).toContain('--scorer 1 (type) is "contians"');
    expect(failure({ scorers: ["contains", "{ type: length, maxx: 3 }"] }).message).toContain("--scorer 2 (maxx)");
    expect(failure({ scorers: ["contains", "contains"] }).message).toContain("--scorer 2 is the second one");
    for (const odd of ["contains: x", "{ type: ", "[contains]", ""]) {
      expect(failure({ scorers: [odd] }).message).toContain("--scorer takes a type or a mapping in braces");
    }
  });

  test("names the flag of every fault", () => {
    const error = failure({ endpoint: "video-bot", exampleIds: [" "], set: ["timeout='10'"], repeats: 0 });
    expect(error.code).toBe("USAGE");
    expect(error.message.split("\n")).toEqual([
      '--set timeout must be a duration such as 10m, 20s, 500ms or 3h, got "10"',
      '--endpoint must be video-bots, functions or chat-completions, got "video-bot". Did you mean "video-bots"?',
      "--example-id must not be blank",
      "--repeats must be at least 1, got the number 0",
    ]);
    expect(failure({ exampleIds: [] }).message).toBe(
      "--example-id is required. The endpoint video-bots needs it: the saved configuration that answers. A bot at an address of its own: tandem init SHEET --url ADDRESS.",
    );
    expect(failure({ deployments: {} }).message).toContain("--deployment must have at least");
    expect(failure({ deployments: { prod: "prod.org" } }).message).toContain("--deployment prod must be an address");
  });

  test("reads standard input as it is", () => {
    expect(suiteFromFlags({ ...flags, dataset: "-" }, {}, "/x").suite).toMatchObject({ name: "run", datasets: ["-"] });
  });
});

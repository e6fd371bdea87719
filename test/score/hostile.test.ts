import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultsOf } from "../../src/lib/fault.ts";
import { isJsonObject, type JsonObject } from "../../src/lib/json.ts";
import { makeScorers, type MadeScorer } from "../../src/score/make.ts";
import { registry, scorerOfType } from "../../src/score/registry.ts";
import { scorerSpecs } from "../../src/score/contract/spec.ts";
import { answered } from "./answered.ts";
import { anyCharacter } from "../any-character.ts";

/** Any value that a service may send in place of a bot's or a function's output. */
const member = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.array(fc.string({ unit: "grapheme-composite" }), { maxLength: 3 }),
);
const names = [
  "output_text",
  "raw_output_text",
  "references",
  "finish_reason",
  "called_functions",
  "return_value",
  "error",
  "logs",
  "output_audio",
  "x",
];
const output = fc.dictionary(fc.constantFrom(...names), member).map((value): JsonObject => {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  return isJsonObject(plain) ? plain : {};
});

const pure = registry.filter(({ forRows }) => forRows);

async function made(type: string, options: JsonObject): Promise<MadeScorer> {
  const [scorer] = await makeScorers(scorerSpecs([{ type, ...options }]), { trust: null, timeoutMs: 1000 });
  if (scorer === undefined) throw new Error("no scorer was made");
  return scorer;
}

describe("whatever a service answers, a score is a finite number within its scale or a reason", () => {
  test.each(pure.map(({ type, examples }) => ({ type, options: examples[0]?.scorer ?? {} })))(
    "$type",
    async ({ type, options }) => {
      const { scorer, metric, look } = await made(type, options);
      if (scorer.kind !== "pure") throw new Error("not a scorer that grades at once");
      fc.assert(
        fc.property(
          output,
          fc.option(fc.string({ unit: "grapheme-composite" })),
          fc.constantFrom("video-bots" as const, "functions" as const),
          (body, expected, endpoint) => {
            const answer = answered(body, { endpoint, ...(expected !== null && { expected }) });
            look?.(answer);
            const score = scorer.grade(answer);
            expect(score).toEqual(scorer.grade(answer));
            if ("unscored" in score) {
              expect(score.unscored).not.toBe("");
              return;
            }
            expect(Number.isFinite(score.value)).toBe(true);
            expect(score.reason).not.toBe("");
            expect(score.pass === null).toBe(!metric.passes);
            if (metric.scale.kind === "pass") expect([0, 1]).toContain(score.value);
            if (metric.scale.kind === "bounded" && metric.scale.cut === undefined) {
              expect(score.value).toBeGreaterThanOrEqual(metric.scale.min - 1e-9);
              expect(score.value).toBeLessThanOrEqual(metric.scale.max + 1e-9);
            }
          },
        ),
        { numRuns: 60 },
      );
    },
  );

  test("a scorer that fails is a reason, not an exception", async () => {
    const { scorer } = await made("json-path", { path: "$..*", equals: 1 });
    if (scorer.kind !== "pure") throw new Error("not a scorer that grades at once");
    const deep: unknown = JSON.parse(`${"[".repeat(3000)}${"]".repeat(3000)}`);
    const score = scorer.grade(answered({ output_text: [JSON.stringify(deep)] }));
    expect("unscored" in score || score.value === 0).toBe(true);
  });
});

test("rows bring their checks, and what is wrong with one leaves the row unscored", async () => {
  const { scorer, applies } = await made("checks", {});
  const row = { checks: { scorers: [{ type: "regex", value: "(" }], threshold: null } };
  const answer = answered("x", { case: row });
  expect(applies(answer)).toBe(true);
  expect(applies(answered("x"))).toBe(false);
  expect(scorer.kind === "pure" ? scorer.grade(answer) : null).toHaveProperty("unscored");
});

describe("a template", () => {
  test("is refused in a regular expression, which is not filled; braces that are no template are looked for", () => {
    const regex = scorerOfType("regex");
    const faults = (value: string) => (regex === null ? [] : faultsOf(regex.schema, { type: "regex", value }));
    expect(faults("{{ expected }}")).toEqual([
      expect.objectContaining({ message: expect.stringContaining("a regular expression is not filled from the row") }),
    ]);
    for (const value of ["{{.*?}}", "\\{\\{ expected \\}\\}", "{%"]) expect(faults(value)).toEqual([]);
  });
});

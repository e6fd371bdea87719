import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { promptfooCheck } from "../../src/score/promptfoo.ts";
import { checkScorer } from "../../src/score/row-checks.ts";
import { anyCharacter } from "../any-character.ts";

describe("an expectation of a promptfoo sheet", () => {
  test.each([
    ["Paris", { type: "equals", value: "Paris" }],
    ["equals: Paris", { type: "equals", value: "Paris" }],
    ["contains: x: y", { type: "contains", value: "x: y" }],
    ["not-contains:x", { type: "contains", value: "x", not: true }],
    ["icontains: पेरिस", { type: "icontains", value: "पेरिस" }],
    ['contains-any: a, "b, c" , d', { type: "contains-any", value: ["a", "b, c", "d"] }],
    ["icontains-all: a,b", { type: "contains-all", value: ["a", "b"], ignore_case: true }],
    ["starts-with: Sure", { type: "starts-with", value: "Sure" }],
    ["regex: ^\\d+:\\d+$", { type: "regex", value: "^\\d+:\\d+$" }],
    ["is-json", { type: "is-json" }],
    ["not-is-json", { type: "is-json", not: true }],
    ['is-json: {"type": "object"}', { type: "json-schema", schema: { type: "object" } }],
    ["contains-json", { type: "is-json", within: true }],
    ["latency(5000)", { type: "latency", max: "5000ms" }],
    ["levenshtein(3): hello", { type: "edit-distance", value: "hello", threshold: 3 }],
    ["rouge-n(0.5): hello you", { type: "rouge-n", value: "hello you", threshold: 0.5 }],
    ["not-is-refusal", { type: "refusal", not: true }],
    ['word-count: {"min": 2}', { type: "length", unit: "words", min: 2 }],
    // A text that only looks like a type is the answer itself.
    ["cost", { type: "equals", value: "cost" }],
    ["note: bring a key", { type: "equals", value: "note: bring a key" }],
    ["The library opens at 9: come in", { type: "equals", value: "The library opens at 9: come in" }],
  ])("%s is a scorer that the suite knows", (text, scorer) => {
    expect(promptfooCheck(text)).toEqual({ scorer });
    expect(checkScorer(scorer)).toMatchObject({ ok: true });
  });

  test.each([
    ["javascript: output.length > 3", "javascript"],
    ["llm-rubric: is polite", "llm-rubric"],
    ["not-similar(0.8): hello", "not-similar"],
    ["python: file.py", "python"],
    ["file://check.js", "javascript"],
    ["file://check.py", "file://"],
    ["is-json: file://schema.json", "is-json"],
    ["cost(0.01)", "cost"],
  ])("%s has no counterpart", (text, without) => expect(promptfooCheck(text)).toEqual({ without }));

  test("takes the threshold of its column where it has none itself", () => {
    expect(promptfooCheck("levenshtein: a", 2)).toEqual({
      scorer: { type: "edit-distance", value: "a", threshold: 2 },
    });
  });

  test("is read whatever it is", () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc.string().map((text) => `contains-any: ${text}`),
        ),
        (text) => {
          const read = promptfooCheck(text);
          expect("without" in read || text.includes("regex") || checkScorer(read.scorer).ok).toBe(true);
        },
      ),
    );
  });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { promptfooCheck } from "../../src/score/promptfoo/assertion.ts";
import { checkScorer } from "../../src/score/row-checks.ts";
import { anyCharacter } from "../any-character.ts";

const draft7 = "http://json-schema.org/draft-07/schema#";
const byValue = { clean: false, use: "value" };

describe("an expectation of a promptfoo sheet", () => {
  test.each([
    ["Paris", { type: "equals", value: "Paris", exact: true }],
    ["equals: Paris", { type: "equals", value: "Paris", exact: true }],
    ["contains: x: y", { type: "contains", value: "x: y", exact: true }],
    ["not-contains:x", { type: "contains", value: "x", exact: true, not: true }],
    ["icontains: पेरिस", { type: "contains", value: "पेरिस", ignore_case: true, exact: true }],
    ['contains-any: a, "b, c" , d', { type: "contains-any", value: ["a", "b, c", "d"], exact: true }],
    ["icontains-all: a,b", { type: "contains-all", value: ["a", "b"], ignore_case: true, exact: true }],
    ["starts-with: Sure", { type: "starts-with", value: "Sure", exact: true }],
    ["regex: ^\\d+:\\d+$", { type: "regex", value: "^\\d+:\\d+$" }],
    ["is-json", { type: "is-json" }],
    ["not-is-json", { type: "is-json", not: true }],
    ['is-json: {"type": "object"}', { type: "json-schema", schema: { $schema: draft7, type: "object" } }],
    [
      "contains-json",
      {
        type: "json-schema",
        schema: { $schema: draft7, anyOf: [{ type: "object" }, { type: "array", contains: { type: "object" } }] },
        within: "any",
      },
    ],
    [
      'contains-json: {"type": "object"}',
      { type: "json-schema", schema: { $schema: draft7, type: "object" }, within: "any" },
    ],
    ["regex: it\\'s\\_a\\-b", { type: "regex", value: "it's_a-b" }],
    ["latency(5000)", { type: "latency", max: "5000ms" }],
    [
      "levenshtein(3): hello",
      { type: "edit-distance", value: "hello", threshold: 3, unit: "code-points", clean: false },
    ],
    ["rouge-n(0.5): hello you", { type: "rouge-n", value: "hello you", threshold: 0.5, words: "treebank", ...byValue }],
    ["not-is-refusal", { type: "refusal", not: true }],
    ["rouge-l: hello you", { type: "rouge-l", value: "hello you", threshold: 0.75, words: "treebank", ...byValue }],
    [
      "bleu: hello you",
      { type: "bleu", value: "hello you", threshold: 0.5, smoothing: "tiny", words: "spaces", ...byValue },
    ],
    ["cost(0.01)", { type: "cost", max: 0.01 }],
    ["not-cost(0.01)", { type: "cost", max: 0.01, not: true }],
    [
      "tool-call-f1(0.8): search, mail",
      { type: "called-functions-f1", value: ["search", "mail"], threshold: 0.8, use: "value" },
    ],
    ["trajectory:tool-used: search", { type: "called-functions", value: ["search"] }],
    ["not-trajectory:tool-used: search, mail", { type: "called-functions", value: ["search", "mail"], match: "none" }],
    [
      'trajectory:tool-sequence: {"mode": "exact", "steps": ["a", "b"]}',
      { type: "called-functions", value: ["a", "b"], match: "in-order" },
    ],
    ["trajectory:tool-sequence: a, b", { type: "called-functions", value: ["a", "b"], match: "in-order-among-others" }],
    [
      'trajectory:tool-args-match: {"name": "search", "args": {"city": "Rome"}}',
      { type: "called-functions", value: "search", arguments: { city: "Rome" } },
    ],
    ['word-count: {"min": 2}', { type: "length", unit: "words", words: "spaces", min: 2 }],
    // A text that only looks like a type is the answer itself.
    ["cost", { type: "equals", value: "cost", exact: true }],
    ["note: bring a key", { type: "equals", value: "note: bring a key", exact: true }],
    ["The library opens at 9: come in", { type: "equals", value: "The library opens at 9: come in", exact: true }],
  ])("%s is a scorer that the suite knows", (text, scorer) => {
    expect(promptfooCheck(text)).toEqual({ scorer });
    expect(checkScorer(scorer)).toMatchObject({ ok: true });
  });

  test.each([
    ["javascript: output.length > 3", "javascript"],
    ["llm-rubric: is polite", "llm-rubric"],
    ["file://check.js", "javascript"],
  ])("%s is one that only `init` makes a scorer of", (text, without) =>
    expect(promptfooCheck(text)).toEqual({ without, why: null }),
  );

  test.each([
    ["not-similar(0.8): hello", "not-similar", "embeddings"],
    ["similar:cosine: hello", "similar:cosine", "embeddings"],
    ["python: file.py", "python", "type command"],
    ["file://check.py", "file://", "into the sheet"],
    ["is-json: file://schema.json", "is-json", "into the sheet"],
    ["cost: cheap", "cost", "without a threshold"],
    ["perplexity(2)", "perplexity", "probabilities"],
    ["is-valid-openai-tools-call", "is-valid-openai-tools-call", "promptfoo's provider"],
    ["trace-error-spans: 0", "trace-error-spans", "spans of a trace"],
    ['trajectory:tool-used: {"pattern": "search*"}', "trajectory:tool-used", "only the called functions"],
    ["guardrails:", "guardrails", "take refusal"],
    ["moderation:", "moderation", "another model"],
    ["context-recall: x", "context-recall", "a model grades it"],
    ["is-sql", "is-sql", "over a parser of your choice"],
    ["not-contains-xml: a.b", "not-contains-xml", "over a parser of your choice"],
    ["is-html", "is-html", "over a parser of your choice"],
    ["gleu(0.3): hello", "gleu", "take bleu"],
    ["not-meteor: hello", "not-meteor", "take chrf"],
    ['word-count: {"about": 3}', "word-count", "none that it can be graded by"],
  ])("%s has no counterpart, and the reason is said", (text, without, why) =>
    expect(promptfooCheck(text)).toEqual({ without, why: expect.stringContaining(why) as string }),
  );

  test("takes the threshold of its column where it has none itself", () => {
    expect(promptfooCheck("levenshtein: a", 2)).toEqual({
      scorer: { type: "edit-distance", value: "a", threshold: 2, unit: "code-points", clean: false },
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

import { expect, test } from "vitest";
import { usageIn } from "../../src/api/usage.ts";

test("usage is read under any of the names of services", () => {
  expect(usageIn({ prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 })).toEqual({ input: 3, output: 5 });
  expect(usageIn({ inputTokens: 3 })).toEqual({ input: 3, output: 0 });
  expect(usageIn({ input_tokens: 3, prompt_tokens: null, output_tokens: 0 })).toEqual({ input: 3, output: 0 });
  expect(usageIn(7)).toEqual({ input: 0, output: 7 });
});

test.each([
  { prompt_tokens: -100, completion_tokens: 5 },
  { prompt_tokens: 10.5, completion_tokens: 5 },
  { prompt_tokens: "10", completion_tokens: 5 },
  { prompt_tokens: null, completion_tokens: 5 },
  { prompt_tokens: 3, input_tokens: -3, completion_tokens: 5 },
  { prompt_tokens: 3, completion_tokens: 2 ** 60 },
  { total_tokens: 8 },
  -7,
  null,
])("usage is not told by %j, which holds what is no count", (value) => {
  expect(usageIn(value)).toBeNull();
});

test.each([
  [
    "thoughts of Gemini, which stand beside the candidates",
    { promptTokenCount: 10, candidatesTokenCount: 20, thoughtsTokenCount: 300, totalTokenCount: 330 },
    { input: 10, output: 320 },
  ],
  ["those of Ollama", { prompt_eval_count: 10, eval_count: 20 }, { input: 10, output: 20 }],
  ["those of watsonx", { input_token_count: 10, generated_token_count: 20 }, { input: 10, output: 20 }],
  [
    "all of Cohere, of which it bills a part",
    { billed_units: { input_tokens: 1, output_tokens: 2 }, tokens: { input_tokens: 60, output_tokens: 40 } },
    { input: 60, output: 40 },
  ],
  ["thoughts without a total", { promptTokenCount: 10, thoughtsTokenCount: 40 }, { input: 10, output: 40 }],
  [
    "results of tools",
    { promptTokenCount: 10, candidatesTokenCount: 5, toolUsePromptTokenCount: 7, totalTokenCount: 22 },
    { input: 17, output: 5 },
  ],
  [
    "reasoning beside what was completed",
    {
      prompt_tokens: 8,
      completion_tokens: 2,
      total_tokens: 110,
      completion_tokens_details: { reasoning_tokens: 100 },
    },
    { input: 8, output: 102 },
  ],
  [
    "reasoning among what was completed",
    {
      prompt_tokens: 8,
      completion_tokens: 102,
      total_tokens: 110,
      completion_tokens_details: { reasoning_tokens: 100 },
    },
    { input: 8, output: 102 },
  ],
  [
    "what came from a cache",
    { prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 64 } },
    { input: 100, output: 1, cached: 64 },
  ],
  [
    "a cache beside what was read",
    { input_tokens: 5, cache_read_input_tokens: 90, cache_creation_input_tokens: 10, output_tokens: 3 },
    { input: 105, output: 3, cached: 90 },
  ],
  [
    "a cache of Gemini, which is among what was read",
    { promptTokenCount: 100, cachedContentTokenCount: 70, candidatesTokenCount: 4, totalTokenCount: 104 },
    { input: 100, output: 4, cached: 70 },
  ],
])("usage counts %s", (_, value, usage) => {
  expect(usageIn(value)).toEqual(usage);
});

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

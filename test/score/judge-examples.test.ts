import { expect, test } from "vitest";
import { scorerSpec } from "../../src/score/contract/spec.ts";
import { usedToWrite } from "../../src/score/judge/judge-examples.ts";
import { makeScorers } from "../../src/score/make.ts";

const row = (key: string, question: string, tags: Record<string, string> = {}) => {
  return { key, tags, columns: {}, input: { input_prompt: question } };
};

function isOne(entry: object, body = {}): ((found: ReturnType<typeof row>) => boolean) | null {
  return usedToWrite(scorerSpec({ type: "judge", target: "grader", ...entry }), body);
}

test("a judge was written with the rows that the suite names, by their keys or their tags", () => {
  const keys = isOne({ examples: ["k1", 7] });
  expect([row("k1", "a"), row("7", "b"), row("k2", "c")].map((each) => keys?.(each))).toEqual([true, true, false]);
  const tags = isOne({ examples: { split: ["tuning", "few-shot"], round: 1 } });
  const own = [{ split: "tuning" }, { round: "1" }, { split: "test" }, {}];
  expect(own.map((each) => tags?.(row("k", "a", each)))).toEqual([true, true, false, false]);
  expect(isOne({})).toBeNull();
});

test("and with those whose question stands in its prompt, in any script, but for what may stand there by chance", () => {
  const rubric = "Good: «When does the  post office open\ntoday?» - «At nine.»\n今天的邮局几点开门？九点。 Is it?";
  const is = isOne({ rubric });
  const asked = [
    "When does the post office open today?",
    "今天的邮局几点开门？",
    "Is it?",
    "When does the post office close?",
  ];
  expect(asked.map((question) => is?.(row("k", question)))).toEqual([true, true, false, false]);
  const body = { messages: [{ role: "system", content: "Q: How do I get my money back? A: ..." }] };
  expect(isOne({}, body)?.(row("k", "How do I get my money back?"))).toBe(true);
});

test("examples are no part of what makes it another judge", async () => {
  const [plain, named] = await makeScorers(
    [scorerSpec({ type: "judge", target: "g" }), scorerSpec({ type: "judge", target: "g", examples: ["k1"] })],
    { trust: null, timeoutMs: 1000 },
  );
  expect(named?.spec.options).toEqual(plain?.spec.options);
  expect(named?.spec.examples).toEqual({ keys: ["k1"] });
});

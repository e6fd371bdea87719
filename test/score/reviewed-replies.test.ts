import { describe, expect, test } from "vitest";
import { readVerdict } from "../../src/score/judge/judge-reply.ts";
import { numbersIn } from "../../src/text/numbers.ts";
import { isOfTypography } from "../../src/text/typography.ts";
import { cellText } from "../../src/report/tables/spreadsheet.ts";
import { cpuMs } from "../cpu-time.ts";

describe("a judge's own verdict", () => {
  const score = { kind: "number", min: 0, max: 5 } as const;

  test("is no quotation because the answer has a longer word or number that begins like it", () => {
    expect(readVerdict("Good.\nScore: 4", score, ["he wrote Score: 40"])?.value).toBe(4);
    expect(readVerdict("Good.\nScore: 4", score, ["he wrote Score: 4."])).toBeNull();
  });

  test("stands under a name that only has such a word in it", () => {
    expect(readVerdict('{"answer_quality":{"score":4}}', score, [])?.value).toBe(4);
    expect(readVerdict('{"answer":{"score":4}}', score, [])).toBeNull();
  });
});

test.each([
  ["标准间-300元", 300],
  ["套餐：A套-25元", 25],
  ["房价 -300元", -300],
  ["it is -7 here", -7],
])("a hyphen behind a letter is no sign: %s", (text, number) => {
  expect(numbersIn(text).map(({ value }) => value)).toContain(number);
});

test.each([",", "!", "—", "？"])("a wanted text of marks alone means the ones that it has: %s", (mark) => {
  expect(isOfTypography(mark)).toBe(true);
});

test("a cell of many groups of three digits is looked at once", () => {
  const cell = `"é1,${"123,".repeat(100_000)}x`;
  expect(cpuMs(() => cellText(cell, { raw: false, decimal: "." }))).toBeLessThan(2_000);
});

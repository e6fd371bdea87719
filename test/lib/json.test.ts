import { expect, test } from "vitest";
import { answerTextOf, outputOf } from "../../src/compare/cases/answer.ts";
import { boundedJson, canonicalJson } from "../../src/lib/json.ts";

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

test("JSON is read to 500 levels, and refused beyond", () => {
  expect(canonicalJson(boundedJson(nested(500)))).toBe(nested(500));
  expect(() => boundedJson(`{"a":1,"b":${nested(500)}}`)).toThrow("it is nested deeper than 500 levels");
  expect(() => boundedJson(nested(100_000))).toThrow("it is nested deeper than 500 levels");
});

test("an answer that is nested beyond what can be compared is no answer", () => {
  const body = `{"id":"a","output":{"output_text":["x"],"deep":${nested(100_000)}}}`;
  expect([outputOf(body), answerTextOf("video-bots", body)]).toEqual([null, null]);
});

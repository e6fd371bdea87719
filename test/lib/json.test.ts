import { expect, test } from "vitest";
import { storedOutput } from "../../src/api/stored-output.ts";
import { answerTextOf } from "../../src/compare/cases/answer.ts";
import { boundedJson, canonicalJson, jsonText, parsedJson } from "../../src/lib/json.ts";

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

test("JSON is read to 500 levels, and refused beyond", () => {
  expect(canonicalJson(boundedJson(nested(500)))).toBe(nested(500));
  expect(() => boundedJson(`{"a":1,"b":${nested(500)}}`)).toThrow("it is nested deeper than 500 levels");
  expect(() => boundedJson(nested(100_000))).toThrow("it is nested deeper than 500 levels");
});

test("half of a character becomes U+FFFD, in names too, and a text about one stays", () => {
  const value = { "a\ud83d": ["\udc00", "\\ud83d", "\\\\ud83d", "👍", '"\ud800"'] };
  const read: unknown = JSON.parse(jsonText(value));
  expect(read).toEqual({ "a\ufffd": ["\ufffd", "\\ud83d", "\\\\ud83d", "👍", '"\ufffd"'] });
  expect(jsonText(value)).not.toMatch(/(?<!\\)(?:\\\\)*\\ud/);
});

test("what is nested beyond what can be compared is left out of an answer, and the rest of it stays", () => {
  const body = `{"id":"a","output":{"output_text":["x"],"__proto__":{},"deep":${nested(100_000)}}}`;
  expect(answerTextOf("video-bots", body)).toBe("x");
  const { deep = null } = storedOutput("video-bots", body) ?? {};
  // The record and its output are the first two levels.
  expect(JSON.stringify(deep)).toBe(`${"[".repeat(498)}null${"]".repeat(498)}`);
  expect(parsedJson(nested(500))).toEqual(boundedJson(nested(500)));
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonFault } from "../../src/deployment/answers/json-syntax.ts";
import { often } from "../often.ts";

describe("the first fault of a text that is not JSON", () => {
  test.each([
    ["{", 1, "Expecting property name enclosed in double quotes"],
    ['{"a"', 4, "Expecting ':' delimiter"],
    ['{"a":}', 5, "Expecting value"],
    ['{"a":1 "b":2}', 7, "Expecting ',' delimiter"],
    ['{"a":1,}', 7, "Expecting property name enclosed in double quotes"],
    ["[1 2]", 3, "Expecting ',' delimiter"],
    ['"abc', 0, "Unterminated string starting at"],
    ['["a\nb"]', 3, "Invalid control character at"],
    ['"\\x"', 1, "Invalid \\escape"],
    ['"\\u12g4"', 2, "Invalid \\uXXXX escape"],
    ['{"a":1} x', 8, "Extra data"],
    ["nul", 0, "Expecting value"],
    ["  ", 2, "Expecting value"],
    ['{"प्याज":"😀",oops}', 13, "Expecting property name enclosed in double quotes"],
  ])("%j is at %i: %s", (text, position, error) => {
    expect(jsonFault(text)).toEqual({ position, error });
  });

  test("is found exactly where JSON.parse fails too", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      '"a"',
      '"\\n"',
      '"\\q"',
      "1",
      "-0.5e3",
      "01",
      "true",
      " ",
      "\n",
      "x",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        expect(jsonFault(text) === null).toBe(parses(text));
      }),
      { numRuns: often(400, 2000) },
    );
  });

  test("is none in what JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonFault(JSON.stringify(value, null, 1))).toBeNull();
      }),
    );
  });

  test("does not overflow on deep nesting", () => {
    expect(jsonFault("[".repeat(200_000))).not.toBeNull();
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

import { expect, test } from "vitest";
import { jsonFault } from "../../src/deployment/answers/json-syntax.ts";

test.each([
  ["{", 1, "Expecting property name enclosed in double quotes"],
  ['{"a"', 4, "Expecting ':' delimiter"],
  ['{"a":1 "b":2}', 7, "Expecting ',' delimiter"],
  ['{"a":1,}', 7, "Expecting property name enclosed in double quotes"],
  ["[1 2]", 3, "Expecting ',' delimiter"],
  ['["a\nb"]', 3, "Invalid control character at"],
  ['"\\x"', 2, "Invalid \\escape"],
  ['{"a":1} x', 8, "Extra data"],
  ["  ", 2, "Expecting value"],
  ['{"प्याज":"😀",oops}', 13, "Expecting property name enclosed in double quotes"],
])("%j stops being JSON at %i: %s", (text, position, error) => {
  expect(jsonFault(text)).toEqual({ position, error });
});

test("JSON has no fault", () => expect(jsonFault('{"a": [1]}')).toBeNull());

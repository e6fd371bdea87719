import { expect, test } from "vitest";
import { jsonFields } from "../../src/report/model/json-fields.ts";

test("an answer has no more fields than a list can show, and none with a path that nobody reads", () => {
  const many = JSON.stringify({ a: Array.from({ length: 50_000 }, () => 1), b: 2 });
  expect(jsonFields(many)?.size).toBe(1000);
  const long = JSON.stringify({ ["x".repeat(20_000)]: Array.from({ length: 2000 }, () => 1), id: 7 });
  expect(jsonFields(long)).toEqual(new Map([["id", "7"]]));
});

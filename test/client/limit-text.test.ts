import { expect, test } from "vitest";
import { statedLimit } from "../../src/client/failure.ts";
import type { StatedLimit } from "../../src/client/outcome.ts";

test.each<[string, StatedLimit | null]>([
  ["Rate limit reached.\n\n Limit: 10 requests in 1m.\n Used: 10", { kind: "requests", count: 10, windowMs: 60_000 }],
  ["Limit: 1 request in 30s.", { kind: "requests", count: 1, windowMs: 30_000 }],
  ["Limit: 500 requests in 2h.", { kind: "requests", count: 500, windowMs: 7_200_000 }],
  ["Limit: 5000 requests in 1d.", { kind: "requests", count: 5000, windowMs: 86_400_000 }],
  ["Limit: 4 concurrent runs in 30m.", { kind: "concurrency", count: 4 }],
  ["Limit: 0 requests in 1m.", null],
  ["Limit: 10 requests in 0m.", null],
  ["Limit: -3 requests in 1m.", null],
  ["Limit: 10 requests in 1 fortnight.", null],
  ["Limit: १० requests in 1m.", null],
  ["try again later", null],
  ["", null],
])("%j states %j", (text, expected) => {
  expect(statedLimit(text)).toEqual(expected);
});

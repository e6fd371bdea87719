import * as fc from "fast-check";
import { expect, test } from "vitest";
import { retryAfterMs } from "../../src/client/retry-after.ts";

const now = Date.UTC(2026, 7, 21, 5, 0, 0);

test.each<[string | null, number | null]>([
  [null, null],
  ["51.1234568", 51_124],
  ["120", 120_000],
  ["0", 0],
  ["0.0001", 1],
  [" 3 ", 3000],
  [".5", 500],
  ["999999999999", 999_999_999_999_000],
  ["9999999999999", Number.MAX_SAFE_INTEGER],
  ["9".repeat(400), Number.MAX_SAFE_INTEGER],
  ["-5", null],
  ["-0.5", null],
  ["", null],
  ["soon", null],
  ["1e3", null],
  ["NaN", null],
  ["Infinity", null],
  ["5 seconds", null],
  ["12:30", null],
  ["Fri, 21 Aug 2026 05:00:30 GMT", 30_000],
  ["Friday, 21-Aug-26 05:01:00 GMT", 60_000],
  ["Fri Aug 21 05:00:10 2026", 10_000],
  ["Fri, 21 Aug 2026 04:00:00 GMT", 0],
  ["Fri, 99 Nonsense 2026 04:00:00 GMT", null],
])("Retry-After %j is %j ms", (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});

test("any header gives null or a finite number of milliseconds that is not negative", () => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      const wait = retryAfterMs(header, now);
      expect(wait === null || (Number.isFinite(wait) && wait >= 0)).toBe(true);
    }),
  );
});

import { expect, test } from "vitest";
import { isHeld } from "../../src/viewer/app/batches/first-reading.ts";

test("home waits at first until all suites are read, but not for long, and not again when one is read anew", () => {
  expect(isHeld({ open: 3, isWhole: false, sinceMs: 400 })).toBe(true);
  expect(isHeld({ open: 0, isWhole: false, sinceMs: 400 })).toBe(false);
  expect(isHeld({ open: 3, isWhole: false, sinceMs: 4000 })).toBe(false);
  expect(isHeld({ open: 1, isWhole: true, sinceMs: 400 })).toBe(false);
});

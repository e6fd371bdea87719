import { expect, test } from "vitest";
import { waitsForAll } from "../../src/viewer/app/batches/use-home.ts";

test("home waits at first until all suites are read, but not for long, and not again when one is read anew", () => {
  expect(waitsForAll({ open: 3, isWhole: false, sinceMs: 400 })).toBe(true);
  expect(waitsForAll({ open: 0, isWhole: false, sinceMs: 400 })).toBe(false);
  expect(waitsForAll({ open: 3, isWhole: false, sinceMs: 4000 })).toBe(false);
  expect(waitsForAll({ open: 1, isWhole: true, sinceMs: 400 })).toBe(false);
});

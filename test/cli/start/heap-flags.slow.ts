import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("the young generation grows to two halves of 8 MB in every thread and no further, whatever Node would give it", () => {
  const program = fileURLToPath(new URL("keeps-much.mjs", import.meta.url));
  const sizes = execFileSync(process.execPath, [program]).toString().trim().split("\n").map(Number);
  expect(sizes).toHaveLength(2);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(18 * 2 ** 20);
  expect(Math.min(...sizes)).toBeGreaterThan(4 * 2 ** 20);
});

import { expect, test } from "vitest";
import { withinFiles } from "../../src/worker/serve/clients.ts";

test("a deployment has no more requests at once than half of the files that a worker may still open", () => {
  expect(withinFiles(500, 200)).toBe(100);
  expect(withinFiles(50, 200)).toBe(50);
  // One at least: where nothing is left, the service's own answer is that it is so.
  expect(withinFiles(50, -3)).toBe(1);
  expect(withinFiles(50, null)).toBe(50);
});

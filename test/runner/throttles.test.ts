import { expect, test } from "vitest";
import { Throttles } from "../../src/runner/throttles.ts";

test("a job that is throttled goes first while nothing was answered, and behind others from then on", () => {
  const throttles = new Throttles();
  const sent = { queuedAt: 0, now: 1, status: 429, isLast: false, isLong: false };
  expect(throttles.throttled(1, sent)).toBe("limit");
  throttles.sound(2, 2);
  // Rows that are refused one after the other would make everybody wait for each of them.
  expect(throttles.throttled(3, { ...sent, queuedAt: 3, now: 4 })).toBe("again");
  expect(throttles.throttled(1, { ...sent, queuedAt: 5, now: 6 })).toBe("again");
});

import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { dateOffset, steadyNow } from "../../src/lib/clock.ts";

/** Keeps the process from doing anything, like a signal that stops it. */
const standStill = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test("the steady clock counts what passes, and no time in which the process stood still", async () => {
  const from = steadyNow();
  await setTimeout(50);
  const awake = steadyNow() - from;
  expect(awake).toBeGreaterThan(45);
  standStill(3_500);
  expect(steadyNow() - from - awake).toBeLessThan(3_000);
  const date = Date.now();
  expect(steadyNow() + dateOffset()).toBeGreaterThanOrEqual(date - 1);
  expect(steadyNow() + dateOffset()).toBeLessThan(date + 1_000);
});

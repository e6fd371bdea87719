import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { dateOffset, steadyNow } from "../../src/lib/clock.ts";

/** Lets the clock beneath and the date go on by so much at once, as they have when a stopped process goes on. */
function standStill(ms: number): void {
  const [clock, date] = [performance.now.bind(performance), Date.now.bind(Date)];
  vi.spyOn(performance, "now").mockImplementation(() => clock() + ms);
  vi.spyOn(Date, "now").mockImplementation(() => date() + ms);
  onTestFinished(() => void vi.restoreAllMocks());
}

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

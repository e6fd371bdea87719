import { expect, test } from "vitest";
import { steadyNow } from "../../src/lib/clock.ts";
import { defaultWaits } from "../../src/runner/backoff.ts";
import { Budget } from "../../src/runner/budget.ts";
import { Runner } from "../../src/runner/runner.ts";
import { batchTargets } from "../../src/store/batches.ts";
import { createJournal } from "../../src/store/journal/journal.ts";
import { oneCase, plannedBatch, suite, temporaryDatabase } from "../store/batch.ts";
import { type Line, ScriptedClient } from "./scripted-client.ts";

const ok = { kind: "ok", answer: "answered", status: 200 } as const;
const cases = 40;

/** Two sides in lockstep, of which `prod` answers like this; resolves to what `prod` was asked until `test` has finished. */
async function beside(prod: () => Line, lockstepMs: number): Promise<{ asked: number }> {
  const db = temporaryDatabase();
  const batch = await plannedBatch(
    db,
    Array.from({ length: cases }, (_, i) => oneCase(`k${i}`)),
  );
  const scripts: Record<string, () => Line> = { prod, test: () => ({ outcome: ok, delayMs: 1 }) };
  const clients = new Map<string, ScriptedClient>();
  const sides = suite.deployments.map((deployment) => {
    const client = new ScriptedClient(db, deployment.name, scripts[deployment.name] ?? prod);
    clients.set(deployment.name, client);
    const targets = batchTargets(db, batch.id).filter(({ name }) => name === deployment.name);
    const waiting = { ...deployment, timeoutMs: 600_000, jobTimeoutMs: 3_600_000 };
    return {
      deployment: waiting,
      account: deployment.name,
      client,
      targets: targets.map((target) => ({ ...target, unfinished: cases })),
    };
  });
  const runner = new Runner({
    sides,
    journal: createJournal(db, batch.id),
    seed: "1",
    budget: new Budget({ requests: null, cost: null, durationMs: null, failures: null }, steadyNow()),
    interleave: "strict",
    onAmbiguous: "fail",
    conversations: false,
    waits: { ...defaultWaits, lockstepMs },
  });
  const end = runner.run();
  const done = (): number => runner.snapshot().find(({ deployment }) => deployment === "test")?.done ?? 0;
  await expect.poll(done, { interval: 10, timeout: 20_000 }).toBe(cases);
  runner.abort();
  await end;
  await Promise.all([...clients.values()].map((client) => client.close()));
  return { asked: clients.get("prod")?.seen.length ?? 0 };
}

test("a side that hangs for longer than its answers take leaves the lockstep", async () => {
  const { asked } = await beside(() => ({ outcome: ok, delayMs: 1e8 }), 300);
  expect(asked).toBe(4);
});

test("a side that the service makes wait for long leaves the lockstep", async () => {
  const throttled = { kind: "throttled", status: 429, retryAfterMs: 3_000_000 } as const;
  const { asked } = await beside(() => ({ outcome: throttled, delayMs: 1 }), 60_000);
  expect(asked).toBeLessThanOrEqual(8);
});

test("a side that is refused again and again for long leaves the lockstep", async () => {
  const throttled = { kind: "throttled", status: 429, retryAfterMs: 100 } as const;
  const { asked } = await beside(() => ({ outcome: throttled, delayMs: 1 }), 400);
  expect(asked).toBeGreaterThan(4);
});

test("a side that is only slow stays in it", async () => {
  const { asked } = await beside(() => ({ outcome: ok, delayMs: 60 }), 300);
  expect(asked).toBeGreaterThanOrEqual(cases - 4);
});

test("sides in lockstep do not wait for each other for ever when the last conversations are not equally far", async () => {
  const db = temporaryDatabase();
  const turns = ["a", "b"].flatMap((cluster) =>
    Array.from({ length: 6 }, (_, i) => oneCase(`${cluster}${i}`, { cluster, turn: i + 1 })),
  );
  const batch = await plannedBatch(db, turns);
  const clients: ScriptedClient[] = [];
  const sides = suite.deployments.map((deployment) => {
    const client = new ScriptedClient(db, deployment.name, ({ prompt }) => ({
      outcome: ok,
      // The second conversation begins meanwhile.
      delayMs: prompt === "prompt of a3" ? 70 : 1,
    }));
    clients.push(client);
    const targets = batchTargets(db, batch.id).filter(({ name }) => name === deployment.name);
    return {
      deployment: { ...deployment, rate: { count: 1, windowMs: 20 } },
      account: deployment.name,
      client,
      targets: targets.map((target) => ({ ...target, unfinished: turns.length })),
    };
  });
  const runner = new Runner({
    sides,
    journal: createJournal(db, batch.id),
    seed: "1",
    budget: new Budget({ requests: null, cost: null, durationMs: null, failures: null }, steadyNow()),
    interleave: "strict",
    onAmbiguous: "fail",
    conversations: true,
  });
  const end = runner.run();
  const done = (): number => runner.snapshot().reduce((sum, side) => sum + side.done, 0);
  await expect.poll(done, { interval: 10, timeout: 4_000 }).toBe(2 * turns.length);
  await end;
  await Promise.all(clients.map((client) => client.close()));
});

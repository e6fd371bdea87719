import { expect, test } from "vitest";
import { steadyNow } from "../../src/lib/clock.ts";
import { Budget } from "../../src/runner/budget.ts";
import { Runner } from "../../src/runner/runner.ts";
import { batchTargets } from "../../src/store/batches.ts";
import { createJournal } from "../../src/store/journal/journal.ts";
import { oneCase, plannedBatch, suite, temporaryDatabase } from "../store/batch.ts";
import { ScriptedClient } from "./scripted-client.ts";

test("deployments of one account use no more slots than each of them allows, and all of those", async () => {
  const db = temporaryDatabase();
  const cases = Array.from({ length: 24 }, (_, place) => oneCase(`k${place}`));
  const batch = await plannedBatch(db, cases);
  const allowed = [2, 5];
  const answered = { outcome: { kind: "ok", answer: "answered", status: 200 }, delayMs: 20 } as const;
  const sides = suite.deployments.map((deployment, place) => ({
    deployment: { ...deployment, concurrency: allowed[place] ?? 1 },
    account: "one",
    client: new ScriptedClient(db, deployment.name, () => answered),
    targets: batchTargets(db, batch.id)
      .filter(({ name }) => name === deployment.name)
      .map((target) => ({ ...target, unfinished: cases.length })),
  }));
  const runner = new Runner({
    sides,
    journal: createJournal(db, batch.id),
    seed: "1",
    budget: new Budget({ requests: null, cost: null, durationMs: null, failures: null }, steadyNow()),
    interleave: "off",
    onAmbiguous: "fail",
    conversations: false,
  });
  await runner.run();
  expect(sides.map(({ client }) => client.mostInFlight)).toEqual(allowed);
  expect(sides.map(({ client }) => client.seen.length)).toEqual([24, 24]);
  await Promise.all(sides.map(({ client }) => client.close()));
});

import { expect, test } from "vitest";
import type { Case } from "../../src/dataset/case.ts";
import { steadyNow } from "../../src/lib/clock.ts";
import { Budget } from "../../src/runner/budget.ts";
import { Runner } from "../../src/runner/runner.ts";
import { batchTargets } from "../../src/store/batches.ts";
import { createJournal } from "../../src/store/journal/journal.ts";
import { oneCase, plannedBatch, suite, temporaryDatabase } from "../store/batch.ts";
import { ScriptedClient } from "./scripted-client.ts";

interface Side {
  concurrency: number;
  account: string;
}

/** Runs the cases to their end, each side with slots of its own; the services answer after 20 ms. */
async function clientsOf(cases: Case[], given: readonly Side[], conversations: boolean) {
  const db = temporaryDatabase();
  const batch = await plannedBatch(db, cases);
  const record = {
    id: "abcdefabcdef",
    url: null,
    createdAt: null,
    body: Buffer.from('{"output":{"output_text":["ok"]}}'),
  };
  const answered = { outcome: { kind: "ok", answer: "answered", status: 200, record }, delayMs: 20 } as const;
  const sides = given.map(({ concurrency, account }, place) => {
    const deployment = suite.deployments[place] ?? expect.unreachable("there are two");
    return {
      deployment: { ...deployment, concurrency },
      account,
      client: new ScriptedClient(db, deployment.name, () => answered),
      targets: batchTargets(db, batch.id)
        .filter(({ name }) => name === deployment.name)
        .map((target) => ({ ...target, unfinished: cases.length })),
    };
  });
  const runner = new Runner({
    sides,
    journal: createJournal(db, batch.id),
    seed: "1",
    budget: new Budget({ requests: null, cost: null, durationMs: null, failures: null }, steadyNow()),
    interleave: "off",
    onAmbiguous: "fail",
    conversations,
  });
  await runner.run();
  const clients = sides.map(({ client }) => client);
  await Promise.all(clients.map((client) => client.close()));
  return clients;
}

test("deployments of one account use no more slots than the smallest of their limits, and all of those", async () => {
  const cases = Array.from({ length: 24 }, (_, place) => oneCase(`k${place}`));
  const allowed = [2, 5];
  const clients = await clientsOf(
    cases,
    allowed.map((concurrency) => ({ concurrency, account: "one" })),
    false,
  );
  expect(clients.map(({ mostInFlight }) => mostInFlight)).toEqual([2, 2]);
  expect(clients.map(({ seen }) => seen.length)).toEqual([24, 24]);
});

test("a conversation goes on before another one begins: no more are under way than there are slots", async () => {
  const [talks, turns, concurrency] = [12, 5, 3];
  const cases = Array.from({ length: talks * turns }, (_, place) => {
    const talk = Math.floor(place / turns);
    const turn = (place % turns) + 1;
    return oneCase(`${talk}.${turn}`, { cluster: `c${talk}`, turn });
  });
  const [client] = await clientsOf(cases, [{ concurrency, account: "one" }], true);
  const asked = client?.seen.map(({ prompt }) => /of (\d+)\.(\d+)/.exec(prompt)?.slice(1).map(Number) ?? []) ?? [];
  expect(asked).toHaveLength(talks * turns);
  const open = new Set<number | undefined>();
  let most = 0;
  for (const [talk, turn] of asked) {
    open.add(talk);
    most = Math.max(most, open.size);
    if (turn === turns) open.delete(talk);
  }
  // The slots are in use too, by as many conversations.
  expect([most, client?.mostInFlight]).toEqual([concurrency, concurrency]);
});

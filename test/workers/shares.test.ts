import { expect, test } from "vitest";
import { randomUUID } from "node:crypto";
import { seededRandom } from "../../src/lib/random.ts";
import { sync, type SyncTold } from "../../src/workers/postgres/calls.ts";
import { enterAccount } from "../../src/workers/postgres/calls.ts";
import { fileDatabase } from "../postgres.ts";

const db = fileDatabase();

/** A lane of a running batch with a limit, and its account. */
async function laneOf(limits: { concurrency: number; rate?: [count: number, windowMs: number] }): Promise<string> {
  const [batch] = await db().query<{ no: number }>(
    `INSERT INTO tandem.batch (id, name, head, in_doubt, limits, state, created_at, submitter, submitter_seen_at)
     VALUES (gen_random_uuid(), 'b', '{}', 'hold', '{}', 'running', 0, 's', 0) RETURNING no`,
  );
  const no = batch?.no ?? 0;
  const [count = null, windowMs = null] = limits.rate ?? [];
  await db().query("INSERT INTO tandem.lane VALUES ($1, 1, 'prod/video-bots', 'q', 'prod', $2, $3, $4)", [
    no,
    limits.concurrency,
    count,
    windowMs,
  ]);
  const account = `http://service ${randomUUID()}`;
  await enterAccount(db(), account, { batch: no, lane: 1 });
  return account;
}

interface Asked {
  wanted: number;
  held: number;
  permits?: number;
  leaseMs?: number;
  longestMs?: number;
}

function ask(
  worker: string,
  account: string,
  { permits = 0, leaseMs = 10_000, longestMs = 60_000, ...asked }: Asked,
): Promise<SyncTold> {
  const accounts = [{ name: account, owner: worker, permits, leaseMs, longestMs, ...asked }];
  return sync(db(), { worker, inFlight: 0, results: [], notes: [], chunks: [], accounts });
}

test("whatever workers ask for, what they may have in flight never adds up above the limit", async () => {
  const limit = 20;
  const account = await laneOf({ concurrency: limit });
  const random = seededRandom("shares");
  const workers = Array.from({ length: 5 }, () => ({ id: randomUUID(), granted: 0, flying: 0 }));
  for (let turn = 0; turn < 300; turn += 1) {
    const own = workers[Math.floor(random() * workers.length)];
    if (own === undefined) continue;
    // It sends as much as it may, and some of it is answered.
    own.flying = Math.max(own.flying, Math.floor(random() * (own.granted + 1)));
    own.flying -= Math.floor(random() * (own.flying + 1));
    const wanted = random() < 0.2 ? 0 : Math.floor(random() * 30);
    const held = Math.max(own.granted, own.flying);
    const { shares } = await ask(own.id, account, { wanted, held });
    own.granted = shares[0]?.granted ?? 0;
    const all = workers.reduce((sum, { granted, flying }) => sum + Math.max(granted, flying), 0);
    expect(all).toBeLessThanOrEqual(limit);
  }
});

test("what a silent worker has in flight counts until it is surely over, and not longer", async () => {
  const account = await laneOf({ concurrency: 10 });
  const [silent, other] = [randomUUID(), randomUUID()];
  await ask(silent, account, { wanted: 10, held: 0, leaseMs: 200, longestMs: 1_500 });
  const granted = async (): Promise<number> =>
    (await ask(other, account, { wanted: 10, held: 0, leaseMs: 50, longestMs: 50 })).shares[0]?.granted ?? -1;
  expect(await granted()).toBe(0);
  await expect.poll(granted, { interval: 50, timeout: 20_000 }).toBe(10);
});

test("the moments that a rate gives out are one window apart for all workers together", async () => {
  const account = await laneOf({ concurrency: 10, rate: [20, 1_000] });
  const workers = [randomUUID(), randomUUID(), randomUUID()];
  const at: number[] = [];
  const began = performance.now();
  while (performance.now() - began < 1_500) {
    for (const worker of workers) {
      const { shares } = await ask(worker, account, { wanted: 5, held: 0, permits: 4 });
      const now = performance.now();
      const { first = 0, spacing = 0, permits = 0 } = shares[0]?.rate ?? {};
      for (let place = 0; place < permits; place += 1) at.push(now + first + place * spacing);
    }
  }
  const gaps = at.slice(1).map((time, place) => time - (at[place] ?? 0));
  // Their order is that of the account; what stands between is the way of an answer.
  expect(Math.min(...gaps)).toBeGreaterThan(-100);
  expect((at.at(-1) ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual((at.length - 1) * 50 - 100);
});

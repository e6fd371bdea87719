import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { settle } from "../../src/worker/postgres/settle.ts";
import { take } from "../../src/worker/postgres/take.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { answer, newWorker, runningBatch } from "./books.ts";

const asked = (...jobs: number[]) => jobs.map((job) => ({ job, number: 1 }));

test("a take grants the first of the jobs that are asked for, as many as may be in flight", async () => {
  const db = await openTest(await testDatabase());
  const worker = await newWorker(db);
  const { batch, service } = await runningBatch(db, { concurrency: 2 });
  const first = await take(db, { worker, token: randomUUID(), batch, service, jobs: asked(3, 1, 2) });
  expect(first).toMatchObject({ granted: [3, 1], refused: [], stopped: null, concurrency: 2, worker: "on" });
  const second = await take(db, { worker, token: randomUUID(), batch, service, jobs: asked(2) });
  expect(second).toMatchObject({ granted: [], refused: [] });
  expect(second.waitMs).toBeGreaterThan(0);
  expect(await settle(db, worker, [answer(batch, 1)])).toEqual(["landed"]);
  expect(await take(db, { worker, token: randomUUID(), batch, service, jobs: asked(2, 1) })).toMatchObject({
    granted: [2],
    refused: [1],
  });
});

import { expect, test } from "vitest";
import { record, startService } from "../e2e/service.ts";
import { testDatabase } from "../postgres.ts";
import { sentOnce, submit } from "./submitted.ts";
import { startWorker } from "./worker-process.ts";

test("two workers send a batch once, within its limits, and end by a signal with what they have finished", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 10 }));
  const batch = await submit(url, service.url, { jobs: 120, slice: 30, deployment: { concurrency: 5 } });
  const workers = await Promise.all([startWorker(url), startWorker(url)]);
  await batch.finished();
  sentOnce(service.received.map(({ prompt }) => prompt));
  expect(service.most).toBeLessThanOrEqual(5);
  expect(await batch.books()).toEqual({ attempts: { ok: 120 }, over: 120, doubts: 0, strays: 0 });
  for (const { child } of workers) child.kill("SIGTERM");
  expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([143, 143]);
});

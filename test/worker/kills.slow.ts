import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { record, startService } from "../e2e/service.ts";
import { testDatabase } from "../postgres.ts";
import { sentOnce, submit } from "./submitted.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";

const jobs = 2_400;
const concurrency = 24;
/** Kills in all, so many of them at a time: each waits 15 s for the dead one to be missed. */
const times = 20;
const atOnce = 2;

interface Killed {
  sent: number;
  twice: number;
  lost: number;
  doubts: number;
}

/** Kills one of three workers at a random moment; counts by the service and by the books. */
async function killOne(inDoubt: "hold" | "resend"): Promise<Killed> {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 100 }));
  const batch = await submit(url, service.url, { jobs, slice: 100, deployment: { concurrency }, inDoubt });
  const workers: WorkerProcess[] = await Promise.all([startWorker(url), startWorker(url), startWorker(url)]);
  await expect.poll(() => service.received.length, { interval: 5, timeout: 60_000 }).toBeGreaterThan(0);
  await delay(Math.random() * 8_000);
  workers[Math.floor(Math.random() * 3)]?.child.kill("SIGKILL");
  await batch.finished(180_000);
  const prompts = service.received.map(({ prompt }) => prompt);
  const { over, doubts, strays } = await batch.books();
  expect(strays).toBe(0);
  expect(service.most).toBeLessThanOrEqual(concurrency);
  if (inDoubt === "hold") sentOnce(prompts);
  for (const { child } of workers) child.kill("SIGKILL");
  await service.close();
  const different = new Set(prompts).size;
  return { sent: prompts.length, twice: prompts.length - different, lost: jobs - over - doubts, doubts };
}

test("20 kills at random moments lose nothing and send nothing twice: at most what the dead one had in flight is in doubt", async () => {
  const all: Killed[] = [];
  const lane = async (): Promise<void> => {
    while (all.length < times) {
      const killed = await killOne("hold");
      all.push(killed);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  for (const { sent, twice, lost, doubts } of all) {
    expect({ twice, lost }).toEqual({ twice: 0, lost: 0 });
    expect(doubts).toBeLessThanOrEqual(concurrency);
    expect(sent).toBeLessThanOrEqual(jobs);
    expect(sent).toBeGreaterThanOrEqual(jobs - doubts);
  }
});

test("with resend, at most what the dead one had in flight is sent twice, and every job has its answer", async () => {
  const { twice, lost, doubts, sent } = await killOne("resend");
  expect({ lost, doubts }).toEqual({ lost: 0, doubts: 0 });
  expect(twice).toBeLessThanOrEqual(concurrency);
  expect(sent).toBe(jobs + twice);
});

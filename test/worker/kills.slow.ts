import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { record, startService } from "../e2e/service.ts";
import { testDatabase } from "../postgres.ts";
import { submit } from "./submitted.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";

const jobs = 2_400;
const concurrency = 24;
/** Kills in all, so many of them at a time: each waits 15 s for the dead one to be missed. */
const times = 20;
const atOnce = 2;

interface Killed {
  sent: number;
  /** Jobs that the service has received more than once. */
  twice: number;
  lost: number;
  /** Jobs that are in doubt at the end. */
  doubts: number;
  /** Jobs of which an attempt was in doubt when it was decided by the policy. */
  resent: number;
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
  await batch.finished(300_000);
  const { over, doubts, strays } = await batch.books();
  expect(strays).toBe(0);
  expect(service.most).toBeLessThanOrEqual(concurrency);
  for (const { child } of workers) child.kill("SIGKILL");
  await service.close();
  const decided = await batch.db.query<{ prompt: string }>(
    "SELECT 'p' || job AS prompt FROM tandem.attempt WHERE batch = $1 AND kind = 'in-doubt'",
    [batch.no],
  );
  const resent = new Set(decided.map(({ prompt }) => prompt));
  const prompts = service.received.map(({ prompt }) => prompt);
  const twice = sentTwice(prompts);
  expect(twice.filter((prompt) => !resent.has(prompt))).toEqual([]);
  return { sent: prompts.length, twice: twice.length, lost: jobs - over - doubts, doubts, resent: resent.size };
}

/** Prompts that were sent twice; none was sent more often. */
function sentTwice(prompts: readonly string[]): string[] {
  const [once, again] = [new Set<string>(), new Set<string>()];
  for (const prompt of prompts) {
    expect(again.has(prompt)).toBe(false);
    (once.has(prompt) ? again : once).add(prompt);
  }
  return [...again];
}

async function kill(inDoubt: "hold" | "resend"): Promise<Killed[]> {
  const all: Killed[] = [];
  let begun = 0;
  const queue = async (): Promise<void> => {
    while (begun < times) {
      begun += 1;
      all.push(await killOne(inDoubt));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, queue));
  // The figures of `npm run test:slow`.
  process.stdout.write(`${inDoubt}: ${JSON.stringify(all)}\n`);
  return all;
}

test("20 kills at random moments lose nothing and send nothing twice: at most what the dead one had in flight is in doubt", async () => {
  for (const { sent, twice, lost, doubts, resent } of await kill("hold")) {
    expect({ twice, lost, resent }).toEqual({ twice: 0, lost: 0, resent: 0 });
    expect(doubts).toBeLessThanOrEqual(concurrency);
    expect(sent).toBeLessThanOrEqual(jobs);
    expect(sent).toBeGreaterThanOrEqual(jobs - doubts);
  }
});

test("20 kills with resend: exactly what was in doubt is sent again, once, and every job has its answer", async () => {
  for (const { twice, lost, doubts, sent, resent } of await kill("resend")) {
    expect({ lost, doubts }).toEqual({ lost: 0, doubts: 0 });
    expect(resent).toBeLessThanOrEqual(concurrency);
    // A request that was marked, and had not left when its worker died, is sent for the first time.
    expect(twice).toBeLessThanOrEqual(resent);
    expect(sent).toBe(jobs + twice);
  }
});

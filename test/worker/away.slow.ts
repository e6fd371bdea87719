import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { record, type Service, startService } from "../e2e/service.ts";
import { ownServer, testDatabase } from "../postgres.ts";
import { type Submitted, sentOnce, stopWhileSending, submit } from "./submitted.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";

const prompts = ({ received }: Service): string[] => received.map(({ prompt }) => prompt);

/** The server's own count is what the books say, and nothing was sent twice. Returns what is in doubt. */
async function booksAreTrue(batch: Submitted, service: Service, jobs: number): Promise<number> {
  const { attempts, over, doubts, strays } = await batch.books();
  sentOnce(prompts(service));
  const entered = Object.values(attempts).reduce((sum, count) => sum + count, 0);
  expect({ received: service.received.length, over: over + doubts, strays }).toEqual({
    received: entered + doubts,
    over: jobs,
    strays: 0,
  });
  return doubts;
}

async function noDoubts(batch: Submitted): Promise<void> {
  await expect.poll(async () => (await batch.books()).doubts, { interval: 200, timeout: 60_000 }).toBe(0);
}

/** Lines of the files in which a worker keeps its answers. */
function keptBy({ folder }: WorkerProcess): number {
  const kept = join(folder, "kept");
  const files = readdirSync(kept).filter((name) => name.endsWith(".results"));
  return files.reduce((sum, name) => sum + readFileSync(join(kept, name), "utf8").split("\n").length - 1, 0);
}

test("PostgreSQL that crashes six times at random moments loses no answer, and nothing is sent twice", async () => {
  const server = await ownServer();
  const url = server.url("tandem");
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 150 }));
  const jobs = 2_400;
  const batch = await submit(url, service.url, { jobs, slice: 100, deployment: { concurrency: 20 } });
  await Promise.all([startWorker(url), startWorker(url), startWorker(url)]);
  await expect.poll(() => service.received.length, { interval: 5, timeout: 60_000 }).toBeGreaterThan(0);
  for (let crashed = 0; crashed < 6; crashed += 1) {
    await delay(Math.random() * 3_000);
    await server.crash();
    await delay(Math.random() * 4_000);
    await server.start();
  }
  await batch.finished(300_000);
  await noDoubts(batch);
  expect(await booksAreTrue(batch, service, jobs)).toBe(0);
});

/** Answers of 200 KB: some dozens are more than a worker keeps in memory. */
const large = ({ prompt }: { prompt: string }) => ({ ...record(`${prompt} ${"x".repeat(100_000)}`), delayMs: 4_000 });

test("PostgreSQL that is away for two minutes: answers wait on the disks of the workers, and all of them land", async () => {
  const server = await ownServer();
  const url = server.url("tandem");
  const service = await startService(large);
  const jobs = 500;
  const batch = await submit(url, service.url, { jobs, slice: 125, deployment: { concurrency: 300 } });
  const workers = await Promise.all([startWorker(url), startWorker(url)]);
  await expect.poll(() => service.running, { interval: 5, timeout: 60_000 }).toBeGreaterThan(250);
  await server.crash();
  const sent = service.received.length;
  await expect.poll(() => service.running, { interval: 100, timeout: 60_000 }).toBe(0);
  await delay(115_000);
  // What was granted when it crashed may have left since, and nothing else.
  expect(service.received.length).toBeLessThanOrEqual(sent + 50);
  const kept = workers.map(keptBy);
  expect(Math.max(...kept)).toBeGreaterThan(20);
  await server.start();
  await batch.finished(240_000);
  await noDoubts(batch);
  expect(await booksAreTrue(batch, service, jobs)).toBe(0);
  expect(workers.map(keptBy)).toEqual([0, 0]);
});

test("a worker that is killed while answers wait on its disk: its next start enters those, and only what it had in memory is in doubt", async () => {
  const server = await ownServer();
  const url = server.url("tandem");
  const service = await startService(large);
  const jobs = 400;
  const batch = await submit(url, service.url, { jobs, slice: 100, deployment: { concurrency: 200 } });
  const worker = await startWorker(url);
  await expect.poll(() => service.running, { interval: 5, timeout: 60_000 }).toBeGreaterThan(180);
  await server.crash();
  await expect.poll(() => service.running, { interval: 100, timeout: 60_000 }).toBe(0);
  await expect.poll(() => keptBy(worker), { interval: 200, timeout: 30_000 }).toBeGreaterThan(20);
  await delay(2_000);
  const kept = keptBy(worker);
  worker.child.kill("SIGKILL");
  await worker.ended;
  await server.start();
  const before = (await batch.books()).over;
  const waiting = service.received.length - before;
  const next = await startWorker(url, { folder: worker.folder });
  await expect.poll(async () => (await batch.books()).over, { interval: 20, timeout: 60_000 }).toBeGreaterThan(before);
  await batch.finished(240_000);
  expect(await booksAreTrue(batch, service, jobs)).toBe(waiting - kept);
  expect(keptBy(next)).toBe(0);
});

test("a worker that stands still for 60 s: what others were told to send again meanwhile is theirs, and its late answers are kept apart", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 100 }));
  const jobs = 600;
  const deployment = { concurrency: 8 };
  const batch = await submit(url, service.url, { jobs, slice: 50, deployment, inDoubt: "resend" });
  const [first] = await Promise.all([startWorker(url, { args: ["--name", "first"] }), startWorker(url)]);
  await expect.poll(() => service.received.length, { interval: 5, timeout: 60_000 }).toBeGreaterThan(60);
  await stopWhileSending(first.child, "first", batch);
  await delay(60_000);
  await batch.finished(90_000);
  first.child.kill("SIGCONT");
  const attempts = (await batch.books()).attempts;
  const resent = attempts["in-doubt"] ?? 0;
  expect(resent).toBeGreaterThan(0);
  expect(resent).toBeLessThanOrEqual(8);
  await expect.poll(async () => (await batch.books()).strays, { interval: 200, timeout: 30_000 }).toBeGreaterThan(0);
  await delay(3_000);
  const { strays, ...books } = await batch.books();
  expect(books).toEqual({ attempts: { ok: jobs, "in-doubt": resent }, over: jobs, doubts: 0 });
  // One that was marked when it stood still, and had not left, is given back instead.
  expect(strays).toBeLessThanOrEqual(resent);
  expect(service.received.length).toBe(jobs + strays);
});

test("a worker that stands still for 60 s, while what it had in flight is held: its late answers land", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 100 }));
  const jobs = 600;
  const batch = await submit(url, service.url, { jobs, slice: 50, deployment: { concurrency: 8 } });
  const [first] = await Promise.all([startWorker(url, { args: ["--name", "first"] }), startWorker(url)]);
  await expect.poll(() => service.received.length, { interval: 5, timeout: 60_000 }).toBeGreaterThan(60);
  await stopWhileSending(first.child, "first", batch);
  await delay(60_000);
  expect((await batch.books()).doubts).toBeGreaterThan(0);
  first.child.kill("SIGCONT");
  await batch.finished(90_000);
  await noDoubts(batch);
  expect(await booksAreTrue(batch, service, jobs)).toBe(0);
});

import { connect, createServer, type Socket } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../deployment/served.ts";
import { record, type Service, startService } from "../e2e/service.ts";
import { ownServer, testDatabase } from "../postgres.ts";
import { type Submitted, sentOnce, stopWhileSending, submit } from "./submitted.ts";
import { startWorker } from "./worker-process.ts";

const prompts = ({ received }: Service): string[] => received.map(({ prompt }) => prompt);

/** The server's own count is what the books say. */
async function booksAreTrue(batch: Submitted, service: Service, jobs: number): Promise<{ doubts: number }> {
  const { attempts, over, doubts, strays } = await batch.books();
  const entered = Object.values(attempts).reduce((sum, count) => sum + count, 0);
  sentOnce(prompts(service));
  expect(entered + doubts).toBe(service.received.length);
  expect(over + doubts).toBe(jobs);
  expect(strays).toBe(0);
  return { doubts };
}

test("a worker killed at any moment loses nothing and sends nothing twice; what it had in flight is in doubt", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 50 }));
  const batch = await submit(url, service.url, { jobs: 600, slice: 100, deployment: { concurrency: 12 } });
  const [first, ...others] = await Promise.all([startWorker(url), startWorker(url), startWorker(url)]);
  await expect.poll(() => service.received.length, { interval: 5, timeout: 30_000 }).toBeGreaterThan(150);
  first?.child.kill("SIGKILL");
  await batch.finished(90_000);
  const { doubts } = await booksAreTrue(batch, service, 600);
  expect(doubts).toBeLessThanOrEqual(12);
  expect(others.map(({ child }) => child.exitCode)).toEqual([null, null]);
}, 120_000);

test("a worker that stands still for 20 s loses its slices to others, and its late answers land", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 100 }));
  const batch = await submit(url, service.url, { jobs: 600, slice: 50, deployment: { concurrency: 8 } });
  const [first] = await Promise.all([startWorker(url, { args: ["--name", "first"] }), startWorker(url)]);
  await expect.poll(() => service.received.length, { interval: 5, timeout: 30_000 }).toBeGreaterThan(60);
  await stopWhileSending(first.child, "first", batch);
  await expect.poll(async () => (await batch.books()).doubts, { interval: 200, timeout: 30_000 }).toBeGreaterThan(0);
  await delay(20_000);
  first.child.kill("SIGCONT");
  await batch.finished(90_000);
  // What it had in flight when it stood still was answered long ago, and comes in when it goes on.
  await expect.poll(async () => (await batch.books()).doubts, { interval: 200, timeout: 20_000 }).toBe(0);
  await booksAreTrue(batch, service, 600);
}, 120_000);

test("PostgreSQL that crashes while answers come, and is back after a while, misses none of them", async () => {
  const server = await ownServer();
  const url = server.url("tandem");
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 300 }));
  const batch = await submit(url, service.url, { jobs: 300, slice: 50, deployment: { concurrency: 20 } });
  const workers = await Promise.all([startWorker(url), startWorker(url)]);
  await expect.poll(() => service.received.length, { interval: 5, timeout: 30_000 }).toBeGreaterThan(60);
  await server.crash();
  await delay(3_000);
  const sentMeanwhile = service.received.length;
  await delay(2_000);
  expect(service.received.length).toBe(sentMeanwhile);
  await server.start();
  await batch.finished(90_000);
  const { doubts } = await booksAreTrue(batch, service, 300);
  expect(doubts).toBe(0);
  for (const { err } of workers) {
    expect(err().split("Nothing more is sent until it is back").length, err()).toBe(2);
    expect(err().split("tandem is back.").length, err()).toBe(2);
  }
}, 120_000);

test("a worker that ends while PostgreSQL is away keeps its answers, and its next start enters them", async () => {
  const server = await ownServer();
  const url = server.url("tandem");
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 1_000 }));
  const batch = await submit(url, service.url, { jobs: 40, slice: 50, deployment: { concurrency: 10 } });
  const worker = await startWorker(url);
  await expect.poll(() => service.running, { interval: 5, timeout: 30_000 }).toBe(10);
  await server.crash();
  worker.child.kill("SIGTERM");
  expect(await worker.ended).toBe(143);
  expect(worker.err()).toContain("10 results are kept");
  await server.start();
  const next = await startWorker(url, { folder: worker.folder });
  await batch.finished(90_000);
  expect(service.received.length).toBe(40);
  expect((await booksAreTrue(batch, service, 40)).doubts).toBe(0);
  expect(next.err()).not.toContain("kept");
}, 120_000);

/** The most of these moments in any stretch of a second. */
const mostWithin = (times: number[]): number =>
  Math.max(...times.map((time, index) => times.slice(index).filter((other) => other - time < 1_000).length));

test("three workers keep a rate and a number in flight together, counted by the service", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 20 }));
  const held = monitorEventLoopDelay({ resolution: 5 });
  held.enable();
  const rate = { count: 20, windowMs: 1_000 };
  const paced = await submit(url, service.url, { jobs: 200, slice: 25, deployment: { concurrency: 30, rate } });
  await Promise.all([startWorker(url), startWorker(url), startWorker(url)]);
  await paced.finished(60_000);
  held.disable();
  // Those of the last seconds: earlier ones are tidied away.
  const granted = await paced.db.query<{ at: number }>("SELECT at FROM tandem.rate_slot ORDER BY at");
  expect(mostWithin(granted.map(({ at }) => at))).toBeLessThanOrEqual(20);
  expect(service.received.length).toBe(200);
  // A server that was held up itself cannot tell when a request came.
  if (held.max < 60e6) expect(mostWithin(service.received.map(({ at }) => at))).toBeLessThanOrEqual(25);
  const slow = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 60 }));
  const wide = await submit(url, slow.url, { jobs: 1_500, slice: 100, deployment: { concurrency: 50 } });
  await wide.finished(60_000);
  expect(slow.most).toBeLessThanOrEqual(50);
  expect(slow.most).toBeGreaterThan(30);
  sentOnce(prompts(slow));
}, 180_000);

test("runs that a dead worker has submitted are asked for by another, and nothing is submitted twice", async () => {
  const url = await testDatabase();
  const deployment = await serve({
    "bots/a.yaml": "greeting: Good day.\n",
    "deployment.yaml": "async: { standby_ms: 15000 }\njournal: true\n",
  });
  const batch = await submit(url, deployment.baseUrl, { jobs: 12, mode: "async", deployment: { concurrency: 12 } });
  const first = await startWorker(url);
  await expect.poll(() => deployment.journal.runs, { interval: 20, timeout: 20_000 }).toBe(12);
  await delay(500);
  first.child.kill("SIGKILL");
  await startWorker(url);
  await batch.finished(60_000);
  expect(deployment.journal.runs).toBe(12);
  expect(await batch.books()).toEqual({ attempts: { ok: 12 }, over: 12, doubts: 0, strays: 0 });
  const [asked] = await batch.db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM tandem.attempt WHERE (entry::jsonb ->> 'reattached')::boolean`,
  );
  expect(asked?.count).toBe(12);
}, 120_000);

/** A line to a database that can be cut: then nothing passes, and nobody is told. */
async function line(url: string): Promise<{ url: string; cut: () => void; mend: () => void }> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    const far = connect(Number(new URL(url).port), "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk: Buffer) => void to.write(chunk));
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
      if (isCut) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  const through = new URL(url);
  through.port = String(typeof address === "object" && address !== null ? address.port : 0);
  return {
    url: through.href,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    mend() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
  };
}

test("a worker that is cut off from PostgreSQL for 35 s sends nothing, and what it knew by then lands", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt, authorization }) => ({
    ...record(prompt),
    delayMs: authorization.includes("cut") ? 200 : 100,
  }));
  const { url: through, cut, mend } = await line(url);
  const deployment = { concurrency: 8, keyNames: ["KEY"] };
  const batch = await submit(url, service.url, { jobs: 500, slice: 50, deployment });
  const worker = await startWorker(through, { env: { KEY: "sk-cut-0123456789" } });
  await startWorker(url, { env: { KEY: "sk-other-0123456789" } });
  const own = (): number => service.received.filter(({ authorization }) => authorization.includes("cut")).length;
  await expect.poll(own, { interval: 5, timeout: 30_000 }).toBeGreaterThan(20);
  cut();
  await delay(1_000);
  const before = own();
  await delay(34_000);
  expect(own()).toBe(before);
  expect(worker.err()).toContain("gave no answer in time");
  mend();
  await batch.finished(90_000);
  await expect.poll(async () => (await batch.books()).doubts, { interval: 200, timeout: 30_000 }).toBe(0);
  await booksAreTrue(batch, service, 500);
  expect(worker.err()).toContain("tandem is back".replace("tandem", new URL(url).pathname.slice(1)));
}, 180_000);

import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { record, startService } from "../e2e/service.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { setWorkerState, workersNow } from "../../src/worker/postgres/watch.ts";
import { submit } from "./submitted.ts";
import { startWorker } from "./worker-process.ts";

describe("workers", () => {
  test("all wait when the service asks one of them to wait", async () => {
    const url = await testDatabase();
    let isAsked = false;
    const service = await startService(({ prompt }) => {
      if (isAsked || service.received.length < 30) return { ...record(prompt), delayMs: 20 };
      isAsked = true;
      return { status: 429, headers: { "retry-after": "3" }, body: '{"detail":"slow down"}' };
    });
    const batch = await submit(url, service.url, { jobs: 100, slice: 20, deployment: { concurrency: 8 } });
    await Promise.all([startWorker(url), startWorker(url)]);
    await batch.finished();
    const times = service.received.map(({ at }) => at);
    const longest = Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
    expect(longest).toBeGreaterThan(2_500);
    expect((await batch.books()).attempts).toEqual({ ok: 100, throttled: 1 });
  });

  test("sends the turns of a conversation one after the other, with what was said before", async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => ({ ...record(`answer to ${prompt}`), delayMs: 5 }));
    const batch = await submit(url, service.url, { jobs: 12, turns: 3 });
    await startWorker(url);
    await batch.finished();
    const third = service.received.find(({ prompt }) => prompt === "p3");
    expect(third?.body).toContain("answer to p1");
    expect(third?.body).toContain("answer to p2");
    expect(service.received.find(({ prompt }) => prompt === "p4")?.body).not.toContain("answer to");
    expect((await batch.books()).over).toBe(12);
  });

  test("whose key is refused leaves the deployment to others; the last one stops it with the reason", async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt, authorization }) =>
      authorization.includes("good") ? record(prompt) : { status: 403, body: '{"detail":"who are you?"}' },
    );
    const deployment = { keyNames: ["KEY"] };
    const first = await submit(url, service.url, { jobs: 10, deployment });
    const bad = await startWorker(url, { args: ["--name", "bad"], env: { KEY: "sk-bad-0123456789" } });
    await expect.poll(async () => (await first.progress()).stopped.length, { timeout: 20_000 }).toBe(1);
    expect(bad.err()).toContain("no other worker serves it");
    expect((await first.progress()).stopped[0]?.reason).toContain("who are you");
    await startWorker(url, { args: ["--name", "good"], env: { KEY: "sk-good-0123456789" } });
    const second = await submit(url, service.url, { jobs: 10, deployment });
    await second.finished();
    expect((await second.books()).attempts).toEqual({ ok: 10 });
  });

  test("stops what is refused, although one of another team serves a deployment of the same name elsewhere", async () => {
    const url = await testDatabase();
    const [ours, theirs] = [
      await startService(() => ({ status: 403, body: '{"detail":"who are you?"}' })),
      await startService(({ prompt }) => ({ ...record(prompt), delayMs: 100 })),
    ];
    const deployment = { keyNames: ["KEY"], concurrency: 1 };
    const busy = await submit(url, theirs.url, { jobs: 400, deployment });
    const worker = (service: string) =>
      startWorker(url, { env: { KEY: "sk-own-0123456789", TANDEM_ADDRESSES: `${service}=KEY` } });
    await worker(theirs.url);
    await expect.poll(() => theirs.received.length, { timeout: 20_000 }).toBeGreaterThan(2);
    const batch = await submit(url, ours.url, { jobs: 10, deployment });
    await worker(ours.url);
    await expect.poll(async () => (await batch.progress()).stopped.length, { timeout: 20_000 }).toBe(1);
    expect((await batch.progress()).stopped[0]?.reason).toContain("who are you");
    expect((await busy.progress()).stopped).toEqual([]);
  });

  test("stops sending while it is paused, goes on, and ends with 0 when it is drained; a scraper sees it all", async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 50 }));
    const batch = await submit(url, service.url, { jobs: 200, slice: 100, deployment: { concurrency: 4 } });
    const worker = await startWorker(url, { args: ["--metrics", "127.0.0.1:0"] });
    const address = /metrics at (http:\S+)/.exec(worker.err())?.[1] ?? "";
    await expect.poll(() => service.received.length, { interval: 20, timeout: 20_000 }).toBeGreaterThan(20);
    const db = await openTest(url);
    const [entered] = await workersNow(db);
    await setWorkerState(db, entered?.id ?? "", "paused");
    await expect.poll(() => worker.err(), { interval: 50, timeout: 20_000 }).toContain("paused");
    await delay(300);
    const sent = service.received.length;
    await delay(500);
    expect(service.received.length).toBe(sent);
    await setWorkerState(db, entered?.id ?? "", "on");
    await expect.poll(() => service.received.length, { interval: 50, timeout: 20_000 }).toBeGreaterThan(sent);
    const scraped = await (await fetch(address)).text();
    checkFormat(scraped);
    expect(scraped).toContain("tandem_database_up 1\n");
    expect(scraped).toMatch(/tandem_attempts_total\{deployment="prod",outcome="ok"\} \d+\n/);
    await setWorkerState(db, entered?.id ?? "", "draining");
    expect(await worker.ended).toBe(0);
    const { over, doubts } = await batch.books();
    expect(over).toBe(service.received.length);
    expect(doubts).toBe(0);
  });
});

/** The text format of Prometheus: HELP and TYPE before the samples of a name, and nothing else. */
function checkFormat(text: string): void {
  let name = "";
  for (const line of text.trimEnd().split("\n")) {
    const [, help] = /^# HELP ([a-z_]+) \S.*$/.exec(line) ?? [];
    const [, type] = /^# TYPE ([a-z_]+) (?:counter|gauge)$/.exec(line) ?? [];
    if (help !== undefined) name = help;
    else if (type === undefined)
      expect(line).toMatch(
        new RegExp(String.raw`^${name}(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)+\})? -?[0-9.e+-]+$`),
      );
    else expect(type).toBe(name);
  }
}

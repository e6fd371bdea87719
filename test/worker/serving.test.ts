import { describe, expect, test } from "vitest";
import { record, startService } from "../e2e/service.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { workersNow } from "../../src/worker/postgres/watch.ts";
import { sentOnce, submit } from "./submitted.ts";
import { startWorker } from "./worker-process.ts";

/** A module that sets the clock of a process. */
const hourAhead = "data:text/javascript,const%20own=Date.now;Date.now=()=>own()%2B3600000";

describe("workers", () => {
  test("send every job once within one limit, with a clock that is an hour ahead, and end by a signal", async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 10 }));
    const batch = await submit(url, service.url, { jobs: 120, slice: 30, deployment: { concurrency: 5 } });
    const workers = await Promise.all([
      startWorker(url),
      startWorker(url, { env: { NODE_OPTIONS: `--import=${hourAhead}` } }),
    ]);
    await batch.finished();
    sentOnce(service.received.map(({ prompt }) => prompt));
    expect(service.most).toBeLessThanOrEqual(5);
    expect(await batch.books()).toEqual({ attempts: { ok: 120 }, over: 120, doubts: 0, strays: 0 });
    const [dates] = await batch.db.query<{ off: number }>(
      `SELECT max(abs((entry::jsonb ->> 'queuedAt')::numeric - tandem.now_ms()))::float AS off FROM tandem.attempt`,
    );
    expect(dates?.off).toBeLessThan(60_000);
    for (const { child } of workers) child.kill("SIGTERM");
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([143, 143]);
  });

  test("takes nothing that it lacks a key for or that another version has planned, and says so", async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => record(prompt));
    const keyed = await submit(url, service.url, { jobs: 3, deployment: { name: "keyed", keyNames: ["MISSING_KEY"] } });
    await submit(url, service.url, { jobs: 3, version: "9.9.9", deployment: { name: "newer" } });
    await startWorker(url, { args: ["--name", "poor"] });
    const db = await openTest(url);
    const reported = async (): Promise<string> => (await workersNow(db)).flatMap((worker) => worker.told).join("\n");
    await expect.poll(reported, { timeout: 20_000 }).toContain("MISSING_KEY");
    expect(await reported()).toContain("planned by tandem 9.9.9");
    expect(service.received).toEqual([]);
    await startWorker(url, { args: ["--name", "rich"], env: { MISSING_KEY: "sk-secret-0123456789" } });
    await keyed.finished();
    expect(service.received.length).toBe(3);
    const [row] = await db.query<{ all: string }>("SELECT string_agg(w::text, ' ') AS all FROM tandem.worker w");
    expect(row?.all).not.toContain("sk-secret");
  });

  test("sends nothing to an address that its operator has not named, and no other variable, and says so", async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => record(prompt));
    const keyNames = ["TANDEM_API_KEY"];
    const aimed = await submit(url, service.url, { jobs: 3, deployment: { name: "aimed", keyNames } });
    await submit(url, service.url, { jobs: 3, deployment: { name: "greedy", keyNames: ["HOME_SECRET"] } });
    const env = { TANDEM_API_KEY: "sk-test-0123456789", HOME_SECRET: "of nobody else" };
    const other = { ...env, TANDEM_ADDRESSES: "https://api.example.com" };
    const elsewhere = await startWorker(url, { args: ["--name", "elsewhere"], env: other });
    const db = await openTest(url);
    const reported = async (): Promise<string> => (await workersNow(db)).flatMap((worker) => worker.told).join("\n");
    await expect
      .poll(reported, { timeout: 20_000 })
      .toContain(`not aimed: this worker sends nothing to ${service.url}`);
    await expect.poll(elsewhere.err, { timeout: 20_000 }).toContain("not aimed: this worker sends nothing to");
    expect(elsewhere.err().split("not aimed:")).toHaveLength(2);
    await startWorker(url, { args: ["--name", "here", "--address", service.url], env });
    await aimed.finished();
    await expect.poll(reported, { timeout: 20_000 }).toContain("not greedy: this worker sends no HOME_SECRET");
    expect(service.received.length).toBe(3);
    expect((await workersNow(db)).map(({ addresses }) => addresses)).toEqual([
      ["https://api.example.com"],
      [service.url],
    ]);
  });
});

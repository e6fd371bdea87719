import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { startGateway } from "../e2e/gateway.ts";
import { record, startService } from "../e2e/service.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { deskOf, receives, twice } from "./desk.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";
import { ends } from "../e2e/tandem.ts";

const threeOf = (url: string): Promise<WorkerProcess[]> =>
  Promise.all([1, 2, 3].map((name) => startWorker(url, { name: `w${name}` })));

describe("a worker that dies, stands still, or is told to end", () => {
  test("killed, nothing is sent twice and nothing is lost: what it may have sent is in doubt until it is back", async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 60 }));
    const tandem = deskOf(url, service, { jobs: 400, concurrency: 12 });
    const [first] = await threeOf(url);
    const run = tandem.run("run", "suite.yaml", "--workers");
    await receives(service, 120);
    first?.child.kill("SIGKILL");
    await first?.ended;
    const { err } = await run;
    expect(twice(service)).toEqual([]);
    const { held = 0, ok = 0, ...rest } = ends(tandem);
    expect({ rest, sum: held + ok, err }).toEqual({ rest: {}, sum: 400, err });
    // Two shares of four, a page at the least, and what was in flight.
    expect(held).toBeLessThanOrEqual(32);
    // It is back: only what really left without an answer stays in doubt.
    await startWorker(url, { name: "w1", folder: first?.folder ?? "" });
    await delay(1_000);
    await tandem.run("resume", "latest", "--workers");
    expect(twice(service)).toEqual([]);
    const later = ends(tandem);
    expect((later["held"] ?? 0) + (later["ok"] ?? 0)).toBe(400);
    expect(later["held"] ?? 0).toBeLessThanOrEqual(12);
    expect(later["held"] ?? 0).toBe(400 - (later["ok"] ?? 0));
    if (later["held"] === undefined) return;
    // Whoever decides to send those again pays for them perhaps twice, and for no other.
    const again = await tandem.run("resume", "latest", "--workers", "--on-in-doubt", "resend");
    expect({ code: again.code, err: again.err }).toEqual({ code: 0, err: again.err });
    expect(ends(tandem)).toEqual({ ok: 400 });
    expect(twice(service).length).toBeLessThanOrEqual(later["held"] ?? 0);
  });

  slowTest("killed while its service is away: that it is back is said by the answers of another", async () => {
    const url = await testDatabase();
    const gateway = await startGateway({ answer: ({ prompt }) => ({ ...record(prompt), delayMs: 30 }) });
    const tandem = deskOf(url, gateway, { jobs: 80, concurrency: 4, deployment: ", timeout: 5s" });
    const first = await startWorker(url, { name: "w1" });
    const { ended } = tandem.begin("run", "suite.yaml", "--workers", "--events", "e.jsonl");
    await receives(gateway, 20);
    gateway.isDown = true;
    await expect.poll(() => tandem.text("e.jsonl"), { interval: 50 }).toContain('"away"');
    first.child.kill("SIGKILL");
    await first.ended;
    gateway.isDown = false;
    await startWorker(url, { name: "w2" });
    const { err } = await ended;
    expect(err).toMatch(/prod is back after \d/);
    expect(tandem.query("SELECT count(*) AS n, count(until) AS ended FROM outage")).toEqual([{ n: 1, ended: 1 }]);
    const { held = 0, ok = 0, ...rest } = ends(tandem);
    expect({ rest, sum: held + ok }).toEqual({ rest: {}, sum: 80 });
  });

  test("that stood still for 22 seconds hands in what it has: all is answered, once", async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 60 }));
    const tandem = deskOf(url, service, { jobs: 400, concurrency: 12 });
    const [first] = await threeOf(url);
    const run = tandem.run("run", "suite.yaml", "--workers");
    await receives(service, 120);
    first?.child.kill("SIGSTOP");
    await delay(22_000);
    first?.child.kill("SIGCONT");
    const { code, err } = await run;
    expect(twice(service)).toEqual([]);
    expect({ code, ends: ends(tandem), err }).toEqual({ code: 0, ends: { ok: 400 }, err });
    expect(service.most).toBeLessThanOrEqual(12);
  });

  test("drained, it finishes what it has and ends with 0; the others send the rest", async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 60 }));
    const tandem = deskOf(url, service, { jobs: 300, concurrency: 9 });
    const [first] = await threeOf(url);
    const run = tandem.run("run", "suite.yaml", "--workers");
    await receives(service, 60);
    expect((await tandem.run("workers", "drain", "w1")).out).toContain("w1: asked to finish");
    expect(await first?.ended).toBe(0);
    const { code, err } = await run;
    expect({ code, ends: ends(tandem), err }).toEqual({ code: 0, ends: { ok: 300 }, err });
    expect(twice(service)).toEqual([]);
  });
});

describe("who submits", () => {
  test("dies, and a resume from the same folder brings all that workers have done meanwhile", async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 40 }));
    const tandem = deskOf(url, service, { jobs: 300 });
    await Promise.all([startWorker(url), startWorker(url)]);
    const run = tandem.start("run", "suite.yaml", "--workers");
    await receives(service, 60);
    run.child.kill("SIGKILL");
    await run.ended;
    // Nobody submits: the workers go on.
    await receives(service, 200);
    const { code, err } = await tandem.run("resume", "latest", "--workers");
    expect({ code, ends: ends(tandem), err }).toEqual({ code: 0, ends: { ok: 300 }, err });
    expect(twice(service)).toEqual([]);
    const db = await openTest(url);
    expect(await db.query("SELECT FROM tandem.batch")).toEqual([]);
  });

  test("stops it with Ctrl-C: what is in flight is brought, and the rest is sent from here", async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 40 }));
    const tandem = deskOf(url, service, { jobs: 300 });
    await Promise.all([startWorker(url), startWorker(url)]);
    const run = tandem.start("run", "suite.yaml", "--workers");
    await receives(service, 60);
    run.child.kill("SIGINT");
    expect((await run.ended).code).toBe(130);
    expect(ends(tandem)["ok"]).toBe(service.received.length);
    tandem.env({ TANDEM_API_KEY: "sk-test-0123456789", TANDEM_WORKERS: url });
    const { code, err } = await tandem.run("resume");
    expect({ code, ends: ends(tandem), err }).toEqual({ code: 0, ends: { ok: 300 }, err });
    expect(twice(service)).toEqual([]);
  });
});

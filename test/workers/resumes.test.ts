import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { record, type Service, startService } from "../e2e/service.ts";
import { ends, Tandem } from "../e2e/tandem.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { deskOf, receives, twice } from "./desk.ts";
import { startWorker } from "./worker-process.ts";

/** Ends of a resume and of its jobs, and what the service got more than once. */
async function resumed(tandem: Tandem, service: Service) {
  const { code, err } = await tandem.run("resume", "latest", "--workers");
  return { code, ends: ends(tandem), twice: twice(service), err };
}

const answeredOnce = { code: 0, ends: { ok: 160 }, twice: [], err: expect.any(String) };

test("a worker that goes on while somebody resumes takes no chunk from itself: with resend, nothing is sent twice", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 300 }));
  const tandem = deskOf(url, service, { jobs: 160, more: "on_in_doubt: resend" });
  await startWorker(url);
  const run = tandem.start("run", "suite.yaml", "--workers");
  await receives(service, 30);
  run.child.kill("SIGKILL");
  await run.ended;
  expect(await resumed(tandem, service)).toEqual(answeredOnce);
});

test("a queue that was emptied and is filled by a resume gives out no chunk that a worker drives", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 300 }));
  const tandem = deskOf(url, service, { jobs: 160 });
  await Promise.all([startWorker(url), startWorker(url)]);
  const run = tandem.start("run", "suite.yaml", "--workers");
  await receives(service, 30);
  run.child.kill("SIGKILL");
  await run.ended;
  const db = await openTest(url);
  await db.query("DELETE FROM pgboss.job");
  expect(await resumed(tandem, service)).toEqual(answeredOnce);
});

test("a later turn that left before anybody heard of the one before it is in doubt when its worker is back", async () => {
  const url = await testDatabase();
  const turnOf = (body: string): number => (JSON.parse(body) as { messages?: unknown[] }).messages?.length ?? 0;
  const service = await startService(({ body }) => ({ ...record("reply"), delayMs: turnOf(body) === 0 ? 5 : 1_500 }));
  const rows = Array.from({ length: 40 }, (_none, index) => `talk-${index},"[""one ${index}"",""two ${index}""]"`);
  const tandem = new Tandem()
    .env({ TANDEM_WORKERS: url })
    .file("talks.csv", `id,script\n${rows.join("\n")}\n`)
    .file(
      "suite.yaml",
      `name: talks
dataset: talks.csv
case: { key: id, turns: script }
deployments: { prod: { base_url: "${service.url}", concurrency: 8, timeout: 3s } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`,
    );
  const worker = await startWorker(url, { name: "w" });
  const run = tandem.start("run", "suite.yaml", "--workers");
  const second = (): number => service.received.filter(({ body }) => turnOf(body) > 0).length;
  await expect.poll(second, { interval: 2, timeout: 60_000 }).toBeGreaterThanOrEqual(4);
  worker.child.kill("SIGKILL");
  await worker.ended;
  await startWorker(url, { name: "x" });
  expect((await run.ended).err).toContain("what a worker that has gone had in flight counts until it is surely over");
  await startWorker(url, { name: "w", folder: worker.folder });
  await delay(1_500);
  await tandem.run("resume", "latest", "--workers");
  const { held = 0, ok = 0, unfinished = 0 } = ends(tandem);
  expect(service.received.filter(({ time }) => time > 1)).toEqual([]);
  expect(held).toBeGreaterThan(0);
  expect(held + ok + unfinished).toBe(80);
}, 180_000);

test("what was in flight from here when this process died stays held: workers know nothing of it", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 500 }));
  const tandem = deskOf(url, service, { jobs: 100, deployment: ", timeout: 3s" });
  const workers = await Promise.all([startWorker(url), startWorker(url)]);
  const run = tandem.start("run", "suite.yaml", "--workers");
  await receives(service, 30);
  workers[0].child.kill("SIGKILL");
  await workers[0].ended;
  run.child.kill("SIGINT");
  await run.ended;
  // With doubts of the worker that is gone, the batch stays there.
  const before = { held: ends(tandem)["held"] ?? 0, received: service.received.length };
  expect(before.held).toBeGreaterThan(0);
  tandem.env({ TANDEM_API_KEY: "sk-test-0123456789", TANDEM_WORKERS: url });
  const here = tandem.start("resume", "latest");
  await receives(service, before.received + 9);
  here.child.kill("SIGKILL");
  await here.ended;
  await tandem.run("resume", "latest", "--workers");
  expect(twice(service)).toEqual([]);
  expect(ends(tandem)["held"] ?? 0).toBeGreaterThan(before.held);
}, 180_000);

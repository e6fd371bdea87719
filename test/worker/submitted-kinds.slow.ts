import { expect, test } from "vitest";
import { record, startService } from "../e2e/service.ts";
import { prompts, Tandem } from "../e2e/tandem.ts";
import { ownServer, testDatabase } from "../postgres.ts";
import { startWorker } from "./worker-process.ts";

const key = { TANDEM_API_KEY: "sk-test-0123456789" };

const suite = (url: string, mapping = "{ key: id }", dataset = "prompts.csv"): string => `
name: kinds
dataset: ${dataset}
case: ${mapping}
deployments: { prod: { base_url: "${url}", concurrency: 4 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`;

const ok = "SELECT count(*) AS jobs FROM job WHERE outcome = 'ok'";

test("PostgreSQL that crashes while workers send is waited for, and the books equal what the service has received", async () => {
  const server = await ownServer();
  const url = server.url("tandem");
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 20 }));
  await startWorker(url, { env: key });
  await startWorker(url, { env: key });
  const tandem = new Tandem()
    .env({ TANDEM_WORKERS: url })
    .alone()
    .file("suite.yaml", suite(service.url))
    .file("prompts.csv", prompts(400));
  const { ended } = tandem.start("run", "suite.yaml", "--workers");
  await expect.poll(() => service.received.length, { timeout: 30_000 }).toBeGreaterThan(60);
  await server.crash();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await server.start();
  const { code, err } = await ended;
  expect({ code, err }).toEqual({ code: 0, err });
  expect(err).toContain("PostgreSQL is back");
  expect(tandem.query(ok)).toEqual([{ jobs: 400 }]);
  expect(service.received.length).toBe(400);
});

test("a budget is kept over all workers, and the rest is sent by a later resume", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 20 }));
  await startWorker(url, { env: key });
  await startWorker(url, { env: key });
  const tandem = new Tandem()
    .env({ TANDEM_WORKERS: url })
    .file("suite.yaml", suite(service.url))
    .file("prompts.csv", prompts(100));
  const { code, err } = await tandem.run("run", "suite.yaml", "--workers", "--budget", "30");
  expect({ code, err }).toEqual({ code: 3, err });
  expect(err).toContain("30 requests are spent (--budget)");
  expect(service.received.length).toBe(30);
  const { code: later } = await tandem.run("resume", "--workers");
  expect(later).toBe(0);
  expect(tandem.query(ok)).toEqual([{ jobs: 100 }]);
  expect(service.received.length).toBe(100);
});

test("turns of conversations are sent one after the other, with what was answered before, also from here", async () => {
  const url = await testDatabase();
  let said = 0;
  const service = await startService(() => ({ ...record(`reply ${(said += 1)}`), delayMs: 10 }));
  const rows = Array.from({ length: 12 }, (_none, index) => `talk-${index},"[""one ${index}"",""two"",""three""]"`);
  const tandem = new Tandem()
    .env({ ...key, TANDEM_WORKERS: url })
    .file("suite.yaml", suite(service.url, "{ key: id, turns: script }", "talks.csv"))
    .file("talks.csv", `id,script\n${rows.join("\n")}\n`);
  // Some turns from here, the rest by workers.
  const first = await tandem.run("run", "suite.yaml", "--budget", "7");
  expect(first.code).toBe(3);
  await startWorker(url, { env: key });
  await startWorker(url, { env: key });
  const { code, err } = await tandem.run("resume", "--workers");
  expect({ code, err }).toEqual({ code: 0, err });
  expect(tandem.query(ok)).toEqual([{ jobs: 36 }]);
  expect(service.received.length).toBe(36);
  const turns = service.received.map(
    ({ body }) => (JSON.parse(body) as { messages?: unknown[] }).messages?.length ?? 0,
  );
  expect(turns.toSorted((a, b) => a - b)).toEqual(
    [0, 2, 4].flatMap((count) => Array.from({ length: 12 }, () => count)),
  );
});

test("a service that refuses the keys of all workers stops the batch with the reason", async () => {
  const url = await testDatabase();
  const service = await startService(() => ({ status: 401, body: '{"detail": "Invalid authentication"}' }));
  await startWorker(url, { env: key });
  const tandem = new Tandem()
    .env({ TANDEM_WORKERS: url })
    .file("suite.yaml", suite(service.url))
    .file("prompts.csv", prompts(30));
  const { code, err } = await tandem.run("run", "suite.yaml", "--workers");
  expect({ code, err }).toEqual({ code: 3, err });
  expect(err).toContain("prod");
  expect(service.received.length).toBeLessThan(6);
});

test("bad addresses are told without the password, and nothing is planned", async () => {
  const tandem = new Tandem().file("suite.yaml", suite("https://nobody.example")).file("prompts.csv", prompts(3));
  const { code, err } = await tandem.run("run", "suite.yaml", "--workers", "postgres://ada:geheim@127.0.0.1:1/tandem");
  expect(code).toBe(3);
  expect(err).not.toContain("geheim");
  expect(err).toContain("cannot be reached");
  expect(tandem.has("results/tandem.db")).toBe(false);
});

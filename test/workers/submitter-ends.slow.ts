import { expect, test } from "vitest";
import { record, startService } from "../e2e/service.ts";
import { prompts, Tandem } from "../e2e/tandem.ts";
import { ownServer, testDatabase } from "../postgres.ts";
import { startWorker } from "./worker-process.ts";

const key = { TANDEM_API_KEY: "sk-test-0123456789" };

const suite = (url: string): string => `
name: left
dataset: prompts.csv
case: { key: id }
deployments: { prod: { base_url: "${url}", concurrency: 4 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`;

const ok = "SELECT count(*) AS jobs FROM job WHERE outcome = 'ok'";

async function started(delayMs: number) {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs }));
  const desk = (): Tandem =>
    new Tandem()
      .env({ TANDEM_WORKERS: url })
      .alone()
      .file("suite.yaml", suite(service.url))
      .file("prompts.csv", prompts(300));
  return { url, service, desk };
}

test("Ctrl-C brings what is in flight and sends nothing more; the rest is sent by a later resume, from here too", async () => {
  const { url, service, desk } = await started(100);
  await startWorker(url, { env: key });
  const tandem = desk();
  const { child, ended } = tandem.start("run", "suite.yaml", "--workers");
  await expect.poll(() => service.received.length, { timeout: 30_000 }).toBeGreaterThan(10);
  child.kill("SIGINT");
  const { code, err } = await ended;
  expect({ code, err }).toEqual({ code: 130, err });
  const sent = service.received.length;
  expect(tandem.query(ok)).toEqual([{ jobs: sent }]);
  const { code: later, err: reported } = await tandem.env({ ...key, TANDEM_WORKERS: url }).run("resume");
  expect({ code: later, err: reported }).toEqual({ code: 0, err: reported });
  expect(service.received.length).toBe(300);
});

test("two kills of the submitter, before the upload ends and while it pulls, lose nothing and send nothing twice", async () => {
  const { url, service, desk } = await started(5);
  const tandem = desk();
  const first = tandem.start("run", "suite.yaml", "--workers");
  await expect.poll(() => tandem.has("results/tandem.db"), { timeout: 30_000 }).toBe(true);
  await expect
    .poll(
      () =>
        tandem.query("SELECT 1 FROM sqlite_schema WHERE name = 'at_workers'").length > 0 &&
        tandem.query("SELECT 1 FROM at_workers").length,
      {
        timeout: 30_000,
        interval: 5,
      },
    )
    .toBe(1);
  first.child.kill("SIGKILL");
  await first.ended;
  await startWorker(url, { env: key });
  const second = tandem.start("resume", "--workers");
  await expect.poll(() => service.received.length, { timeout: 60_000 }).toBeGreaterThan(100);
  second.child.kill("SIGKILL");
  await second.ended;
  const { code, err } = await tandem.run("resume", "--workers");
  expect({ code, err }).toEqual({ code: 0, err });
  expect(tandem.query(ok)).toEqual([{ jobs: 300 }]);
  expect(service.received.length).toBe(300);
});

test("a PostgreSQL that is lost for good leaves what has no answer here in doubt, said plainly, and the rest goes on over another", async () => {
  const server = await ownServer();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 100 }));
  const worker = await startWorker(server.url("tandem"), { env: key });
  const tandem = new Tandem()
    .env({ TANDEM_WORKERS: server.url("tandem"), ...key })
    .alone()
    .file("suite.yaml", suite(service.url))
    .file("prompts.csv", prompts(60));
  const { child, ended } = tandem.start("run", "suite.yaml", "--workers");
  await expect.poll(() => service.received.length, { timeout: 30_000 }).toBeGreaterThan(20);
  await server.stop();
  child.kill("SIGKILL");
  worker.child.kill("SIGKILL");
  await ended;
  const [{ jobs: answered } = { jobs: 0 }] = tandem.query<{ jobs: number }>(ok);
  const sent = service.received.length;
  const open = 60 - answered;
  expect(await tandem.run("resume")).toMatchObject({ code: 2, err: expect.stringContaining("--workers-lost") });
  const url = await testDatabase();
  tandem.env({ TANDEM_WORKERS: url, ...key });
  const other = await tandem.run("resume", "--workers");
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining("is not their database") });
  const held = await tandem.run("resume", "--workers-lost");
  expect({ code: held.code, err: held.err }).toEqual({ code: 4, err: held.err });
  expect(held.err).toContain(
    `of 60 jobs, ${open} jobs have no answer here, and any of them may have been sent and paid. They are held`,
  );
  expect(held.out).toContain(`In doubt: ${open} jobs (${open} held back)`);
  expect(service.received.length).toBe(sent);
  expect((await tandem.run("resume", "latest", "--workers-lost")).code).toBe(2);
  await startWorker(url, { env: key });
  const { code, err, out } = await tandem.run("resume", "latest", "--workers", "--on-in-doubt", "resend", "--json");
  expect({ code, err }).toEqual({ code: 0, err });
  expect(tandem.query(ok)).toEqual([{ jobs: 60 }]);
  expect(service.received.length).toBe(sent + open);
  expect(JSON.parse(out)).toMatchObject({ possiblyPaidTwice: open });
});

import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { record, type Service, startService } from "../e2e/service.ts";
import { Tandem } from "../e2e/tandem.ts";
import { openTest, ownServer, testDatabase } from "../postgres.ts";
import { sentOnce } from "./submitted.ts";
import { startWorker } from "./worker-process.ts";

const key = { TANDEM_API_KEY: "sk-test-0123456789" };
const jobs = 2_000;

const suite = (url: string): string => `
name: large
dataset: prompts.csv
case: { key: id }
deployments: { prod: { base_url: "${url}", concurrency: 40 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`;

/** Questions of 10 KB: their upload takes a while. */
const prompts = `id,input_prompt\n${Array.from({ length: jobs }, (_none, index) => `k${index},p${index} ${"x".repeat(10_000)}`).join("\n")}\n`;

const desk = (url: string, service: Service): Tandem =>
  new Tandem().env({ TANDEM_WORKERS: url }).alone().file("suite.yaml", suite(service.url)).file("prompts.csv", prompts);

/** Everything is here, and was sent once. */
function isWhole(tandem: Tandem, service: Service): void {
  expect(tandem.query("SELECT outcome, count(*) AS jobs FROM job GROUP BY 1")).toEqual([{ outcome: "ok", jobs }]);
  sentOnce(service.received.map(({ prompt }) => prompt));
  expect(service.received.length).toBe(jobs);
}

test("PostgreSQL that crashes while a submitter uploads is waited for: all of it arrives, and is sent once", async () => {
  const server = await ownServer();
  const url = server.url("tandem");
  const service = await startService(({ prompt }) => record(prompt.slice(0, 10)));
  await startWorker(url, { env: key });
  const tandem = desk(url, service);
  const { ended } = tandem.start("run", "suite.yaml", "--workers");
  for (const rows of [1, 800, 1_200]) {
    const db = await openTest(server.socket("tandem"), 1);
    const count = async (): Promise<number> =>
      (await db.query<{ jobs: number }>("SELECT count(*)::integer AS jobs FROM tandem.input"))[0]?.jobs ?? 0;
    await expect.poll(count, { interval: 2, timeout: 60_000 }).toBeGreaterThanOrEqual(rows);
    expect(await db.query("SELECT state FROM tandem.batch")).toEqual([{ state: "uploading" }]);
    await server.crash();
    await delay(500 + Math.random() * 2_000);
    await server.start();
  }
  const { code, err } = await ended;
  expect({ code, err }).toEqual({ code: 0, err });
  expect(err).toContain("PostgreSQL is back");
  isWhole(tandem, service);
});

test.each(["away", "there"])(
  "Ctrl-C while a submitter uploads, with PostgreSQL %s, ends it: nothing was sent, and a resume sends all once",
  async (state) => {
    const server = await ownServer();
    const url = server.url("tandem");
    const service = await startService(({ prompt }) => record(prompt.slice(0, 10)));
    const tandem = desk(url, service);
    const { child, ended } = tandem.start("run", "suite.yaml", "--workers");
    const db = await openTest(server.socket("tandem"), 1);
    const inputs = (): Promise<unknown[]> => db.query("SELECT 1 FROM tandem.input LIMIT 1");
    await expect.poll(inputs, { interval: 5, timeout: 60_000 }).toHaveLength(1);
    if (state === "away") await server.crash();
    child.kill("SIGINT");
    const { code, err } = await ended;
    expect({ code, err }).toEqual({ code: 130, err });
    if (state === "away") await server.start();
    await startWorker(url, { env: key });
    await delay(3_000);
    expect(service.received.length).toBe(0);
    const { code: later, err: reported } = await tandem.run("resume", "--workers");
    expect({ later, told: reported }).toEqual({ later: 0, told: reported });
    isWhole(tandem, service);
  },
);

test("an upload that takes long is nobody else's to go on with", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => record(prompt.slice(0, 10)));
  const tandem = desk(url, service);
  const db = await openTest(url, 2);
  const running = await db.transaction(async (within) => {
    await within.query("LOCK TABLE tandem.input IN EXCLUSIVE MODE");
    const started = tandem.start("run", "suite.yaml", "--workers");
    const waits = (): Promise<unknown[]> =>
      db.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()");
    await expect.poll(waits, { interval: 20, timeout: 60_000 }).toHaveLength(1);
    await delay(25_000);
    const elsewhere = new Tandem().env({ TANDEM_WORKERS: url }).alone().start("resume", "--workers");
    // One that goes on with it would wait for the lock, too.
    const end = await Promise.race([elsewhere.ended, delay(60_000, null)]);
    elsewhere.child.kill("SIGKILL");
    expect(end).toMatchObject({ code: 2, err: expect.stringContaining("already") });
    return started;
  });
  await startWorker(url, { env: key });
  const { code, err } = await running.ended;
  expect({ code, err }).toEqual({ code: 0, err });
  isWhole(tandem, service);
});

/** Starts a run, and kills it when its upload waits for a table. */
async function killedAt(tandem: Tandem, url: string, table: string): Promise<void> {
  const db = await openTest(url, 2);
  await db.transaction(async (within) => {
    await within.query(`LOCK TABLE tandem.${table} IN EXCLUSIVE MODE`);
    const { child, ended } = tandem.start("run", "suite.yaml", "--workers");
    const waits = (): Promise<unknown[]> =>
      db.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()");
    await expect.poll(waits, { interval: 20, timeout: 60_000 }).toHaveLength(1);
    child.kill("SIGKILL");
    await ended;
  });
}

test.each([["batch_file"], ["job"], ["input"]])(
  "a submitter that is killed before tandem.%s is uploaded has sent nothing; it goes on here, and elsewhere as soon as the plan is there",
  async (table) => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => record(prompt.slice(0, 10)));
    await startWorker(url, { env: key });
    await startWorker(url, { env: key });
    const first = desk(url, service);
    await killedAt(first, url, table);
    await delay(3_000);
    expect(service.received.length).toBe(0);
    const elsewhere = new Tandem().env({ TANDEM_WORKERS: url }).alone();
    const joined = await elsewhere.run("resume", "--workers");
    if (table === "batch_file") {
      expect(joined.code).toBe(2);
      expect(joined.err).toContain("was not uploaded to its end: only the machine that began it can go on");
      expect(service.received.length).toBe(0);
    } else {
      expect({ code: joined.code, err: joined.err }).toEqual({ code: 0, err: joined.err });
      isWhole(elsewhere, service);
    }
    const { code, err } = await first.run("resume", "--workers");
    expect({ code, err }).toEqual({ code: 0, err });
    isWhole(first, service);
  },
);

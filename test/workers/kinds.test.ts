import { expect, test } from "vitest";
import { record, startService } from "../e2e/service.ts";
import { prompts, Tandem } from "../e2e/tandem.ts";
import { openTest, ownServer, testDatabase } from "../postgres.ts";
import { suite as asyncSuite } from "../e2e/async-suite.ts";
import { receives } from "./desk.ts";
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
  await receives(service, 60);
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
  expect(err).toContain("requests are spent (--budget)");
  expect(service.received.length).toBeGreaterThanOrEqual(30);
  // The half of it that the other worker may be sending meanwhile is beyond it at most.
  expect(service.received.length).toBeLessThanOrEqual(45);
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

test("judges are asked from here, once the answers of workers are here", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(`answer to ${prompt}`), delayMs: 20 }));
  const judge = await startService(() => record('{"score": 1, "verdict": "C", "reason": "fine"}'));
  await Promise.all([startWorker(url), startWorker(url)]);
  const tandem = new Tandem()
    .env({ TANDEM_WORKERS: url })
    .file(
      "suite.yaml",
      `name: shared
dataset: prompts.csv
case: { key: id }
deployments:
  prod: { base_url: "${service.url}", concurrency: 4 }
  bench: { base_url: "${judge.url}" }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
judges: { strict: { deployment: bench, endpoint: video-bots, example_id: judge } }
scorers: [{ name: helpful, type: judge, target: strict }]
`,
    )
    .file("prompts.csv", prompts(40));
  // The key of the service is with the workers alone; that of the judge is needed here.
  expect((await tandem.run("run", "suite.yaml", "--workers")).err).toContain("bench");
  const { code, err } = await tandem.env({ TANDEM_WORKERS: url, ...key }).run("run", "suite.yaml", "--workers");
  expect({ code, err }).toEqual({ code: 0, err });
  expect(service.received.length).toBe(40);
  expect(tandem.query("SELECT kind, outcome FROM job GROUP BY 1, 2 ORDER BY 1")).toEqual([
    { kind: "case", outcome: "ok" },
    { kind: "judge", outcome: "ok" },
  ]);
});

/** A service that takes runs, and ends them when it is let go. */
async function takingService() {
  const state = { isHeld: true, submitted: 0 };
  const service = await startService(({ path, body }) => {
    if (body !== "") {
      state.submitted += 1;
      const run_id = `run${String(state.submitted).padStart(9, "0")}`;
      return { body: JSON.stringify({ run_id, created_at: "2026-11-20T19:30:12+00:00", web_url: "https://x.test/" }) };
    }
    const id = new URL(path, "http://x").searchParams.get("run_id") ?? "";
    const output = { output_text: ["hi"], raw_output_text: ["hi"], finish_reason: ["stop"] };
    return {
      body: JSON.stringify({ run_id: id, ...(state.isHeld ? { status: "running" } : { status: "completed", output }) }),
    };
  });
  return { state, service };
}

test("runs that a worker had submitted when it died are asked for by another, and nothing is submitted twice", async () => {
  const url = await testDatabase();
  const { state, service } = await takingService();
  const first = await startWorker(url);
  const tandem = new Tandem()
    .env({ TANDEM_WORKERS: url, ...key })
    .file("p.csv", prompts(20))
    .file("suite.yaml", asyncSuite(service.url, "concurrency: 4"));
  const { ended } = tandem.begin("run", "suite.yaml", "--workers", "--no-preflight");
  await expect.poll(() => state.submitted, { timeout: 60_000 }).toBe(20);
  const db = await openTest(url);
  const taken = (): Promise<unknown[]> => db.query("SELECT FROM tandem.result WHERE rank = 1");
  await expect.poll(taken, { timeout: 60_000 }).toHaveLength(20);
  first.child.kill("SIGKILL");
  await first.ended;
  state.isHeld = false;
  await startWorker(url);
  const { code, err } = await ended;
  expect({ code, err }).toEqual({ code: 0, err });
  expect(tandem.query(ok)).toEqual([{ jobs: 20 }]);
  expect(state.submitted).toBe(20);
});

test("bad addresses are told without the password, and nothing is planned", async () => {
  const tandem = new Tandem().file("suite.yaml", suite("https://nobody.example")).file("prompts.csv", prompts(3));
  const { code, err } = await tandem.run("run", "suite.yaml", "--workers", "postgres://ada:geheim@127.0.0.1:1/tandem");
  expect(code).toBe(3);
  expect(err).not.toContain("geheim");
  expect(err).toContain("cannot be reached");
  expect(tandem.has("results/tandem.db")).toBe(false);
});

test("runs that this machine had submitted are asked for by workers, and nothing is submitted twice", async () => {
  const url = await testDatabase();
  const { state, service } = await takingService();
  const tandem = new Tandem()
    .env({ TANDEM_WORKERS: url, ...key })
    .file("p.csv", prompts(20))
    .file("suite.yaml", asyncSuite(service.url, "concurrency: 4"));
  const { child, ended } = tandem.start("run", "suite.yaml", "--no-preflight");
  const taken = (): unknown[] => tandem.query("SELECT 1 FROM sending WHERE run_id IS NOT NULL");
  await expect.poll(() => state.submitted, { timeout: 60_000 }).toBe(20);
  await expect.poll(taken, { timeout: 60_000 }).toHaveLength(20);
  child.kill("SIGKILL");
  await ended;
  state.isHeld = false;
  await startWorker(url);
  const { code, err } = await tandem.run("resume", "--workers");
  expect({ code, err }).toEqual({ code: 0, err });
  expect(tandem.query(ok)).toEqual([{ jobs: 20 }]);
  expect(state.submitted).toBe(20);
});

test("a worker that somebody has removed enters itself again, also where the connection is lost over it", async () => {
  const url = await testDatabase();
  const worker = await startWorker(url);
  const db = await openTest(url);
  await db.query(`CREATE SEQUENCE tandem.cuts;
    CREATE FUNCTION tandem.cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('tandem.cuts') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
      RETURN NEW; END $$;
    CREATE TRIGGER cut BEFORE INSERT ON tandem.worker FOR EACH ROW EXECUTE FUNCTION tandem.cut();
    DELETE FROM tandem.worker`);
  const there = (): Promise<unknown[]> => db.query("SELECT FROM tandem.worker");
  await expect.poll(there, { timeout: 60_000 }).toHaveLength(1);
  expect(await db.query("SELECT last_value::integer AS tries FROM tandem.cuts")).toEqual([{ tries: 2 }]);
  expect([worker.child.exitCode, worker.child.signalCode]).toEqual([null, null]);
});

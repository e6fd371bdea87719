import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { record, startService } from "../e2e/service.ts";
import { command, ends, prompts, Tandem } from "../e2e/tandem.ts";
import { openTest, ownServer, testDatabase } from "../postgres.ts";
import { receives, twice } from "./desk.ts";
import { startWorker } from "./worker-process.ts";

const key = { TANDEM_API_KEY: "sk-test-0123456789" };

const suite = (url: string, more = ""): string => `
name: asked
dataset: prompts.csv
case: { key: id }
deployments: { prod: { base_url: "${url}", api_key_env: TANDEM_API_KEY, concurrency: 4 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
${more}`;

const desk = (suiteText: string, url: string): Tandem =>
  new Tandem().env({ TANDEM_WORKERS: url }).file("suite.yaml", suiteText).file("prompts.csv", prompts(60));

const commands = [["run", "suite.yaml", "--workers"], ["workers", "serve"], ["workers"], ["workers", "setup"]];

/** All commands end with this code and these words; nothing is planned, and the password is in no message. */
async function isRefused(url: string, expected: { code: number; words: string; hint: string }): Promise<boolean> {
  const tandem = desk(suite("http://127.0.0.1:1"), url);
  for (const words of commands) {
    const { code, err, out } = await tandem.run(...words);
    expect({ words, code, err }).toEqual({ words, code: expected.code, err: expect.stringContaining(expected.words) });
    expect(err).toContain(expected.hint);
    expect(err.trimEnd().split("\n").length, err).toBe(2);
    expect(err + out).not.toContain("geheim");
  }
  expect(tandem.has("results/tandem.db")).toBe(false);
  return true;
}

describe("a database", () => {
  test("that is not there, is none, or gives no answer is named with what to look at", async () => {
    const hint = "Look at host and port, at the network between, and whether the server runs.";
    expect(
      await isRefused("postgres://ada:geheim@127.0.0.1:1/tandem", {
        code: 3,
        words: "PostgreSQL at 127.0.0.1:1/tandem cannot be reached. (ECONNREFUSED)",
        hint,
      }),
    ).toBe(true);
    const server = createServer((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const at = `127.0.0.1:${typeof address === "object" ? address?.port : 0}/tandem`;
    expect(
      await isRefused(`postgres://ada:geheim@${at}`, {
        code: 3,
        words: `PostgreSQL at ${at} ended the connection, or something else answers there.`,
        hint: "Look whether that is the port of PostgreSQL",
      }),
    ).toBe(true);
  });

  test("that refuses password, name, rights, TLS or its own version is named with what to do", async () => {
    const server = await ownServer(["password_encryption='scram-sha-256'"], {
      access: "local all all trust\nhost all anna 127.0.0.1/32 scram-sha-256\nhost all all all trust\n",
    });
    const db = await openTest(server.socket("tandem"));
    await db.query("CREATE ROLE anna LOGIN PASSWORD 'right'");
    await db.query("CREATE ROLE bert LOGIN");
    const at = `127.0.0.1:${server.port}/tandem`;
    expect(
      await isRefused(`postgres://anna:geheim@${at}`, {
        code: 2,
        words: `PostgreSQL at ${at} refuses the user or the password. (28P01)`,
        hint: "Look at the connection string (TANDEM_WORKERS)",
      }),
    ).toBe(true);
    expect(
      await isRefused(`postgres://bert:geheim@127.0.0.1:${server.port}/none`, {
        code: 2,
        words: "PostgreSQL has no database",
        hint: "Create it (`createdb`), or name another",
      }),
    ).toBe(true);
    expect(
      await isRefused(`postgres://bert:geheim@${at}`, {
        code: 2,
        words: `The user has no right to do this in ${at}. (42501)`,
        hint: "connect as the role that ran `tandem workers setup`",
      }),
    ).toBe(true);
    expect(
      await isRefused(`postgres://tandem:geheim@${at}?sslmode=require`, {
        code: 2,
        words: `PostgreSQL at ${at} does not speak TLS.`,
        hint: "Switch it on there (ssl = on)",
      }),
    ).toBe(true);
    await db.query("UPDATE tandem.meta SET version = 99999");
    expect(
      await isRefused(`postgres://tandem:geheim@${at}`, {
        code: 2,
        words: `The tables in ${at} are of a newer tandem (version 99999`,
        hint: "Install the tandem that the others have.",
      }),
    ).toBe(true);
  });
});

test("a deployment whose key no worker has is waited for, with the reason; nothing is sent", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => record(prompt));
  await startWorker(url, { env: { TANDEM_API_KEY: "" }, name: "mill" });
  const tandem = desk(suite(service.url), url);
  const { child, ended } = tandem.start("run", "suite.yaml", "--workers");
  let reported = "";
  child.stderr?.on("data", (chunk: string) => (reported += chunk));
  const words = "No worker serves prod (mill: The deployment prod needs an API key, and TANDEM_API_KEY is not set).";
  await expect.poll(() => reported, { timeout: 30_000 }).toContain(words);
  child.kill("SIGTERM");
  expect((await ended).code).toBe(143);
  expect(service.received).toEqual([]);
});

test("clocks that differ by hours change nothing: limits, times and answers are as ever", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 200 }));
  const faked = (by: string): string[] => ["faketime", "-f", by];
  await Promise.all([
    startWorker(url, { before: faked("+1h"), name: "early" }),
    startWorker(url, { before: faked("-1h"), name: "late" }),
  ]);
  const tandem = desk(suite(service.url), url).as(...faked("+3h"), process.execPath, command);
  const { code, err } = await tandem.run("run", "suite.yaml", "--workers");
  expect({ code, err }).toEqual({ code: 0, err });
  expect(twice(service)).toEqual([]);
  expect(service.received.length).toBe(60);
  expect(service.most).toBeLessThanOrEqual(4);
});

test("a second submitter of a suite is refused in the same folder", async () => {
  const url = await testDatabase();
  let open = (): void => undefined;
  const held = new Promise<void>((resolve) => (open = resolve));
  const service = await startService(({ prompt }) => ({ ...record(prompt), when: held }));
  await startWorker(url);
  const tandem = desk(suite(service.url), url);
  const first = tandem.start("run", "suite.yaml", "--workers", "--no-preflight");
  await receives(service, 4);
  const here = await tandem.run("resume", "--workers");
  open();
  expect(here).toMatchObject({ code: 2, err: expect.stringContaining("is running batch asked-") });
  expect((await first.ended).code).toBe(0);
});

describe("a worker", () => {
  test("has a folder of its own, and a name for a deployment", async () => {
    const url = await testDatabase();
    const first = await startWorker(url);
    const tandem = new Tandem().env({ TANDEM_WORKERS: url });
    const second = await tandem.run("workers", "serve", "--folder", `${first.folder}/kept`);
    expect(second).toMatchObject({ code: 2, err: expect.stringContaining("Another worker has the folder") });
    const empty = await tandem.run("workers", "serve", "--deployment", "");
    expect(empty).toMatchObject({ code: 2, err: expect.stringContaining("--deployment takes the name") });
    const removed = await tandem.run("worker");
    expect(removed).toMatchObject({ code: 2, err: expect.stringContaining("tandem workers serve") });
  });

  test("leaves what it has for another database alone, and says so", async () => {
    const [one, other] = [await testDatabase(), await testDatabase()];
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 400 }));
    const first = await startWorker(one);
    const tandem = desk(suite(service.url), one);
    const run = tandem.start("run", "suite.yaml", "--workers", "--on-in-doubt", "hold");
    await receives(service, 12);
    first.child.kill("SIGKILL");
    await first.ended;
    const elsewhere = await startWorker(other, { folder: first.folder });
    expect(elsewhere.err()).toContain("keeps results for another database");
    const db = await openTest(other);
    expect(await db.query("SELECT FROM tandem.result")).toEqual([]);
    // Back at its own, it hands them in.
    elsewhere.child.kill("SIGTERM");
    await elsewhere.ended;
    await startWorker(one, { folder: first.folder });
    const { code, err } = await run.ended;
    expect([0, 3, 4], err).toContain(code);
    expect(twice(service)).toEqual([]);
    const { ok = 0, held = 0 } = ends(tandem);
    expect(ok + held).toBe(60);
    // Of what was in flight when it was killed, some may not have left.
    expect(held).toBeLessThanOrEqual(4);
    expect(service.received.length).toBeGreaterThanOrEqual(ok);
  });
});

test("a batch is not looked for in another database", async () => {
  const [one, other] = [await testDatabase(), await testDatabase()];
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 200 }));
  await startWorker(one);
  const tandem = desk(suite(service.url), one);
  const { child, ended } = tandem.start("run", "suite.yaml", "--workers");
  await receives(service, 8);
  child.kill("SIGKILL");
  await ended;
  const refused = await tandem.env({ TANDEM_WORKERS: other }).run("resume", "--workers");
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("is not their database") });
  const here = await tandem.env({ TANDEM_WORKERS: one, ...key }).run("resume");
  expect(here).toMatchObject({ code: 2, err: expect.stringContaining("Ctrl-C then stops it there") });
  const back = await tandem.run("resume", "--workers");
  expect({ code: back.code, err: back.err }).toEqual({ code: 0, err: back.err });
  expect(twice(service)).toEqual([]);
});

test("a worker that comes back without the key hands in what it has, and leaves the rest to others", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 200 }));
  const tandem = desk(suite(service.url).replace("concurrency: 4", "concurrency: 4, timeout: 3s"), url);
  const worker = await startWorker(url, { env: key });
  const run = tandem.start("run", "suite.yaml", "--workers");
  await receives(service, 20);
  worker.child.kill("SIGKILL");
  await worker.ended;
  const back = await startWorker(url, { folder: worker.folder, env: { TANDEM_API_KEY: "" } });
  await expect.poll(back.err, { interval: 20, timeout: 30_000 }).toContain("results of an earlier start are handed in");
  await startWorker(url, { env: key });
  await run.ended;
  expect(twice(service)).toEqual([]);
  const { held = 0, ok = 0 } = ends(tandem);
  expect({ sum: held + ok, received: service.received.length }).toEqual({ sum: 60, received: 60 });
  expect(held).toBeLessThanOrEqual(4);
  expect(back.child.exitCode).toBe(null);
}, 120_000);

test("a queue that somebody emptied by hand is filled again, and nothing is sent twice", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 20 }));
  const tandem = desk(suite(service.url), url);
  const run = tandem.start("run", "suite.yaml", "--workers", "--no-preflight");
  const db = await openTest(url);
  await expect.poll(() => db.query("SELECT FROM pgboss.job"), { interval: 10, timeout: 60_000 }).not.toEqual([]);
  await db.query("DELETE FROM pgboss.job");
  await startWorker(url);
  const { code, err } = await run.ended;
  expect({ code, err }).toEqual({ code: 0, err });
  expect(service.received.length).toBe(60);
  expect(twice(service)).toEqual([]);
});

test.each([
  ["interleave: strict", "interleave: strict cannot be kept over workers"],
  ["compare: { stop_when: decided }", "stop_when: decided cannot be kept over workers"],
  ["compare: { confirm: rerun }", "confirm: rerun cannot be kept over workers"],
  ["compare: { choose: best, race: best }", "race cannot be kept over workers"],
])("%s is refused with a sentence, and nothing is sent", async (setting, words) => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => record(prompt));
  const pair = suite(service.url, `scorers: [{ type: not-empty, primary: true }]\n${setting}\n`).replace(
    "targets: { prod:",
    "targets: { other: { deployment: prod, endpoint: video-bots, example_id: b }, prod:",
  );
  const { code, err } = await desk(pair, url).run("run", "suite.yaml", "--workers");
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(words) });
  expect(service.received).toEqual([]);
});

test("code of a suite runs where it was submitted", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => record(prompt));
  await startWorker(url, { env: key });
  const program = `require("node:readline").createInterface({ input: process.stdin }).on("line", () => {
  require("node:fs").appendFileSync("ran", "once\\n");
  console.log(1);
});
`;
  const scorers = "scorers: [{ name: mine, type: command, command: [node, mine.cjs] }]\n";
  const tandem = desk(suite(service.url, scorers), url).file("mine.cjs", program);
  const { code, err } = await tandem.run("run", "suite.yaml", "--workers");
  expect({ code, err }).toEqual({ code: 0, err });
  // Once more before anything is sent.
  expect(tandem.text("ran").trimEnd().split("\n").length).toBeGreaterThanOrEqual(60);
});

import { execFileSync } from "node:child_process";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { record, startService } from "../e2e/service.ts";
import { command, prompts, Tandem } from "../e2e/tandem.ts";
import { openTest, ownServer, testDatabase } from "../postgres.ts";
import { sentOnce } from "./submitted.ts";
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
  new Tandem().env({ TANDEM_WORKERS: url }).alone().file("suite.yaml", suiteText).file("prompts.csv", prompts(60));

const commands = [
  ["run", "suite.yaml", "--workers"],
  ["resume", "--workers"],
  ["worker", "--address", "http://127.0.0.1:1"],
  ["workers"],
  ["workers", "prune", "--older-than", "30d", "--yes"],
];

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
        hint: "Let the database's owner run `tandem workers setup`",
      }),
    ).toBe(true);
    expect(
      await isRefused(`postgres://tandem:geheim@${at}?sslmode=require`, {
        code: 2,
        words: `PostgreSQL at ${at} does not speak TLS.`,
        hint: "Switch it on there (ssl = on)",
      }),
    ).toBe(true);
    const [{ version } = { version: 0 }] = await db.query<{ version: number }>("SELECT version FROM tandem.meta");
    await db.query("UPDATE tandem.meta SET version = 99");
    expect(
      await isRefused(`postgres://tandem:geheim@${at}`, {
        code: 2,
        words: `${at} has schema version 99; this tandem knows up to ${version}.`,
        hint: "Install the tandem that the others have.",
      }),
    ).toBe(true);
  });
});

test("a deployment whose key no worker has is waited for, with the reason; nothing is sent", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => record(prompt));
  await startWorker(url, { env: { TANDEM_API_KEY: "" }, args: ["--name", "mill"] });
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

test("clocks that differ by hours change nothing: limits, times and answers are by the database's", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 400 }));
  const faked = (by: string): string[] => ["faketime", "-f", by];
  await Promise.all([
    startWorker(url, { env: key, before: faked("+1h"), args: ["--name", "early"] }),
    startWorker(url, { env: key, before: faked("-1h"), args: ["--name", "late"] }),
  ]);
  const tandem = desk(suite(service.url), url).as(...faked("+3h"), process.execPath, command);
  const { code, err } = await tandem.run("run", "suite.yaml", "--workers");
  expect({ code, err }).toEqual({ code: 0, err });
  sentOnce(service.received.map(({ prompt }) => prompt));
  expect(service.received.length).toBe(60);
  expect(service.most).toBeLessThanOrEqual(4);
  const [times] = tandem.query<{ first: number; last: number; longest: number; wait: number }>(
    "SELECT min(sent_at) AS first, max(done_at) AS last, max(done_at - sent_at) AS longest, max(abs(sent_at - queued_at)) AS wait FROM attempt",
  );
  expect(times?.first).toBeGreaterThan(Date.now() - 600_000);
  expect(times?.last).toBeLessThan(Date.now() + 1_000);
  expect(times?.longest).toBeLessThan(20_000);
  expect(times?.wait).toBeLessThan(20_000);
  const sentBy = await (
    await openTest(url)
  ).query<{ workers: number }>("SELECT count(DISTINCT worker)::integer AS workers FROM tandem.attempt");
  expect(sentBy).toEqual([{ workers: 2 }]);
});

test("a second submitter of a suite is refused in the same folder and elsewhere, or has a batch of its own", async () => {
  const url = await testDatabase();
  const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 2_000 }));
  await startWorker(url, { env: key });
  const tandem = desk(suite(service.url), url);
  const first = tandem.start("run", "suite.yaml", "--workers");
  await expect.poll(() => service.received.length, { timeout: 30_000 }).toBeGreaterThan(4);
  const here = await tandem.run("resume", "--workers");
  expect(here).toMatchObject({ code: 2, err: expect.stringContaining("is running batch asked-") });
  const elsewhere = await new Tandem().env({ TANDEM_WORKERS: url }).alone().run("resume", "--workers");
  expect(elsewhere).toMatchObject({ code: 2, err: expect.stringContaining("already") });
  const other = desk(suite(service.url), url);
  const both = await Promise.all([first.ended, other.run("run", "suite.yaml", "--workers")]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(service.received.length).toBe(120);
  expect(service.most).toBeLessThanOrEqual(4);
});

test("code of a suite runs where it was submitted, and on no machine that joins", async () => {
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
  const joiner = new Tandem().env({ TANDEM_WORKERS: url }).alone();
  const batch = tandem.query<{ name: string }>("SELECT name FROM batch")[0]?.name ?? "";
  const joined = await joiner.run("resume", batch, "--workers");
  expect(joined.err + joined.out).toContain(
    `Not graded by "mine": code runs only where its suite file is named. There: tandem score ${batch} --suite`,
  );
  expect(execFileSync("find", [joiner.folder, "-name", "ran"], { encoding: "utf8" })).toBe("");
});

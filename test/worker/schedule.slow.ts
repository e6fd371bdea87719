import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { record, startService } from "../e2e/service.ts";
import { prompts, Tandem } from "../e2e/tandem.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { startWorker } from "./worker-process.ts";

test("of two workers that spend nights one dies before the due time: the other spends it, once, and says so", async () => {
  const url = await testDatabase();
  const db = await openTest(url);
  const service = await startService(({ prompt }) => record(`answer to ${prompt}`));
  const suite = `name: both
dataset: p.csv
case: { key: id }
deployments: { prod: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers: [{ type: contains, value: answer }]
`;
  const tandem = new Tandem().file("p.csv", prompts(5)).file("suite.yaml", suite).env({ TANDEM_WORKERS: url });
  const env = { TANDEM_API_KEY: "sk-test-0123456789" };
  const start = (name: string) => startWorker(url, { args: ["--nights", "nights", "--name", name], env });
  const workers = [
    { name: "a", ...(await start("a")) },
    { name: "b", ...(await start("b")) },
  ];
  // Far enough from now: only what this test enters is due.
  const hour = (new Date().getUTCHours() + 12) % 24;
  const times = ["--cron", `0 ${hour} * * *`, "--tz", "UTC", "--take-over", "10s"];
  const added = await tandem.run("schedule", "add", "nightly", "suite.yaml", ...times);
  expect(added.code, added.err).toBe(0);
  await tandem.run("schedule", "run", "nightly");
  const states = async (): Promise<string[]> => {
    const rows = await db.query<{ line: string }>(
      "SELECT n.state || ' ' || coalesce(n.exit_code::text, '') || ' ' || coalesce(h.name, '') AS line FROM tandem.night n LEFT JOIN tandem.night_home h ON h.id = n.home ORDER BY n.due_at",
    );
    return rows.map(({ line }) => line);
  };
  await expect.poll(states, { timeout: 120_000, interval: 500 }).toEqual([expect.stringMatching(/^done 0 [ab]$/)]);
  const [first = ""] = await states();
  const home = workers.find(({ name }) => first.endsWith(name));
  const other = workers.find(({ name }) => !first.endsWith(name));
  home?.child.kill("SIGKILL");
  await home?.ended;
  // Two due times: the first of them was for nobody.
  await db.query(
    "INSERT INTO tandem.night (schedule, due_at, by_hand, state) SELECT id, tandem.now_ms() - d, false, 'due' FROM tandem.schedule, unnest(ARRAY[1000, 0]) d",
  );
  await expect.poll(states, { timeout: 120_000, interval: 500 }).toEqual([first, "missed  ", `done 0 ${other?.name}`]);
  expect(other?.err()).toContain(`${home?.name} is away for long: its nights are spent here from now on`);
  expect(service.received).toHaveLength(10);
  const { out } = await tandem.run("schedule");
  expect(out).toContain("nightly: missed ");
}, 300_000);

test("whoever writes a schedule past the command learns nothing of the machine that spends it", async () => {
  const url = await testDatabase();
  const db = await openTest(url);
  const folder = mkdtempSync(join(tmpdir(), "tandem-nights-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "nights"));
  writeFileSync(join(folder, "nights/.env"), "SLACK_WEBHOOK=https://hooks.example/geheim\nTANDEM_EXTRA=geheim\n");
  const proxy = "http://me:geheim@127.0.0.1:9";
  const worker = await startWorker(url, {
    args: ["--nights", "nights", "--name", "mill", "--allow-env", "SLACK_WEBHOOK"],
    env: { TANDEM_API_KEY: "sk-geheim-0123456789", HTTPS_PROXY: proxy },
    folder,
  });
  const addresses = [
    "${TANDEM\\x5fWORKERS}",
    "${HTTPS_PROXY}",
    "${SLACK_WEBHOOK}",
    "${TANDEM_EXTRA}",
    "https://x.example/${PATH}",
  ];
  for (const [place, address] of addresses.entries()) {
    const suite = `name: greedy
dataset: p.csv
case: { key: id }
deployments: { prod: { base_url: "${address}" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`;
    await db.query(
      `WITH s AS (INSERT INTO tandem.schedule (namespace, name, cron, zone, suite, words, made_up_ms, submitter, created_at)
         VALUES ('default', $1, '0 1 1 1 *', 'UTC', 'suite.yaml', '{}', 3600000, 'me', tandem.now_ms()) RETURNING id),
       f AS (INSERT INTO tandem.schedule_file (schedule, path, sha256, bytes)
         SELECT s.id, given.path, encode(sha256(given.bytes), 'hex'), given.bytes
         FROM s, (VALUES ('suite.yaml', convert_to($2, 'UTF8')), ('p.csv', convert_to($3, 'UTF8'))) AS given (path, bytes))
       INSERT INTO tandem.night (schedule, due_at, by_hand, state) SELECT id, tandem.now_ms(), true, 'due' FROM s`,
      [`greedy-${place}`, suite, prompts(2)],
    );
  }
  const states = () => db.query("SELECT state, exit_code FROM tandem.night");
  await expect
    .poll(states, { timeout: 120_000, interval: 500 })
    .toEqual(addresses.map(() => ({ state: "done", exit_code: 2 })));
  expect(worker.err()).toContain("takes the base_url of prod from the variable TANDEM_WORKERS");
  const tables = await db.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'tandem'",
  );
  for (const { name } of tables) {
    const rows = await db.query<{ row: string }>(`SELECT t::text AS row FROM tandem.${name} t`);
    for (const { row } of rows) expect(row, name).not.toMatch(/geheim|:\/\/tandem@|\/usr\/bin/);
  }
}, 300_000);

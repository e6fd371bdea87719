import { expect, test } from "vitest";
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

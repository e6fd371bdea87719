import { expect, test } from "vitest";
import { record, type Service, startService } from "../e2e/service.ts";
import { prompts, Tandem } from "../e2e/tandem.ts";
import { openTest, testDatabase } from "../postgres.ts";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import { sentOnce } from "./submitted.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";

const key = { TANDEM_API_KEY: "sk-test-0123456789" };
const jobs = 200;

interface Scheduled {
  url: string;
  db: Postgres;
  service: Service;
  tandem: Tandem;
  /** A worker that spends nights in a folder of its own, and sends nothing. */
  home: (name: string, folder?: string) => Promise<WorkerProcess>;
  /** Nights in their order: state, exit code and home. */
  nights: () => Promise<string[]>;
}

/** A suite with two workers that send it. */
async function scheduled(delayMs: number): Promise<Scheduled> {
  const url = await testDatabase();
  const db = await openTest(url);
  const service = await startService(({ prompt }) => ({ ...record(`answer to ${prompt}`), delayMs }));
  const suite = `name: both
dataset: p.csv
case: { key: id }
deployments: { prod: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY, concurrency: 4 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers: [{ type: contains, value: answer }]
`;
  const tandem = new Tandem().file("p.csv", prompts(jobs)).file("suite.yaml", suite);
  tandem.env({ TANDEM_WORKERS: url, ...key });
  for (const name of ["one", "two"]) await startWorker(url, { env: key, args: ["--name", name] });
  return {
    url,
    db,
    service,
    tandem,
    home: (name, folder) =>
      startWorker(url, {
        args: ["--nights", "nights", "--name", name, "--deployment", "none"],
        ...(folder !== undefined && { folder }),
      }),
    async nights() {
      const rows = await db.query<{ line: string }>(
        `SELECT n.state || ' ' || coalesce(n.exit_code::text, '-') || ' ' || coalesce(h.name, '-') || coalesce(' ' || n.verdict, '') AS line
         FROM tandem.night n LEFT JOIN tandem.night_home h ON h.id = n.home ORDER BY n.due_at`,
      );
      return rows.map(({ line }) => line);
    },
  };
}

/** Fields of cron for the next minute that begins in more than ten seconds, by the clock of the world. */
function soon(): string {
  const at = new Date(Date.now() + 70_000);
  return `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
}

test("at a minute by cron a night begins by itself, over all workers, once, against the pin that came with it", async () => {
  const { db, service, tandem, home, nights } = await scheduled(150);
  const first = await tandem.run("run", "suite.yaml");
  expect(first.code, first.err).toBe(0);
  const pinned = await tandem.run("pin", "latest", "--as", "base");
  expect((await tandem.run("pin", "base", "--export", "base.jsonl")).code).toBe(0);
  expect(pinned.code, pinned.err).toBe(0);
  const homes = [await home("a"), await home("b")];
  service.received.length = 0;
  const cron = soon();
  const flags = ["--cron", cron, "--tz", "UTC", "--against", "base.jsonl"];
  const added = await tandem.run("schedule", "add", "nightly", "suite.yaml", ...flags);
  expect(added.code, added.err).toBe(0);
  expect(await nights()).toEqual([]);
  await expect.poll(nights, { timeout: 240_000, interval: 500 }).toEqual([expect.stringMatching(/^done 0 [ab] pass/i)]);
  const [night] = await db.query<{ due: number; late: number; byHand: boolean }>(
    'SELECT due_at AS due, started_at - due_at AS late, by_hand AS "byHand" FROM tandem.night',
  );
  expect(night?.byHand).toBe(false);
  expect(new Date(night?.due ?? 0).getUTCMinutes()).toBe(Number(cron.split(" ")[0]));
  expect(night?.late).toBeLessThan(30_000);
  sentOnce(service.received.map(({ prompt }) => prompt));
  expect(service.received.length).toBe(jobs);
  const [sent] = await db.query<{ workers: number }>(
    "SELECT count(DISTINCT worker)::integer AS workers FROM tandem.attempt",
  );
  expect(sent?.workers).toBe(2);
  expect(homes.map(({ child }) => child.exitCode)).toEqual([null, null]);
});

/** A night that is killed with its home, in the middle of what workers send. */
async function killedHome(scheduling: Scheduled, ...flags: string[]): Promise<WorkerProcess> {
  const { service, tandem, home } = scheduling;
  const a = await home("a");
  const times = ["--cron", `0 ${(new Date().getUTCHours() + 12) % 24} * * *`, "--tz", "UTC"];
  const added = await tandem.run("schedule", "add", "nightly", "suite.yaml", ...times, ...flags);
  expect(added.code, added.err).toBe(0);
  await tandem.run("schedule", "run", "nightly");
  await expect.poll(() => service.received.length, { timeout: 60_000 }).toBeGreaterThan(40);
  a.child.kill("SIGKILL");
  await a.ended;
  return a;
}

test("a home that is killed in the middle of a night goes on with it at its next start: everything is sent once", async () => {
  const scheduling = await scheduled(200);
  const { service, home, nights } = scheduling;
  const { folder } = await killedHome(scheduling, "--take-over", "never");
  expect(await nights()).toEqual(["running - a"]);
  const again = await home("a again", folder);
  await expect.poll(nights, { timeout: 240_000, interval: 500 }).toEqual([expect.stringMatching(/^done 0 a again/)]);
  sentOnce(service.received.map(({ prompt }) => prompt));
  expect(service.received.length, again.err()).toBe(jobs);
});

test("a home that is killed and stays away is replaced in the same night, which says so", async () => {
  const scheduling = await scheduled(200);
  const { db, service, tandem, home, nights } = scheduling;
  await killedHome(scheduling, "--take-over", "10s");
  const other = await home("b");
  await expect.poll(nights, { timeout: 240_000, interval: 500 }).toEqual([expect.stringMatching(/^done 0 b/)]);
  expect(other.err()).toContain("a is away for long: its nights are spent here from now on");
  // Its history begins anew: the cases of this night are asked once more. What the first one had begun has ended with it.
  const entered = await db.query<{ attempts: number }>(
    "SELECT count(*)::integer AS attempts FROM tandem.attempt GROUP BY batch ORDER BY batch",
  );
  expect(entered).toEqual([{ attempts: service.received.length - jobs }, { attempts: jobs }]);
  // Each batch is known as its home's: `workers prune` frees what nobody has brought of a replaced one.
  expect(await db.query("SELECT count(DISTINCT (schedule, home))::integer AS homes FROM tandem.batch")).toEqual([
    { homes: 2 },
  ]);
  expect((await tandem.run("schedule")).out).toMatch(/nightly .*exit code 0.* b$/m);
});

test("a home that is killed and may not be replaced leaves a night that is named as cut off when the next one is due", async () => {
  const scheduling = await scheduled(200);
  const { db, tandem, nights } = scheduling;
  const { folder } = await killedHome(scheduling, "--take-over", "never");
  await scheduling.home("b");
  // The next night, when nobody has given a sign for the first one for long.
  await db.query("UPDATE tandem.night SET seen_at = seen_at - 3600000, due_at = due_at - 86400000");
  await db.query(
    "INSERT INTO tandem.night (schedule, due_at, by_hand, state) SELECT id, tandem.now_ms(), false, 'due' FROM tandem.schedule",
  );
  await expect.poll(nights, { timeout: 60_000, interval: 500 }).toEqual(["cut off - a", "due - -"]);
  const { out } = await tandem.run("schedule");
  expect(out).toMatch(/nightly: missed .* \(cut off\)/);
  await scheduling.home("a again", folder);
  await expect.poll(nights, { timeout: 120_000, interval: 500 }).toEqual(["cut off - a again", "done 0 a again"]);
});

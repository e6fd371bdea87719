import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { command, prompts, Tandem } from "../e2e/tandem.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { openKeeper } from "../../src/worker/nights/open-keeper.ts";
import { askForNight } from "../../src/worker/postgres/nights.ts";
import { nightsOf, schedulesOf } from "../../src/worker/postgres/schedules.ts";
import { beat, enterWorker, leaveWorker } from "../../src/worker/postgres/workers.ts";
import { version } from "../../src/lib/version.ts";

const served = "http://127.0.0.1:9/bots";
const nobodys = "http://127.0.0.1:9/other";

const suiteAt = (url: string): string => `name: both
dataset: p.csv
case: { key: id }
deployments: { prod: { base_url: "${url}", api_key_env: TANDEM_API_KEY } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`;

const times = ["--cron", "30 1 * * *", "--tz", "Europe/Berlin"];

/** A database, and a worker that sends to one address. */
async function desk() {
  const url = await testDatabase();
  const db = await openTest(url);
  const id = "6f3a1d9e-0000-4000-8000-000000000001";
  const enter = (): Promise<void> =>
    enterWorker(db, { id, name: "mill", host: "here", version, deployments: ["prod"], addresses: [served] });
  await enter();
  const tandem = new Tandem().env({ TANDEM_WORKERS: url }).file("p.csv", prompts(2));
  const add = (name: string, address: string) =>
    tandem.file("suite.yaml", suiteAt(address)).run("schedule", "add", name, "suite.yaml", ...times, "--json");
  return { url, db, id, enter, tandem, add };
}

test("a schedule to whose address no worker sends is refused when it is added, and nothing is stored", async () => {
  const { db, id, add } = await desk();
  const refused = await add("nightly", nobodys);
  expect([refused.code, JSON.parse(refused.out).error.code]).toEqual([2, "WORKERS_UNFIT"]);
  expect(refused.err).toContain(`No worker sends to ${nobodys}: start one with --address ${nobodys}.`);
  expect(await schedulesOf(db, null)).toEqual([]);
  expect((await add("nightly", `${served}/below`)).code).toBe(0);
  // Where no worker is there, nobody knows to where one would send.
  await leaveWorker(db, id);
  expect((await add("later", nobodys)).code).toBe(0);
  expect((await schedulesOf(db, null)).map(({ name }) => name)).toEqual(["later", "nightly"]);
});

test("nights that nobody sends take no place of those that are spent: another one begins at once", async () => {
  const { url, db, id, enter, add } = await desk();
  await leaveWorker(db, id);
  const waiting = ["a", "b", "c", "d", "e"];
  for (const name of waiting) expect((await add(name, nobodys)).code).toBe(0);
  expect((await add("served", served)).code).toBe(0);
  await enter();
  await beat(db, id);
  for (const name of [...waiting, "served"]) expect(await askForNight(db, "default", name)).toBe(true);
  const folder = mkdtempSync(join(tmpdir(), "tandem-nights-"));
  const said: string[] = [];
  const { keeper, close } = await openKeeper({
    url,
    name: "mill",
    folder,
    allowed: [],
    main: command,
    tell: (line) => said.push(line),
  });
  onTestFinished(async () => {
    keeper.stop();
    keeper.giveUp();
    await expect.poll(() => keeper.spending, { timeout: 60_000 }).toBe(0);
    await close();
    rmSync(folder, { recursive: true, force: true });
  });
  const states = async (): Promise<Record<string, string>> => {
    const all = await schedulesOf(db, null);
    const nights = await Promise.all(
      all.map(async ({ id: schedule, name }) => [name, (await nightsOf(db, schedule, 1))[0]?.state ?? ""] as const),
    );
    return Object.fromEntries(nights);
  };
  await keeper.look();
  await keeper.look();
  await expect
    .poll(states, { timeout: 60_000 })
    .toEqual({ a: "due", b: "due", c: "due", d: "due", e: "due", served: "running" });
  expect(said.join("\n")).toContain(
    `schedule a: No worker sends to ${nobodys}: start one with --address ${nobodys}. Its night waits.`,
  );
});

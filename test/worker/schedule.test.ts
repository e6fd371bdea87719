import { expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { record, startService } from "../e2e/service.ts";
import { prompts, Tandem } from "../e2e/tandem.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { startWorker } from "./worker-process.ts";

const suiteAt = (url: string, more = ""): string => `name: both
dataset: sheets/p.csv
case: { key: id }
deployments: { prod: { base_url: "${url}", api_key_env: TANDEM_API_KEY } }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
scorers: [{ type: contains, value: answer }]
${more}`;

const times = ["--cron", "30 1 * * *", "--tz", "Europe/Berlin"];

interface Listed {
  keepers: string[];
  schedules: {
    name: string;
    nextAt: number;
    home: { name: string } | null;
    nights: { state: string; exitCode: number | null; batch: string | null; byHand: boolean }[];
  }[];
}

test("a night that a worker spends finds no variable but those that its operator has listed", async () => {
  const tandem = new Tandem()
    .file("sheets/p.csv", prompts(2))
    .file("suite.yaml", suiteAt("${HTTPS_PROXY}"))
    .file(".env", "ONE_ADDRESS=https://one.example\nSLACK_WEBHOOK=https://two.example\n")
    .env({ TANDEM_WORKERS: "postgres://me:secret@127.0.0.1:1/x", HTTPS_PROXY: "http://me:secret@proxy.example" });
  const night = (listed: string) =>
    tandem.env({ TANDEM_NIGHT_VARIABLES: listed }).run("night", "suite.yaml", "--workers");
  for (const name of ["HTTPS_PROXY", "TANDEM_WORKERS", "ONE_ADDRESS", "SLACK_WEBHOOK", "PATH"]) {
    tandem.file("suite.yaml", suiteAt(`\${${name}}`));
    const { code, err } = await night("OTHER");
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`needs the environment variable ${name}`) });
    expect(err).not.toMatch(/secret|example/);
  }
  tandem.file("suite.yaml", suiteAt("${SLACK_WEBHOOK}"));
  expect((await night("OTHER SLACK_WEBHOOK")).err).not.toContain("needs the environment variable");
});

slowTest(
  "a schedule is spent by a worker when it is asked for, with its sheet, and listed with what came of it",
  async () => {
    const url = await testDatabase();
    const service = await startService(({ prompt }) => record(`answer to ${prompt}`));
    const tandem = new Tandem()
      .file("sheets/p.csv", prompts(5))
      .file("suite.yaml", suiteAt(service.url))
      .env({ TANDEM_WORKERS: url });
    const worker = await startWorker(url, {
      args: ["--nights", "nights", "--name", "mill"],
      env: { TANDEM_API_KEY: "sk-test-0123456789" },
    });
    const added = await tandem.run("schedule", "add", "nightly", "suite.yaml", ...times, "--keep", "3");
    expect(added.code, added.err).toBe(0);
    expect(added.out).toContain("nightly is scheduled. Next: ");
    expect((await tandem.run("schedule", "add", "nightly", "suite.yaml", ...times)).err).toContain("already");
    // What the submitter has is not needed any more.
    tandem.remove("sheets").remove("suite.yaml");
    const asked = await tandem.run("schedule", "run", "nightly");
    expect(asked.code, asked.err).toBe(0);
    const listed = async (): Promise<Listed> => JSON.parse((await tandem.run("schedule", "--json")).out) as Listed;
    await expect
      .poll(async () => (await listed()).schedules[0]?.nights[0]?.state, { timeout: 60_000, interval: 500 })
      .toBe("done");
    const [schedule] = (await listed()).schedules;
    expect(schedule?.nights, worker.err()).toMatchObject([{ state: "done", exitCode: 0, byHand: true }]);
    expect(schedule?.nights[0]?.batch).toMatch(/^both-/);
    expect(schedule?.home?.name).toBe("mill");
    expect(service.received).toHaveLength(5);
    expect(existsSync(join(worker.folder, "nights/results/tandem.db"))).toBe(true);
    expect((await tandem.run("schedule")).out).toMatch(
      /nightly +30 1 \* \* \* +Europe\/Berlin .*exit code 0, both-.* mill/,
    );
    worker.child.kill("SIGTERM");
    expect(await worker.ended).toBe(143);
  },
  120_000,
);

test("what cannot be a schedule is refused before anything is stored, with what is wrong", async () => {
  const url = await testDatabase();
  const tandem = new Tandem()
    .file("sheets/p.csv", prompts(5))
    .file("suite.yaml", suiteAt("https://bots.example"))
    .file("lost.yaml", suiteAt("https://bots.example").replace("sheets/p.csv", "sheets/none.csv"))
    .file(
      "code.yaml",
      suiteAt("https://bots.example").replace(
        "{ type: contains, value: answer }",
        "{ type: command, name: mine, command: ./grade.sh }",
      ),
    )
    .file("variable.yaml", suiteAt("${PROD_URL}"))
    .file("local.yaml", suiteAt("local:bots"))
    .file("below/up.yaml", suiteAt("https://bots.example").replace("sheets/p.csv", "../sheets/p.csv"))
    .env({ TANDEM_WORKERS: url });
  const refused = async (message: RegExp, suite: string, ...flags: string[]): Promise<void> => {
    const { code, err, out } = await tandem.run("schedule", "add", "nightly", suite, ...flags);
    expect(`${err}${out}`).toMatch(message);
    expect(code).toBe(2);
  };
  await refused(/field 2 \(hour\) "25"/, "suite.yaml", "--cron", "0 25 * * *");
  await refused(/no "Europe\/Berln"/, "suite.yaml", "--cron", "0 1 * * *", "--tz", "Europe/Berln");
  await refused(/sheets\/none\.csv.*no such file.*Nothing was stored/s, "lost.yaml", ...times);
  await refused(/runs code/, "code.yaml", ...times);
  await refused(/p\.csv.*leads out of the folder/s, "below/up.yaml", ...times);
  await refused(/base_url of prod from the variable PROD_URL/, "variable.yaml", ...times);
  await refused(/runs prod from a folder/, "local.yaml", ...times);
  for (const [message, ...flags] of [
    ["--allow-env is for scheduled nights: it needs --nights.", "--allow-env", "HOOK"],
    ['--allow-env takes the name of a variable; "A,B" is none.', "--allow-env", "A,B", "--nights", "nights"],
  ] as const) {
    const { code, err } = await tandem.run("worker", "--address", "https://bots.example", ...flags);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
  }
  await refused(/env:NAME/, "suite.yaml", ...times, "--notify", "https://hooks.example/secret");
  await refused(/no other can take its place/, "suite.yaml", ...times, "--against", "release", "--take-over", "1h");
  const db = await openTest(url);
  expect(await db.query("SELECT FROM tandem.schedule")).toEqual([]);
  const { out } = await tandem.run("schedule");
  expect(out).toContain("Nothing is scheduled.");
  expect(out).toContain("No worker spends nights");
}, 120_000);

/** A schedule whose night somebody spent who gave the last sign so long ago. */
async function withHome(silentMs: number, ...flags: string[]) {
  const url = await testDatabase();
  const db = await openTest(url);
  const tandem = new Tandem()
    .file("sheets/p.csv", prompts(5))
    .file("suite.yaml", suiteAt("https://bots.example"))
    .env({ TANDEM_WORKERS: url });
  expect((await tandem.run("schedule", "add", "nightly", "suite.yaml", ...times, ...flags)).code).toBe(0);
  const seen = (name: string, before: number): Promise<{ id: string }[]> =>
    db.query(
      "INSERT INTO tandem.night_home (id, name, host, seen_at) VALUES (gen_random_uuid(), $1, 'x', tandem.now_ms() - $2::bigint) RETURNING id",
      [name, before],
    );
  const [home] = await seen("mill", silentMs);
  await seen("barn", 0);
  await db.query("UPDATE tandem.schedule SET home = $1", [home?.id]);
  return { tandem, db, home: home?.id ?? "" };
}

test("a night that is asked for while its home is away says so, and who takes it when", async () => {
  const minute = 60_000;
  const said = async (silentMs: number, ...flags: string[]): Promise<string> => {
    const { tandem } = await withHome(silentMs, ...flags);
    const { code, out, err } = await tandem.run("schedule", "run", "nightly");
    expect(code, err).toBe(0);
    return out;
  };
  const [there, away, late, never] = await Promise.all([
    said(0),
    said(20 * minute),
    said(90 * minute),
    said(90 * minute, "--take-over", "never"),
  ]);
  expect(there).toContain("nightly: mill (it has the history) begins within seconds");
  expect(away).toMatch(/nightly: mill \(it has the history\) is away, without a sign for 20 min \d+ s\./);
  expect(away).toMatch(
    /begins when mill is back; from \d{4}-\d\d-\d\d \d\d:\d\d.* on barn takes its place, and its history begins anew there/,
  );
  expect(away).toContain("If nobody has begun within 12 h 0 min, the night is missed.");
  expect(away).not.toContain("within seconds");
  expect(late).toContain("Its time is over (1 h 0 min): barn takes its place within seconds");
  expect(never).toContain("No other worker may take its place: the night begins when mill is back.");
}, 120_000);

test("a schedule that is removed says what becomes of its nights: one that waits, and one of a home that is away", async () => {
  const { tandem, db, home } = await withHome(5 * 60_000);
  await tandem.run("schedule", "run", "nightly");
  await db.query(
    "INSERT INTO tandem.night (schedule, due_at, by_hand, state, home, seen_at) SELECT id, tandem.now_ms() - 1000, true, 'running', $1, tandem.now_ms() - 300000 FROM tandem.schedule",
    [home],
  );
  const { out, code } = await tandem.run("schedule", "remove", "nightly");
  expect(code).toBe(0);
  expect(out).toContain("nightly is removed.");
  expect(out).toContain("mill, which had begun a night, is away: nothing more of it is sent.");
  expect(out).toContain("The night that waited is not spent.");
}, 120_000);

slowTest(
  "a schedule that is removed while it runs stops the night, and says where the rest can be gone on with",
  async () => {
    const url = await testDatabase();
    const db = await openTest(url);
    const service = await startService(({ prompt }) => ({ ...record(`answer to ${prompt}`), delayMs: 300 }));
    const tandem = new Tandem()
      .file("sheets/p.csv", prompts(100))
      .file("suite.yaml", suiteAt(service.url).replace("TANDEM_API_KEY }", "TANDEM_API_KEY, concurrency: 2 }"))
      .env({ TANDEM_WORKERS: url, TANDEM_API_KEY: "sk-test-0123456789" });
    const env = { TANDEM_API_KEY: "sk-test-0123456789" };
    const home = await startWorker(url, { args: ["--nights", "nights", "--name", "mill"], env });
    const other = await startWorker(url, { args: ["--name", "barn"], env });
    tandem.file("other.yaml", tandem.text("suite.yaml").replace("name: both", "name: other"));
    const begun = async (name: string, suite: string): Promise<void> => {
      expect((await tandem.run("schedule", "add", name, suite, ...times)).code).toBe(0);
      const before = service.received.length;
      await tandem.run("schedule", "run", name);
      await expect.poll(() => service.received.length - before, { timeout: 60_000 }).toBeGreaterThan(4);
    };
    const states = async (): Promise<string[]> =>
      (await db.query<{ state: string }>("SELECT state FROM tandem.batch ORDER BY no")).map(({ state }) => state);

    await begun("nightly", "suite.yaml");
    const { out } = await tandem.run("schedule", "remove", "nightly");
    expect(out).toContain("mill stops the night that it spends within seconds");
    const [, name = ""] = /in the folder of mill: `tandem resume (both-\S+) --workers URL`/.exec(out) ?? [];
    expect(name).not.toBe("");
    await expect.poll(states, { timeout: 60_000 }).toEqual(["stopped"]);
    await expect.poll(() => home.err()).toContain("schedule nightly: it was removed: its night is stopped");
    await expect.poll(() => home.err()).toContain("the night was stopped: `tandem resume` in this folder resumes it");
    expect(home.err()).not.toContain("taken the night over");

    // The same, but its home is away: the other worker would go on sending for nobody.
    await begun("weekly", "other.yaml");
    home.child.kill("SIGKILL");
    await home.ended;
    await db.query("UPDATE tandem.night_home SET seen_at = seen_at - 61000");
    const away = await tandem.run("schedule", "remove", "weekly", "--json");
    expect(JSON.parse(away.out)).toMatchObject({ removed: { batches: [{ worker: "mill", stopped: true }] } });
    await expect.poll(states, { timeout: 60_000 }).toEqual(["stopped", "stopped"]);
    expect(other.child.exitCode).toBeNull();
    expect(service.received.length).toBeLessThan(200);
  },
  240_000,
);

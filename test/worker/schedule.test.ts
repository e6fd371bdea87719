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
    .file(".env", "TANDEM_SECRET=https://one.example\nSLACK_WEBHOOK=https://two.example\n")
    .env({ TANDEM_WORKERS: "postgres://me:secret@127.0.0.1:1/x", HTTPS_PROXY: "http://me:secret@proxy.example" });
  const night = (listed: string) =>
    tandem.env({ TANDEM_NIGHT_VARIABLES: listed }).run("night", "suite.yaml", "--workers");
  for (const name of ["HTTPS_PROXY", "TANDEM_WORKERS", "TANDEM_SECRET", "SLACK_WEBHOOK", "PATH"]) {
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

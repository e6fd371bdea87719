import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/store/database.ts";
import { BatchEntries } from "../../src/viewer/server/home/batch-entries.ts";
import { record, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

const suite = (url: string): string => `name: desk
dataset: p.csv
case: { key: id }
deployments: { here: { base_url: "${url}", api_key_env: TANDEM_API_KEY } }
targets: { prod: { deployment: here, endpoint: video-bots, example_id: a } }
scorers: [{ type: not-empty }]
reports: [json]
`;

/** So many that reading them takes a second or more. */
const many = prompts(300_000);

const states = (tandem: Tandem): string[] =>
  tandem.has("results/tandem.db")
    ? tandem.query<{ state: string }>("SELECT state FROM batch WHERE origin IS NULL").map(({ state }) => state)
    : [];

/** A folder with a finished batch, and one whose process was killed while it read its dataset; `meanwhile` is done before. */
async function unread(meanwhile = async (_tandem: Tandem): Promise<void> => {}) {
  const service = await startService(({ prompt }) => record(prompt));
  const tandem = new Tandem().file("p.csv", prompts(2)).file("suite.yaml", suite(service.url));
  expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
  tandem.file("p.csv", many);
  const { child, ended } = tandem.start("run", "suite.yaml");
  while (!states(tandem).includes("reading")) await sleep(2);
  // A few pages of cases are stored by then.
  while (tandem.query('SELECT 1 FROM "case" LIMIT 3').length < 3) await sleep(2);
  await meanwhile(tandem);
  child.kill("SIGKILL");
  expect((await ended).signal).toBe("SIGKILL");
  expect(states(tandem)).toEqual(["finished", "reading"]);
  const [good, bad] = tandem.query<{ name: string }>("SELECT name FROM batch ORDER BY id").map(({ name }) => name);
  return { tandem, good: good ?? "", bad: bad ?? "", service };
}

const nothingSent = "its dataset was being read: nothing was sent";

test("a batch whose process was killed while it read the dataset is named, goes nowhere, and can be removed", async () => {
  const { tandem, bad, good, service } = await unread(async (reading) => {
    const early = await reading.run("compare", "latest");
    expect([early.code, early.err]).toEqual([
      2,
      expect.stringMatching(/desk-\S+ still reads its dataset \(process \d+/),
    ]);
  });
  const { out } = await tandem.run("batches");
  expect(out).toMatch(new RegExp(`^${bad}  killed .* ${nothingSent}$`, "m"));
  expect((await tandem.run("batches", "show", bad)).out).toContain(nothingSent);
  expect(JSON.parse((await tandem.run("batches", "--json")).out).batches[1]).toMatchObject({
    name: bad,
    state: "killed",
    reason: nothingSent,
  });
  const db = openDatabase(join(tandem.folder, "results/tandem.db"), { reading: true });
  expect(new BatchEntries(db).list().batches[0]).toMatchObject({ name: bad, state: "killed", reason: nothingSent });
  db.close();
  const refused = `${bad} was killed while it read its dataset: nothing was sent.`;
  for (const line of [["resume"], ["resume", bad], ["compare"], ["report"], ["score"], ["pin", bad, "--as", "base"]]) {
    const { code, err } = await tandem.run(...line);
    expect([line, code, err]).toEqual([line, 2, expect.stringContaining(refused)]);
    expect(err).toContain(`\`tandem batches remove ${bad}\``);
    // It is not said that a key goes anywhere.
    expect(err).not.toContain("TANDEM_API_KEY");
  }
  expect(tandem.has(`results/${bad}`)).toBe(false);
  const removed = await tandem.run("batches", "remove", bad, "--yes");
  expect(removed.out).toContain(`killed, 0 jobs  ${nothingSent}`);
  expect(tandem.query('SELECT count(*) AS n FROM "case"')).toEqual([{ n: 2 }]);
  expect(JSON.parse((await tandem.run("batches", "--json")).out).batches).toMatchObject([{ name: good }]);
  expect(service.received).toHaveLength(2);
});

test("what is left of it goes with any pruning, takes the place of no batch that is kept, and goes before the next run", async () => {
  const { tandem, good, bad } = await unread();
  const { out } = await tandem.run("batches", "prune", "--keep", "1", "--yes");
  expect(out).toContain(bad);
  expect(tandem.query("SELECT name FROM batch")).toEqual([{ name: good }]);
  await tandem.killWhen(() => states(tandem).includes("reading"), "run", "suite.yaml");
  const [, next] = tandem.query<{ name: string }>("SELECT name FROM batch ORDER BY id");
  tandem.file("p.csv", prompts(2));
  const { code, err } = await tandem.run("run", "suite.yaml");
  expect(code, err).toBe(0);
  expect(err).toContain(
    `${next?.name} was killed while it read its dataset, and nothing of it was sent: it is removed.`,
  );
  expect(states(tandem)).toEqual(["finished", "finished"]);
});

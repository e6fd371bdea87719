import { statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { prompts, runAt, Tandem } from "./tandem.ts";

const tables = ["attempts", "run_records", "scores", "judgements"] as const;

/** Everything that is told of a batch, in an order that removing others does not change. */
const toldOf = (tandem: Tandem, batch: string): unknown =>
  tables.map((table) => tandem.query(`SELECT * FROM ${table} WHERE batch = ?`, batch));

const namesIn = (tandem: Tandem): string[] =>
  tandem.query<{ name: string }>("SELECT name FROM batch WHERE origin IS NULL ORDER BY id").map(({ name }) => name);

function check(tandem: Tandem): void {
  const db = new Database(join(tandem.folder, "results", "tandem.db"));
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  expect(db.pragma("foreign_key_check")).toEqual([]);
  db.close();
}

/** Batches of a suite with a judge, which is asked once: later batches take over what it replied to the first. */
async function nights(count: number): Promise<Tandem> {
  const prod = await startService(({ prompt }) => record(`${prompt} ${"x".repeat(20_000)}`));
  const judge = await startService(() => record('{"score": 1, "reason": "fine"}'));
  const tandem = new Tandem().file("p.csv", prompts(12)).file(
    "suite.yaml",
    `name: nightly
dataset: p.csv
deployments:
  prod: { base_url: "${prod.url}", api_key_env: TANDEM_API_KEY }
  bench: { base_url: "${judge.url}", api_key_env: TANDEM_API_KEY }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
judges: { strict: { deployment: bench, endpoint: video-bots, example_id: judge } }
scorers: [{ name: helpful, type: judge, target: strict }]
`,
  );
  for (let night = 1; night <= count; night++) {
    const { code, err } = await tandem.run("run", "suite.yaml", "--quiet");
    expect(code, err).toBe(0);
  }
  expect(judge.received).toHaveLength(12 + count);
  return tandem;
}

describe("removing batches", () => {
  test("takes what is named, gives its room back, and leaves the journal of the others as it was", async () => {
    const tandem = await nights(3);
    const [first = "", second = "", third = ""] = namesIn(tandem);
    const before = [second, third].map((name) => toldOf(tandem, name));
    const size = statSync(join(tandem.folder, "results/tandem.db")).size;
    const shown = await tandem.run("batches", "remove", first);
    expect(shown).toMatchObject({ code: 2, out: expect.stringContaining(first) });
    expect(shown.err).toContain("--yes");
    expect(namesIn(tandem)).toEqual([first, second, third]);
    const { code, out, err } = await tandem.run("batches", "remove", first, "--yes");
    expect(code, err).toBe(0);
    // Nothing waits beside the file.
    expect(tandem.has("results/tandem.db-wal")).toBe(false);
    expect(out).toMatch(/Removed 1 batch\. 0\.\d MB were given back/);
    expect(namesIn(tandem)).toEqual([second, third]);
    expect([second, third].map((name) => toldOf(tandem, name))).toEqual(before);
    expect(statSync(join(tandem.folder, "results/tandem.db")).size).toBeLessThan(size - 200_000);
    check(tandem);
    // Replies that nobody needs any more go with the last who needed them.
    expect((await tandem.run("batches", "remove", second, third, "--yes")).code).toBe(0);
    for (const table of ["batch", "target", '"case"', "job", "attempt", "run_record", "question", "asked", "score"])
      expect(tandem.query(`SELECT * FROM ${table}`), table).toEqual([]);
    check(tandem);
    expect((await tandem.run("batches")).out).toContain("No batch");
  });

  test("prune leaves the latest, the young, the pinned and what others were compared with", async () => {
    const tandem = await nights(5);
    const [first = "", second = "", third = "", fourth = "", fifth = ""] = namesIn(tandem);
    expect((await tandem.run("pin", first, "--as", "release")).code).toBe(0);
    const db = new Database(join(tandem.folder, "results/tandem.db"));
    db.prepare("UPDATE batch SET created_at = created_at - 100 * 86400000 WHERE id <= 4").run();
    db.prepare("UPDATE batch SET against = ? WHERE name = ?").run(second, fifth);
    db.prepare("INSERT INTO compared_with (batch_id, place, other_id) VALUES (5, 0, 2)").run();
    db.close();
    expect((await tandem.run("batches", "prune", "--keep", "5", "--yes")).out).toContain("Nothing is to be removed");
    expect((await tandem.run("batches", "prune", "--older-than", "101d", "--yes")).out).toContain("Nothing is");
    const { code, out, err } = await tandem.run(
      "batches",
      "prune",
      "--keep",
      "1",
      "--older-than",
      "90d",
      "--yes",
      "--json",
    );
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      removed: [{ name: third, jobs: 12 }, { name: fourth }],
      staying: [
        { name: first, reason: "the pin release holds it" },
        { name: second, reason: `${fifth} was compared with it` },
      ],
    });
    expect(namesIn(tandem)).toEqual([first, second, fifth]);
    expect(await tandem.run("batches", "remove", first, "--yes")).toMatchObject({ code: 2 });
    expect((await tandem.run("compare", fifth, "--against", "release")).code).toBe(0);
    check(tandem);
  });

  test("that was broken off is finished by the next, and no batch that runs is touched", async () => {
    const tandem = await nights(2);
    const [first = "", second = ""] = namesIn(tandem);
    const db = new Database(join(tandem.folder, "results/tandem.db"));
    db.exec("UPDATE batch SET origin = 'removed', name = 'removed 1 x', suite_name = '' WHERE id = 1");
    db.close();
    const hanging = await startService(() => ({ act: "hang" }));
    tandem.start(...runAt({ prod: hanging }, "-q", "--no-preflight"));
    await expect.poll(() => hanging.received.length).toBe(4);
    const refused = await tandem.run("batches", "remove", "latest", "--yes");
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("is working on it") });
    expect((await tandem.run("batches", "remove", second, "--yes")).code).toBe(0);
    expect(namesIn(tandem)).not.toContain(first);
    expect(namesIn(tandem)).toHaveLength(1);
    expect(tandem.query("SELECT count(*) AS n FROM sending")).toEqual([{ n: 4 }]);
  });

  test.each([
    [["prune"], "--keep 30"],
    [["prune", "--keep", "x"], "--keep"],
    [["prune", "--older-than", "soon"], "--older-than"],
    [["prune", "latest", "--keep", "1"], "no names"],
    [["remove"], "names of batches"],
  ])("batches %s is told what is wrong with it", async (args, words) => {
    const { code, err } = await new Tandem().run("batches", ...args, "--yes");
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
});

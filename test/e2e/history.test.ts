import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const dayMs = 86_400_000;

/** Copies the only batch as so many nights before it, a day apart: as if it had run then, and come to the same. */
function nightsBefore(tandem: Tandem, count: number): void {
  const db = new Database(join(tandem.folder, "results", "tandem.db"));
  const columnsOf = (table: string): string =>
    db
      .prepare<[string], string>(
        "SELECT group_concat('\"' || name || '\"') FROM pragma_table_info(?) WHERE name NOT IN ('id', 'batch_id')",
      )
      .pluck()
      .get(table) ?? "";
  const own = columnsOf("batch");
  // The real one becomes the last: ids are in the order of the nights.
  for (let night = 1; night <= count; night++) {
    db.prepare(
      `INSERT INTO batch (${own}) SELECT ${own.replace('"name"', "name || '-' || ?")} FROM batch WHERE id = 1`,
    ).run(night);
    for (const table of ["target", "scoring", "comparison"]) {
      const columns = columnsOf(table);
      db.exec(
        `INSERT INTO ${table} (batch_id, ${columns}) SELECT ${night + 1}, ${columns} FROM ${table} WHERE batch_id = 1`,
      );
    }
  }
  db.prepare("UPDATE batch SET created_at = created_at - ? * (? - id + 2)").run(dayMs, count);
  db.close();
}

const hashOf = (tandem: Tandem): string =>
  createHash("sha256")
    .update(readFileSync(join(tandem.folder, "results", "tandem.db")))
    .digest("hex");

describe("the nights of a suite", () => {
  test("a change is told by the run that notices it and by history, until somebody acknowledges it", async () => {
    let says = "yes";
    const prod = await startService(() => record(says));
    const rows = Array.from({ length: 20 }, (_, row) => `k${row},prompt ${row},yes`);
    const tandem = new Tandem().file("p.csv", `id,input_prompt,expected\n${rows.join("\n")}\n`).file(
      "tandem.yaml",
      `name: nightly
dataset: p.csv
deployments: { prod: { base_url: "${prod.url}", api_key_env: TANDEM_API_KEY } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers: [{ name: correct, type: contains }]
`,
    );
    expect((await tandem.run("run", "--quiet")).code).toBe(0);
    nightsBefore(tandem, 19);

    const quiet = await tandem.run("history");
    expect(quiet.err).toContain("suite: tandem.yaml of this folder");
    expect(quiet.out).toContain("nightly  20 runs");
    expect(quiet.out).toContain("No alarm.");

    says = "no";
    const reported = await tandem.run("run", "--json", "--notify-command", "cat > told.json");
    expect(reported.code, reported.err).toBe(0);
    const sentence =
      /^`correct` of prod has been lower since the run of \d+ \w+(, [\d:]+)?: 100 % before, 0 % since \(averages of runs\)\. It was noticed on /;
    const run = JSON.parse(reported.out) as {
      batch: string;
      alarms: { state: string; thing: string; sentence: string }[];
    };
    const ofMetric = run.alarms.find(({ thing }) => thing === "metric");
    expect(ofMetric).toMatchObject({ state: "new", sentence: expect.stringMatching(sentence) });
    expect(JSON.parse(tandem.text("told.json"))).toMatchObject({
      alarms: expect.arrayContaining([{ state: "new", sentence: ofMetric?.sentence }]),
    });
    for (const file of ["report.md", "report.json"]) {
      expect(tandem.text(`results/${run.batch}/${file}`)).toContain("has been lower since the run of");
    }

    const before = hashOf(tandem);
    const whole = await tandem.run("history", "nightly", "--last", "2", "--json");
    const history = JSON.parse(whole.out) as {
      nights: { batch: string }[];
      alarms: { thing: string; state: string; changed: { day: string } }[];
    };
    expect(history.nights).toHaveLength(2);
    const alarm = history.alarms.find(({ thing }) => thing === "metric");
    expect(alarm).toMatchObject({ state: "new" });
    const [header, ...lines] = (await tandem.run("history", "nightly", "-o", "-")).out.trim().split("\n");
    expect(header).toMatch(/^night,batch,started_at,state,verdict,.*prod\.metric,prod\.value/);
    expect(lines).toHaveLength(21);
    expect(hashOf(tandem)).toBe(before);

    const day = alarm?.changed.day ?? "";
    expect(await tandem.run("history", "--acknowledge", day)).toMatchObject({
      code: 2,
      err: expect.stringContaining("--note"),
    });
    const said = await tandem.run("history", "--acknowledge", day, "--note", "new prompt", "--author", "ana");
    expect(said.code, said.err).toBe(0);
    expect(said.out).toContain("new prompt");
    const after = await tandem.run("history");
    expect(after.out).toContain("It is acknowledged.");
    expect(after.out).toContain(`Known since ${day.slice(0, 10)}: new prompt (ana, `);
    expect(after.out).not.toMatch(/has been lower/);
    const takenBack = await tandem.run("history", "--acknowledge", day, "--remove");
    expect(takenBack, takenBack.err).toMatchObject({ code: 0, out: expect.stringContaining("any more.\n") });
    expect((await tandem.run("history")).out).toMatch(/has been lower/);
  });

  test("a suite that nobody ran, and flags that say nothing, are told with what to do", async () => {
    const prod = await startService(() => record("yes"));
    const tandem = new Tandem().file("p.csv", "id,input_prompt\na,b\n");
    await tandem.run("run", "p.csv", "--deployment", `prod=${prod.url}`, "--example-id", "a", "--quiet");
    expect(await tandem.run("history", "other")).toMatchObject({
      code: 2,
      err: expect.stringContaining("tandem batches"),
    });
    expect((await tandem.run("history", "p", "--last", "0")).err).toContain("--last takes a whole number");
    expect((await tandem.run("history", "p", "--since", "yesterday")).err).toContain("--since takes a day");
    expect((await tandem.run("history", "p", "--note", "x")).err).toContain("--note needs --acknowledge.");
    expect((await tandem.run("history")).err).toContain("suite: p, the only one in results");
    expect((await new Tandem().run("history")).err).toContain("No suite is named");
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { hashText } from "../../src/lib/hash.ts";
import { type Reply, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const suite = (url: string): string => `
name: desk
dataset: [a.csv, b.csv]
case: { key: id, input: { input_prompt: question }, cluster: talk, turn: turn, tags: [language] }
deployments: { prod: { base_url: "${url}" }, test: { base_url: "${url}" } }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: b }
compare: { baseline: prod, noise_repeats: 2 }
`;

const header = "id,talk,turn,language,question";
const talks = [1, 2, 3].flatMap((turn) =>
  Array.from({ length: 8 }, (_, i) => `t${i}-${turn},talk ${i},${turn},hi,प्रश्न ${i} ${turn}`),
);
const singles = Array.from({ length: 9 }, (_, i) => `s${i},,1,en,single ${i}`);

/** The same body for the same request, on every machine: one request fails. */
function answer({ path, body, prompt }: { path: string; body: string; prompt: string }): Reply {
  if (prompt === "single 3" && path.endsWith("b")) return { status: 422, body: '{"detail":[]}' };
  const id = hashText(path + body, 12);
  const text = `${path.endsWith("b") ? "b" : "a"} says ${hashText(body, 4)} 🙂`;
  return {
    body: JSON.stringify({
      id,
      url: `https://bots.example.test/?run_id=${id}`,
      created_at: "2026-11-20T19:30:12+00:00",
      output: { output_text: [text], raw_output_text: [text] },
    }),
  };
}

async function desk() {
  const service = await startService(answer);
  return new Tandem()
    .file("suite.yaml", suite(service.url))
    .file("a.csv", [header, ...talks].join("\n"))
    .file("b.csv", [header, ...singles].join("\n"));
}

/** The content of a batch, without the numbers of rows and the times. */
function contents(tandem: Tandem, out: string): unknown {
  const db = new Database(join(tandem.folder, out, "tandem.db"), { readonly: true });
  try {
    const ask = (sql: string): unknown[] => db.prepare(sql).all();
    return {
      batch: ask("SELECT suite, seed, selection, dataset_hash, columns, state, reason FROM batch"),
      cases: ask(
        'SELECT key, input, input_hash, cluster, turn, rank, tags, columns, file, row, line, place FROM "case" ORDER BY id',
      ),
      jobs: ask(
        `SELECT "case".key, target.name, job.repeat, job.outcome, job.answer, job.attempt, waited.key AS waits_for
         FROM job JOIN "case" ON "case".id = job.case_id JOIN target ON target.id = job.target_id
         LEFT JOIN job AS earlier ON earlier.id = job.waits_for LEFT JOIN "case" AS waited ON waited.id = earlier.case_id ORDER BY job.id`,
      ),
      records: ask(
        `SELECT attempt.outcome, attempt.answer, attempt.redacted, run_record.id, url, created_at, hex(body)
         FROM attempt LEFT JOIN run_record USING (record) ORDER BY job_id, number`,
      ),
      attempts: ask(
        "SELECT case_key, target, repeat, number, outcome, status, error, possibly_paid FROM attempts ORDER BY job_id, number",
      ),
      broken: [...ask("PRAGMA foreign_key_check"), ...ask("PRAGMA integrity_check")],
    };
  } finally {
    db.close();
  }
}

function table(tandem: Tandem, out: string): string[][] {
  const db = new Database(join(tandem.folder, out, "tandem.db"), { readonly: true });
  const name = db.prepare<[], string>("SELECT name FROM batch").pluck().get() ?? "";
  db.close();
  const rows = readFileSync(join(tandem.folder, out, name, "comparison.csv"), "utf8")
    .trimEnd()
    .split(/\r?\n/);
  const [first = []] = rows.map((row) => row.split(","));
  const timeless = first.flatMap((column, index) => (/_ms$|_at$|seconds|latency/.test(column) ? [] : [index]));
  return rows.map((row) => timeless.map((index) => row.split(",")[index] ?? ""));
}

describe("tandem merge", () => {
  test("of shards in any order is the batch that was not sharded: cases, plan, records, comparison", async () => {
    const tandem = await desk();
    for (const part of [1, 2, 3]) {
      const { code } = await tandem.run("run", "suite.yaml", "--shard", `${part}/3`, "--results", `part-${part}`);
      expect(code).toBe(0);
    }
    expect((await tandem.run("run", "suite.yaml", "--results", "whole")).code).toBe(0);
    const merged = await tandem.run("merge", "part-3", "part-1/tandem.db", "part-2", "--results", "merged", "--json");
    expect(merged.err).toBe("");
    expect(merged.code).toBe(0);
    expect(JSON.parse(merged.out)).toMatchObject({ state: "finished" });
    expect(contents(tandem, "merged")).toEqual(contents(tandem, "whole"));
    expect(table(tandem, "merged")).toEqual(table(tandem, "whole"));
    expect(table(tandem, "merged")).toHaveLength(34);

    const again = await tandem.run("merge", "part-1", "part-2", "merged", "--results", "twice");
    expect(again.code).toBe(2);
    expect(again.err).toContain("has --shard 1/3, and merged has every case");
  });

  test("refuses overlaps, other suites, other datasets and other selections in words, and leaves nothing behind", async () => {
    const tandem = await desk();
    const run = (out: string, ...flags: string[]) =>
      tandem.run("run", "suite.yaml", "--results", out, "--grep", "single", ...flags);
    await run("one", "--shard", "1/2");
    await run("same", "--shard", "1/2");
    await run("seed", "--shard", "2/2", "--seed", "9");
    tandem.file("b.csv", [header, ...singles, "new,,1,en,single new"].join("\n"));
    tandem.file(
      "suite.yaml",
      readFileSync(join(tandem.folder, "suite.yaml"), "utf8").replace("example_id: b", "example_id: c"),
    );
    await run("other", "--shard", "2/2");
    const refused = async (...parts: string[]): Promise<string> => {
      const { code, err } = await tandem.run("merge", ...parts, "--results", "merged");
      expect(code).toBe(2);
      return err;
    };
    const overlap = await refused("one", "same");
    expect(overlap).toMatch(/ of the jobs have a result in more than one part:\n {2}"s\d" on prod: in one and same/);
    expect(await refused("one", "seed")).toContain("differ in the seed (1 and 9)");
    expect(await refused("one", "other")).toContain("differ in the targets, the dataset");
    expect(await refused("one", "one")).toContain("are the same batch");
    const db = new Database(join(tandem.folder, "merged", "tandem.db"), { readonly: true });
    expect(db.prepare("SELECT count(*) AS n FROM batch").get()).toEqual({ n: 0 });
    expect(db.prepare("SELECT count(*) AS n FROM run_record").get()).toEqual({ n: 0 });
    db.close();
  });

  test("of shards that were compared with a pin is compared with it too, and brings it along", async () => {
    const tandem = await desk();
    await tandem.run("run", "suite.yaml", "--results", "base");
    await tandem.run("pin", "latest", "--as", "release-12", "--results", "base");
    await tandem.run("pin", "release-12", "--export", "release-12.jsonl", "--results", "base");
    for (const part of [1, 2]) {
      const args = ["--shard", `${part}/2`, "--results", `part-${part}`, "--against", "release-12.jsonl"];
      await tandem.run("run", "suite.yaml", ...args);
    }
    await tandem.run("run", "suite.yaml", "--shard", "2/2", "--results", "alone");
    const mixed = await tandem.run("merge", "part-1", "alone", "--results", "merged");
    expect(mixed).toMatchObject({
      code: 2,
      err: expect.stringContaining("differ in what they are compared with (pin-release-12-"),
    });
    const { out, err } = await tandem.run("merge", "part-1", "part-2", "--results", "merged", "--json");
    expect(err).toContain("release-12 was not here: its answers and scores were taken over from part-1.");
    expect(JSON.parse(out)).toMatchObject({
      comparison: {
        candidates: [
          { candidate: "prod", baseline: "release-12:prod", pairing: { paired: 33 }, answerDiffers: 0 },
          { candidate: "test", baseline: "release-12:test", pairing: { paired: 33 }, answerDiffers: 0 },
        ],
      },
    });
    // Batches that are known there are not brought again.
    const home = await tandem.run("merge", "part-1", "part-2", "--results", "part-1", "--json");
    expect(home.err).toBe("");
    expect(JSON.parse(home.out)).toMatchObject({ state: "finished" });
  });

  test("takes parts of one folder, says which shard is missing, and resumes what was not finished", async () => {
    const tandem = await desk();
    await tandem.run("run", "suite.yaml", "--shard", "1/3");
    await tandem.run("run", "suite.yaml", "--shard", "2/3", "--budget", "5");
    const parts = ["results:desk~1", "results:desk"];
    const refused = await tandem.run("merge", ...parts, "--results", "merged");
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("is not finished");
    const { code, err } = await tandem.run("merge", ...parts, "--allow-unfinished");
    expect(err).toContain("--shard 3/3");
    expect([0, 3, 4]).toContain(code);
    expect(tandem.query("SELECT selection ->> '$.shard' AS shard FROM batch ORDER BY id DESC LIMIT 1")).toEqual([
      { shard: '{"parts":[1,2],"of":3}' },
    ]);
    const last = (): unknown =>
      tandem.query(
        "SELECT state, (SELECT count(*) FROM job WHERE batch_id = batch.id AND outcome IS NULL) AS left FROM batch ORDER BY id DESC LIMIT 1",
      )[0];
    expect(last()).toMatchObject({ state: "stopped" });
    await tandem.run("resume");
    expect(last()).toEqual({ state: "finished", left: 0 });
  });
});

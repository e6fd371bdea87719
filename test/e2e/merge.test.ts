import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { hashText } from "../../src/lib/hash.ts";
import { pageSummary } from "../report/html-file.ts";
import { record, type Reply, startService } from "./service.ts";
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

/** The same bots with answers that are expected, so that something decides. */
const decidingSuite = (url: string): string => `
name: desk
dataset: a.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { desk: { base_url: "${url}" } }
targets:
  prod: { deployment: desk, endpoint: video-bots, example_id: a }
  test: { deployment: desk, endpoint: video-bots, example_id: b }
scorers: [{ name: correct, type: contains, primary: true }]
gates: [{ metric: correct, margin: 0.15 }]
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

/** A sheet of labels in which every answer is called good. */
function allGood(sheet: string): string {
  const [head = [], ...rows] = parse(sheet, { bom: true });
  const filled = rows.map((cells) => cells.with(head.indexOf("label"), "good"));
  return [head, ...filled].map((cells) => cells.map((cell) => JSON.stringify(cell)).join(",")).join("\n");
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
    const { code, out } = await tandem.run("merge", ...parts, "--allow-unfinished");
    expect(out).toContain("--shard 3/3 is missing");
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

describe("tandem merge of parts of which one is missing", () => {
  /** Three parts of a suite that decides, of which only these are merged. */
  async function parts(...flags: string[]) {
    const service = await startService(({ path, prompt }) =>
      record(path.endsWith("b") && prompt === "q 7" ? "wrong" : "right"),
    );
    const rows = Array.from({ length: 90 }, (_, i) => `k${i},q ${i},right`);
    const tandem = new Tandem()
      .file("suite.yaml", decidingSuite(service.url))
      .file("a.csv", ["id,question,golden", ...rows].join("\n"));
    for (const part of [1, 2, 3]) {
      await tandem.run("run", "suite.yaml", ...flags, "--shard", `${part}/3`, "--results", `part-${part}`);
    }
    const countIn = (out: string): number => {
      const db = new Database(join(tandem.folder, out, "tandem.db"), { readonly: true });
      const cases = db.prepare<[], number>('SELECT count(*) FROM "case"').pluck().get() ?? 0;
      db.close();
      return cases;
    };
    return { tandem, missing: countIn("part-2"), service };
  }

  const file = (tandem: Tandem, name: string): string => {
    const db = new Database(join(tandem.folder, "results", "tandem.db"), { readonly: true });
    const batch = db.prepare<[], string>("SELECT name FROM batch").pluck().get() ?? "";
    db.close();
    return tandem.text(`results/${batch}/${name}`);
  };

  test("is invalid, and every format says which part and how many cases", async () => {
    const { tandem, missing } = await parts();
    const { code, out } = await tandem.run("merge", "part-1", "part-3");
    expect(code).toBe(4);
    const words = `--shard 2/3 is missing among the parts that were merged: ${missing} of 90 rows are not here`;
    const reported = out.replaceAll(/\s+/g, " ");
    expect(reported).toContain(`INVALID ${words}`);
    expect(reported).toContain("Next: merge --shard 2/3 too, or do without it (--partial)");
    expect(file(tandem, "report.md")).toContain(words);
    expect(file(tandem, "junit.xml")).toContain(`<error type="invalid" message="${words}.">`);
    expect(JSON.parse(file(tandem, "report.json"))).toMatchObject({
      verdict: { state: "invalid", sentence: expect.stringContaining(words) },
      validity: { state: "invalid", checks: [{ ok: false, text: `${words}.` }] },
    });
    expect(pageSummary(file(tandem, "report.html")).summary.validity.checks).toEqual([
      { ok: false, text: `${words}.` },
    ]);
    // It is so for whoever compares it later, and for what is compared with it.
    expect((await tandem.run("compare", "latest")).code).toBe(4);
    await tandem.run("run", "suite.yaml");
    const against = await tandem.run("compare", "desk", "--against", "desk~1");
    expect([against.code, against.out.replaceAll(/\s+/g, " ")]).toEqual([4, expect.stringContaining(`: ${words}`)]);
  });

  test("counts with --partial, and every format says what it lacks all the same", async () => {
    const { tandem, missing } = await parts();
    const { code, out } = await tandem.run("merge", "part-1", "part-3", "--partial");
    expect(code).toBe(0);
    const words = `--shard 2/3 is missing among the parts that were merged: ${missing} of 90 rows are not here.`;
    expect(out).toMatch(/^PASS {2}/);
    expect(out.replaceAll(/\s+/g, " ")).toContain(words);
    expect(file(tandem, "report.md")).toContain(words);
    expect(file(tandem, "junit.xml")).toContain(`<property name="cautions" value="${words}"/>`);
    expect(JSON.parse(file(tandem, "report.json"))).toMatchObject({
      verdict: { state: "pass" },
      validity: { state: "valid", isPartial: true },
      cautions: [words],
    });
    expect(out.replaceAll(/\s+/g, " ")).toContain(`of ${90 - missing} rows`);
    expect(pageSummary(file(tandem, "report.html")).summary.cautions).toEqual([words]);
    expect((await tandem.run("compare", "latest")).code).toBe(0);
  });

  test("counts the cases that the other flags select, and what is not compared is invalid too", async () => {
    const { tandem } = await parts("--limit", "30", "--target", "prod");
    const { code, out } = await tandem.run("merge", "part-1", "part-2");
    expect(code).toBe(4);
    expect(out.replaceAll(/\s+/g, " ")).toMatch(
      /--shard 3\/3 is missing among the parts that were merged: \d+ of 30 rows/,
    );
  });

  test("the same parts again are the same night, and all of them take the place of some", async () => {
    const { tandem } = await parts();
    const nights = (): unknown[] => tandem.query("SELECT name, state FROM batch WHERE origin IS NULL");
    const first = await tandem.run("merge", "part-1", "part-3", "--partial");
    const [night] = nights();
    expect(nights()).toHaveLength(1);
    const again = await tandem.run("merge", "part-3", "part-1", "--partial");
    expect(again.err).toContain("These parts were merged before");
    expect([again.code, again.out]).toEqual([first.code, first.out]);
    expect(nights()).toEqual([night]);

    const whole = await tandem.run("merge", "part-1", "part-2", "part-3");
    expect(whole.err).toContain("was merged of some of these parts before: this takes its place.");
    expect(whole.out.replaceAll(/\s+/g, " ")).toContain("of 90 rows");
    expect(nights()).toEqual([night]);
    expect(await tandem.run("merge", "part-1", "part-2", "part-3")).toMatchObject({ code: whole.code, out: whole.out });
    expect(nights()).toEqual([night]);
    expect(tandem.query('SELECT count(*) AS cases FROM "case"')).toEqual([{ cases: 90 }]);
  });

  test("a part that was merged before can be added to what was made of the others", async () => {
    const { tandem } = await parts();
    await tandem.run("merge", "part-1", "part-2");
    const { out, code } = await tandem.run("merge", "results", "part-3");
    expect(code).toBe(0);
    expect(out.replaceAll(/\s+/g, " ")).toContain("of 90 rows");
    expect(tandem.query("SELECT count(*) AS nights FROM batch WHERE origin IS NULL")).toEqual([{ nights: 1 }]);
  });

  test("labels that people gave meanwhile are not thrown away with the night", async () => {
    const { tandem } = await parts();
    await tandem.run("merge", "part-1", "part-3");
    await tandem.run("label", "export", "latest", "--sample", "3", "-o", "labels.csv");
    tandem.file("answered.csv", allGood(tandem.text("labels.csv")));
    await tandem.run("label", "import", "latest", "answered.csv");
    expect(tandem.query<{ labels: number }>("SELECT count(*) AS labels FROM label")[0]?.labels).toBeGreaterThan(0);
    const { err } = await tandem.run("merge", "part-1", "part-2", "part-3");
    expect(err).toContain("stays as a night of its own, because answers, grades or labels were added to it since.");
    expect(tandem.query("SELECT count(*) AS nights FROM batch WHERE origin IS NULL")).toEqual([{ nights: 2 }]);
  });
});

describe("tandem merge of parts to which more was added", () => {
  /** Two parts of a suite with a judge. */
  async function judgedParts() {
    const bot = await startService(({ path, prompt }) =>
      record(path.endsWith("b") ? `${prompt} red, I think` : `${prompt} red`),
    );
    const judge = await startService(() => ({
      ...record('{"score": 1, "verdict": "C", "reason": "fine"}'),
      delayMs: 10,
    }));
    const rows = Array.from({ length: 40 }, (_, i) => `k${i},q ${i},q ${i} red`);
    const tandem = new Tandem().file("a.csv", ["id,question,golden", ...rows].join("\n")).file(
      "suite.yaml",
      decidingSuite(bot.url)
        .replace(
          "deployments: { desk:",
          `judges: { strict: { deployment: bench, endpoint: video-bots, example_id: judge } }
deployments: { bench: { base_url: "${judge.url}" }, desk:`,
        )
        .replace("scorers: [", "scorers: [{ name: helpful, type: judge, target: strict }, "),
    );
    for (const part of [1, 2]) {
      const args = ["--shard", `${part}/2`, "--results", `part-${part}`, "--no-preflight", "--quiet"];
      expect((await tandem.run("run", "suite.yaml", ...args)).code).toBe(0);
    }
    return tandem;
  }

  const countIn = (tandem: Tandem, out: string, sql: string): number => {
    const db = new Database(join(tandem.folder, out, "tandem.db"), { readonly: true });
    try {
      expect(db.pragma("foreign_key_check")).toEqual([]);
      return db.prepare<[], number>(sql).pluck().get() ?? 0;
    } finally {
      db.close();
    }
  };
  const cases = 'SELECT count(*) FROM "case"';
  const answers = "SELECT count(*) FROM job JOIN attempt ON attempt.job_id = job.id WHERE kind = 'case'";
  const questions = "SELECT count(*) FROM probed";
  const labels = "SELECT count(*) FROM label";

  /** Merges both parts, and expects all of their rows and grades. */
  async function merged(tandem: Tandem): Promise<void> {
    const { code, err } = await tandem.run("merge", "part-1", "part-2", "--results", "merged");
    expect(code, err).toBe(0);
    expect(countIn(tandem, "merged", cases)).toBe(40);
    expect(countIn(tandem, "merged", answers)).toBe(80);
    expect(countIn(tandem, "merged", "SELECT count(*) FROM score WHERE value IS NOT NULL")).toBe(160);
  }

  test("as a check of a judge in each of them", async () => {
    const tandem = await judgedParts();
    for (const part of ["part-1", "part-2"]) {
      const { code, err } = await tandem.run(
        "judge",
        "check",
        "helpful",
        "--results",
        part,
        "--probes",
        "length,wrongs",
      );
      expect([0, 1], err).toContain(code);
    }
    const asked = countIn(tandem, "part-1", questions) + countIn(tandem, "part-2", questions);
    expect(asked).toBeGreaterThan(0);
    await merged(tandem);
    expect(countIn(tandem, "merged", questions)).toBe(asked);
    expect(countIn(tandem, "merged", "SELECT count(*) FROM judge_check")).toBe(2);
    expect(countIn(tandem, "merged", "SELECT count(*) FROM job WHERE kind = 'probe'")).toBe(asked);
  });

  test("as checks of a judge that were cut off, which leave a finished batch", async () => {
    const tandem = await judgedParts();
    const begun = ["judge", "check", "helpful", "--probes", "length", "--results"];
    const stopped = await tandem.run(...begun, "part-1", "--budget", "15");
    expect(stopped.code, stopped.err).toBe(3);
    const asked = "SELECT count(*) FROM job JOIN attempt ON attempt.job_id = job.id WHERE kind = 'probe'";
    await tandem.killWhen(() => countIn(tandem, "part-2", asked) > 5, ...begun, "part-2");
    await merged(tandem);
    expect(countIn(tandem, "merged", "SELECT count(*) FROM batch WHERE state = 'finished'")).toBe(1);
    // It can be a part again, and its check goes on.
    const further = await tandem.run("merge", "merged", "--results", "again");
    expect(further.code, further.err).toBe(0);
    const check = await tandem.run("judge", "check", "helpful", "--probes", "length", "--results", "again");
    expect([0, 1], check.err).toContain(check.code);
  });

  test("as a check of a judge in one of them, which is pinned", async () => {
    const tandem = await judgedParts();
    const check = await tandem.run("judge", "check", "helpful", "--results", "part-2", "--probes", "consistency");
    expect([0, 1], check.err).toContain(check.code);
    for (const part of ["part-1", "part-2"])
      expect((await tandem.run("pin", "latest", "--as", "release-1", "--results", part)).code).toBe(0);
    await merged(tandem);
    expect(countIn(tandem, "merged", questions)).toBe(countIn(tandem, "part-2", questions));
  });

  test("as labels and a check of the judge", async () => {
    const tandem = await judgedParts();
    const check = await tandem.run("judge", "check", "helpful", "--results", "part-1", "--probes", "consistency");
    expect([0, 1], check.err).toContain(check.code);
    for (const part of ["part-1", "part-2"]) {
      const results = ["--results", part];
      await tandem.run("label", "export", "latest", "--sample", "5", "-o", `${part}.csv`, ...results);
      tandem.file(`${part}-filled.csv`, allGood(tandem.text(`${part}.csv`)));
      const imported = await tandem.run("label", "import", "latest", `${part}-filled.csv`, ...results);
      expect(imported.code, imported.err).toBe(0);
    }
    const given = countIn(tandem, "part-1", labels) + countIn(tandem, "part-2", labels);
    expect(given).toBeGreaterThanOrEqual(10);
    await merged(tandem);
    expect(countIn(tandem, "merged", labels)).toBe(given);
    expect(countIn(tandem, "merged", questions)).toBe(countIn(tandem, "part-1", questions));
  });
});

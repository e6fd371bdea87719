import { describe, expect, test } from "vitest";
import { jobsOfBatches } from "../../src/store/batch-overview.ts";
import { casesInOrder } from "../../src/store/plan/plan.ts";
import { addSecondLook, secondLookJobs } from "../../src/store/plan/second-look.ts";
import { everything } from "../../src/plan/select.ts";
import type { Metric } from "../../src/score/contract/scorer.ts";
import { batchTargets } from "../../src/store/batches.ts";
import type { Connection } from "../../src/store/connection.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { questionWriter, storedJudge } from "../../src/store/scores/judges.ts";
import { batchLabels, labelWriter } from "../../src/store/scores/labels.ts";
import type { LeftDraw } from "../../src/store/merge/merge-draws.ts";
import { casesOfDraw, drawsOf, isOfParts, writeDraw } from "../../src/store/scores/label-draws.ts";
import { mergeBatches } from "../../src/store/merge/merge.ts";
import { beginScoring, finishScoring, latestScoring, scoreWriter } from "../../src/store/scores/scores.ts";
import type { Target } from "../../src/suite/suite.ts";
import { oneCase, plannedBatch, suite, temporaryDatabase } from "./batch.ts";
import { apart, copied } from "./copied-tables.ts";

/** A part with these cases; every job is answered with a body that is not UTF-8. */
async function partOf(keys: string[], name: string) {
  const db = temporaryDatabase();
  const batch = await plannedBatch(
    db,
    keys.map((key) => oneCase(key)),
  );
  // Places are those in the whole dataset.
  sqlite(db).prepare(`UPDATE "case" SET place = CAST(substr(key, 2) AS INTEGER)`).run();
  for (const id of sqlite(db).prepare<[], number>("SELECT id FROM job").pluck().all()) answer(db, id);
  return { db, batch, name };
}

function answer(db: Connection, job: number): void {
  const record = sqlite(db)
    .prepare("INSERT INTO run_record (id, url, created_at, body) VALUES (?, NULL, NULL, CAST(? AS TEXT))")
    .run(`run${job}`, Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d])).lastInsertRowid;
  sqlite(db)
    .prepare(
      `INSERT INTO attempt (job_id, number, outcome, possibly_paid, redacted, queued_at, sent_at, record) VALUES (?, 1, 'ok', 0, 0, 5, 5.5, ?)`,
    )
    .run(job, record);
  sqlite(db).prepare("UPDATE job SET outcome = 'ok', answer = 'answered', attempt = 1 WHERE id = ?").run(job);
}

const given = { suite, selection: null, version: "0.0.0" };

const prod: Target = { name: "prod", deployment: "prod", endpoint: "video-bots", exampleId: "judge", body: {} };

const plannedIn = (db: Connection, batchId: number): number => jobsOfBatches(db, batchId).get(batchId)?.jobs ?? 0;

describe("a merge in the store", () => {
  test("knows every table of the schema", () => {
    const db = temporaryDatabase();
    const tables = sqlite(db)
      .prepare<[], string>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
      )
      .pluck();
    expect(tables.all()).toEqual([...copied, ...apart].toSorted());
  });

  test("knows which runs are a second look", async () => {
    const parts = [await partOf(["k2", "k4"], "one"), await partOf(["k1", "k3"], "two")];
    const [{ db: asked, batch: again } = { db: temporaryDatabase(), batch: null }] = parts;
    const cases = Array.from(casesInOrder(asked, again?.id ?? 0));
    const [target] = batchTargets(asked, again?.id ?? 0);
    addSecondLook(asked, again?.id ?? 0, {
      at: 1,
      jobs: cases.map(({ id, cluster, turn }) => {
        return { kind: "case", caseId: id, targetId: target?.id ?? 0, repeat: 2, cluster, turn, waits: false };
      }),
    });
    for (const id of sqlite(asked).prepare<[], number>("SELECT id FROM job WHERE outcome IS NULL").pluck().all()) {
      answer(asked, id);
    }
    const db = temporaryDatabase();
    const batch = mergeBatches(db, parts, given);
    const planned = parts.reduce((sum, part) => sum + plannedIn(part.db, part.batch.id), 0) - cases.length;
    expect(sqlite(db).prepare("SELECT planned, jobs FROM second_look").all()).toEqual([
      { planned, jobs: cases.length },
    ]);
    expect(secondLookJobs(db, batch.id)).toEqual({ jobs: cases.length, left: 0 });
    expect(plannedIn(db, batch.id)).toBe(planned + cases.length);
  });

  test("keeps the order of the dataset and every byte of a body", async () => {
    const parts = [await partOf(["k2", "k4"], "one"), await partOf(["k1", "k3", "k5"], "two")];
    const db = temporaryDatabase();
    const batch = mergeBatches(db, parts, { ...given, selection: { ...everything, shard: { parts: [1, 2], of: 3 } } });
    expect(batch).toMatchObject({ state: "finished", seed: "1", selection: { shard: { parts: [1, 2], of: 3 } } });
    expect(sqlite(db).prepare<[], string>('SELECT key FROM "case" ORDER BY id').pluck().all()).toEqual([
      "k1",
      "k2",
      "k3",
      "k4",
      "k5",
    ]);
    const bodies = sqlite(db)
      .prepare<[], string>("SELECT DISTINCT hex(CAST(body AS BLOB)) FROM run_record")
      .pluck()
      .all();
    expect(bodies).toEqual(["7BFFFE007D"]);
    expect(sqlite(db).prepare("SELECT count(*) AS n, sum(sent_at) AS sent FROM attempt").get()).toEqual({
      n: 10,
      sent: 55,
    });
    expect(sqlite(db).pragma("foreign_key_check")).toEqual([]);
  });

  test("takes along what people said of answers from every part", async () => {
    const parts = [await partOf(["k2", "k4"], "one"), await partOf(["k1", "k3"], "two")];
    for (const [index, { db: from, batch: part }] of parts.entries()) {
      const jobs = sqlite(from).prepare<[number], number>("SELECT id FROM job WHERE batch_id = ? ORDER BY id").pluck();
      const [, candidateJob = 0] = jobs.all(part.id);
      for (const author of ["ada", "ben"]) {
        const said = { author, note: "नोट", at: index };
        labelWriter(from)({ ...said, jobId: candidateJob, scorer: "", label: "bad", value: 0 });
      }
    }
    const db = temporaryDatabase();
    const batch = mergeBatches(db, parts, given);
    const labels = Array.from(batchLabels(db, batch.id), ({ key, target, author }) => `${key} ${target} ${author}`);
    expect(labels).toEqual(["k1 test ada", "k1 test ben", "k2 test ada", "k2 test ben"]);
    expect(sqlite(db).pragma("foreign_key_check")).toEqual([]);
  });

  test("takes along the cases that were drawn for people where every part drew some, with the chance of each", async () => {
    const parts = [await partOf(["k2", "k4", "k6"], "one"), await partOf(["k1", "k3"], "two")];
    const draw = { scorer: "helpful", baseline: "prod", candidate: "test", at: 1 };
    for (const [index, { db: from, batch: part }] of parts.entries()) {
      const cases = Array.from(casesInOrder(from, part.id)).slice(0, index + 1);
      const all = { ...draw, seed: "1", frame: `f${index}`, size: 3 - index };
      writeDraw(from, part.id, {
        ...all,
        cases: cases.map(({ id }, place) => ({
          caseId: id,
          part: 0,
          chance: (index + 1) / 3,
          place,
        })),
      });
    }
    const [first, second] = parts;
    if (first === undefined || second === undefined) throw new Error("no parts");
    writeDraw(first.db, first.batch.id, {
      ...draw,
      candidate: "other",
      seed: "1",
      frame: "x",
      size: 3,
      cases: [],
    });
    const db = temporaryDatabase();
    const batch = mergeBatches(db, parts, given);
    const [drawn, ...others] = drawsOf(db, batch.id);
    expect(others).toEqual([]);
    if (drawn === undefined) throw new Error("nothing is drawn");
    expect(drawn).toMatchObject({
      candidate: "test",
      size: 5,
    });
    expect(isOfParts(drawn)).toBe(true);
    const keyOf = sqlite(db).prepare<[number], string>('SELECT key FROM "case" WHERE id = ?').pluck();
    const cases = casesOfDraw(db, drawn.id).map(({ caseId, ...each }) => ({ key: keyOf.get(caseId), ...each }));
    expect(cases.map(({ part, chance, place }) => [part, chance, place])).toEqual([
      [0, 1 / 3, 0],
      [1, 2 / 3, 1],
      [1, 2 / 3, 2],
    ]);
    expect(new Set(cases.map(({ key }) => key)).size).toBe(3);
    // A part that drew none makes it no draw of the whole.
    sqlite(second.db).exec("DELETE FROM drawn_case; DELETE FROM label_draw");
    const alone = temporaryDatabase();
    const left: LeftDraw[] = [];
    const onLeft = (draws: readonly LeftDraw[]): void => void left.push(...draws);
    expect(drawsOf(alone, mergeBatches(alone, parts, { ...given, onLeft }).id)).toEqual([]);
    const lacking = [parts[1]?.name];
    expect(left).toEqual(["other", "test"].map((candidate) => ({ baseline: "prod", candidate, lacking })));
  });

  test("takes the result of a job that another part has not begun, and what was in flight", async () => {
    const done = await partOf(["k1", "k2"], "done");
    const open = await partOf(["k2", "k3"], "open");
    sqlite(open.db).exec("DELETE FROM attempt; UPDATE job SET outcome = NULL, answer = NULL, attempt = NULL");
    const last = sqlite(open.db).prepare<[], number>("SELECT max(id) FROM job").pluck().get();
    sqlite(open.db).prepare("INSERT INTO sending (job_id, number, queued_at) VALUES (?, 1, 7)").run(last);
    const db = temporaryDatabase();
    expect(mergeBatches(db, [open, done], given)).toMatchObject({ state: "stopped", finishedAt: null });
    const jobs = sqlite(db).prepare(
      `SELECT key, group_concat(coalesce(outcome, 'open'), ' ' ORDER BY job.id) AS outcomes FROM job JOIN "case" ON "case".id = case_id GROUP BY key`,
    );
    expect(jobs.all()).toEqual([
      { key: "k1", outcomes: "ok ok" },
      { key: "k2", outcomes: "ok ok" },
      { key: "k3", outcomes: "open open" },
    ]);
    const flying = `SELECT key, queued_at FROM sending JOIN job ON job.id = job_id JOIN "case" ON "case".id = case_id`;
    expect(sqlite(db).prepare(flying).all()).toEqual([{ key: "k3", queued_at: 7 }]);
  });

  test("of the same result in two parts is refused, and nothing is left", async () => {
    const db = temporaryDatabase();
    const parts = [await partOf(["k1", "k2"], "one"), await partOf(["k2", "k3"], "two")];
    expect(() => mergeBatches(db, parts, given)).toThrow('"k2" on prod: in one and two');
    expect(sqlite(db).prepare("SELECT count(*) AS n FROM batch").get()).toEqual({ n: 0 });
  });

  test("keeps labels, and the scores and replies of judges when all parts were graded alike", async () => {
    const parts = [await partOf(["k1", "k3"], "one"), await partOf(["k2"], "two")];
    for (const { db, batch } of parts) judged(db, batch.id, "same");
    const db = temporaryDatabase();
    const batch = mergeBatches(db, parts, given);
    expect(latestScoring(db, batch.id)).toMatchObject({ suiteHash: "same", complete: true, answers: 6 });
    const scores = sqlite(db).prepare<[], string>(
      "SELECT case_key || ' ' || target || ' ' || scorer || ' ' || value FROM scores ORDER BY case_key, target",
    );
    expect(scores.pluck().all()).toEqual(
      ["k1", "k2", "k3"].flatMap((key) => [`${key} prod helpful 1.0`, `${key} test helpful 1.0`]),
    );
    expect(sqlite(db).prepare("SELECT case_key, target, judge, id FROM judgements ORDER BY case_key").all()).toEqual(
      ["k1", "k2", "k3"].map((case_key) => ({ case_key, target: "prod", judge: "strict", id: "verdict" })),
    );
    expect(sqlite(db).prepare("SELECT count(*) AS n FROM question").get()).toEqual({ n: 1 });
    expect(sqlite(db).prepare("SELECT count(*) AS n, min(author) AS author FROM label").get()).toEqual({
      n: 3,
      author: "ana",
    });
    expect(batchTargets(db, batch.id).map(({ name }) => name)).toEqual(["prod", "test"]);
    expect(sqlite(db).pragma("foreign_key_check")).toEqual([]);
  });

  test("of parts that were graded differently leaves the scores behind, and keeps the replies", async () => {
    const parts = [await partOf(["k1"], "one"), await partOf(["k2"], "two")];
    for (const [index, { db, batch }] of parts.entries()) judged(db, batch.id, `suite ${index}`);
    const db = temporaryDatabase();
    const batch = mergeBatches(db, parts, given);
    expect(latestScoring(db, batch.id)).toBeNull();
    expect(sqlite(db).prepare("SELECT count(*) AS n FROM job WHERE kind = 'judge' AND outcome = 'ok'").get()).toEqual({
      n: 2,
    });
  });
});

/** Every answer has a score, those of `prod` by a judge who was asked the same of each, and a label. */
function judged(db: Connection, batchId: number, suiteHash: string): void {
  const metric: Metric = {
    name: "helpful",
    type: "judge",
    primary: true,
    scale: { kind: "pass" },
    lowerIsBetter: false,
    passes: true,
    weight: 1,
    against: null,
  };
  const spec = {
    name: "helpful",
    type: "judge",
    primary: true,
    weight: 1,
    when: null,
    options: {},
  };
  const scoring = beginScoring(db, {
    batchId,
    suiteHash,
    scorers: [
      {
        metric,
        spec,
        code: null,
        graded: "now",
      },
    ],
    answers: 1,
    version: "0",
    rule: {
      kind: "all",
      of: null,
      share: 1,
    },
  });
  const judge = storedJudge(db, batchId, { ...prod, name: "strict" }, "https://prod.example.test");
  const ask = questionWriter(db, scoring, { cache: true });
  const writer = scoreWriter(db, scoring.id);
  const label = labelWriter(db);
  const jobs = sqlite(db).prepare<[], { id: number; caseId: number; target: string }>(
    "SELECT job.id, case_id AS caseId, name AS target FROM job JOIN target ON target.id = target_id WHERE kind = 'case' ORDER BY case_id",
  );
  for (const { id: jobId, caseId, target } of jobs.all()) {
    writer.add({ caseId, jobId, scorer: 0, value: 1, pass: true, reason: "fine" });
    if (target !== "prod") continue;
    ask({ caseId, jobId, scorer: 0, round: 0, number: 0, judge: judge.id, hash: "asked", body: "{}" });
    label({ jobId, scorer: "", label: "good", value: 1, note: null, author: "ana", at: 1 });
  }
  writer.end();
  for (const id of sqlite(db).prepare<[], number>("SELECT id FROM job WHERE kind = 'judge'").pluck().all()) {
    answer(db, id);
    sqlite(db).prepare("UPDATE run_record SET id = 'verdict' WHERE id = ?").run(`run${id}`);
  }
  finishScoring(db, scoring, true);
}

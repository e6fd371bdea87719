import { describe, expect, test } from "vitest";
import { everything } from "../../src/plan/select.ts";
import type { Connection } from "../../src/store/database.ts";
import { mergeBatches } from "../../src/store/merge.ts";
import { oneCase, plannedBatch, suite, temporaryDatabase } from "./batch.ts";

/** Tables that a merge copies, and those that have nothing of a batch. Whoever adds a table decides here, and in store/merge. */
const copied = ["attempt", "batch", "case", "job", "pace", "run_record", "sending", "target"];
// Pins name whole batches, and a merged batch is compared anew.
const apart = ["comparison", "pin", "pin_batch", "rate_slot"];

/** A part with these cases; every job is answered with a body that is not UTF-8. */
async function partOf(keys: string[], name: string) {
  const db = temporaryDatabase();
  const batch = await plannedBatch(
    db,
    keys.map((key) => oneCase(key)),
  );
  // As they were in the whole dataset.
  db.prepare(`UPDATE "case" SET place = CAST(substr(key, 2) AS INTEGER)`).run();
  for (const id of db.prepare<[], number>("SELECT id FROM job").pluck().all()) answer(db, id);
  return { db, batch, name };
}

function answer(db: Connection, job: number): void {
  const record = db
    .prepare("INSERT INTO run_record (id, url, created_at, body) VALUES (?, NULL, NULL, CAST(? AS TEXT))")
    .run(`run${job}`, Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d])).lastInsertRowid;
  db.prepare(
    `INSERT INTO attempt (job_id, number, outcome, possibly_paid, redacted, queued_at, sent_at, record) VALUES (?, 1, 'ok', 0, 0, 5, 5.5, ?)`,
  ).run(job, record);
  db.prepare("UPDATE job SET outcome = 'ok', answer = 'answered', attempt = 1 WHERE id = ?").run(job);
}

const given = { suite, selection: null, version: "0.0.0" };

describe("a merge in the store", () => {
  test("knows every table of the schema", () => {
    const db = temporaryDatabase();
    const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck();
    expect(tables.all()).toEqual([...copied, ...apart].toSorted());
  });

  test("keeps the order of the dataset and every byte of a body", async () => {
    const parts = [await partOf(["k2", "k4"], "one"), await partOf(["k1", "k3", "k5"], "two")];
    const db = temporaryDatabase();
    const batch = mergeBatches(db, parts, { ...given, selection: { ...everything, shard: { parts: [1, 2], of: 3 } } });
    expect(batch).toMatchObject({ state: "finished", seed: "1", selection: { shard: { parts: [1, 2], of: 3 } } });
    expect(db.prepare<[], string>('SELECT key FROM "case" ORDER BY id').pluck().all()).toEqual([
      "k1",
      "k2",
      "k3",
      "k4",
      "k5",
    ]);
    const bodies = db.prepare<[], string>("SELECT DISTINCT hex(CAST(body AS BLOB)) FROM run_record").pluck().all();
    expect(bodies).toEqual(["7BFFFE007D"]);
    expect(db.prepare("SELECT count(*) AS n, sum(sent_at) AS sent FROM attempt").get()).toEqual({ n: 10, sent: 55 });
    expect(db.pragma("foreign_key_check")).toEqual([]);
  });

  test("takes the result of a job that another part has not begun, and what was in flight", async () => {
    const done = await partOf(["k1", "k2"], "done");
    const open = await partOf(["k2", "k3"], "open");
    open.db.exec("DELETE FROM attempt; UPDATE job SET outcome = NULL, answer = NULL, attempt = NULL");
    const last = open.db.prepare<[], number>("SELECT max(id) FROM job").pluck().get();
    open.db.prepare("INSERT INTO sending VALUES (?, 1, 7)").run(last);
    const db = temporaryDatabase();
    expect(mergeBatches(db, [open, done], given)).toMatchObject({ state: "stopped", finishedAt: null });
    const jobs = db.prepare(
      `SELECT key, group_concat(coalesce(outcome, 'open'), ' ' ORDER BY job.id) AS outcomes FROM job JOIN "case" ON "case".id = case_id GROUP BY key`,
    );
    expect(jobs.all()).toEqual([
      { key: "k1", outcomes: "ok ok" },
      { key: "k2", outcomes: "ok ok" },
      { key: "k3", outcomes: "open open" },
    ]);
    const flying = `SELECT key, queued_at FROM sending JOIN job ON job.id = job_id JOIN "case" ON "case".id = case_id`;
    expect(db.prepare(flying).all()).toEqual([{ key: "k3", queued_at: 7 }]);
  });

  test("of the same result in two parts is refused, and nothing is left", async () => {
    const db = temporaryDatabase();
    const parts = [await partOf(["k1", "k2"], "one"), await partOf(["k2", "k3"], "two")];
    expect(() => mergeBatches(db, parts, given)).toThrow('"k2" on prod: in one and two');
    expect(db.prepare("SELECT count(*) AS n FROM batch").get()).toEqual({ n: 0 });
  });
});

import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/store/database.ts";
import type { Connection } from "../../src/store/connection.ts";
import { copyAlone } from "../../src/store/merge/batch-alone.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { oneCase, plannedBatch, temporaryDatabase, temporaryFolder } from "./batch.ts";
import { copied } from "./copied-tables.ts";

/** Plans a batch of one case, and enters something of it into every table. */
async function fullBatch(db: Connection, key: string): Promise<number> {
  const { id } = await plannedBatch(db, [oneCase(key)]);
  const jobs = sqlite(db).prepare<[number], number>("SELECT id FROM job WHERE batch_id = ? ORDER BY id").pluck();
  const [one = 0, other = 0] = jobs.all(id);
  const enter = (table: string, row: Record<string, string | number>): number => {
    const names = Object.keys(row);
    const sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((name) => `@${name}`).join(", ")})`;
    return Number(sqlite(db).prepare(sql).run(row).lastInsertRowid);
  };
  const record = enter("run_record", { id: "run", body: `{"of":"${key}"}` });
  const attempt = { number: 1, outcome: "ok", possibly_paid: 0, redacted: 0, queued_at: 5 };
  enter("attempt", { job_id: one, ...attempt, record });
  enter("sending", { job_id: other, number: 1, queued_at: 5 });
  const pace = { deployment: "prod", endpoint: "video-bots", at: 1, concurrency: 2, ceiling: 4, reason: "cut" };
  enter("pace", { batch_id: id, ...pace });
  enter("outage", { batch_id: id, deployment: "prod", endpoint: "video-bots", status: 502, since: 1, until: 2 });
  enter("change", { batch_id: id, at: 1, text: "asked anew" });
  enter("second_look", { batch_id: id, at: 1, planned: 1, jobs: 1 });
  enter("label", { job_id: one, label: "good", value: 1, at: 1 });
  enter("pairwise_label", { baseline_job: one, candidate_job: other, better: "neither", blind: 0, at: 1 });
  const drawn = { scorer: "helpful", baseline: "prod", candidate: "test", seed: "1", frame: "x" };
  const draw_id = enter("label_draw", { batch_id: id, ...drawn, size: 4, at: 1 });
  const ofCase = sqlite(db).prepare<[number], number>("SELECT case_id FROM job WHERE id = ?").pluck().get(one) ?? 0;
  enter("drawn_case", { draw_id, case_id: ofCase, part: 0, chance: 0.5, place: 0 });
  const graded = { suite_hash: "x", scorers: "[]", rule: "{}", version: "0", answers: 1, asked_from: 0, created_at: 1 };
  const scoring_id = enter("scoring", { batch_id: id, ...graded });
  const of = { scoring_id, case_id: one, job_id: one };
  enter("score", { ...of, scorer: 0, value: 1 });
  enter("graded_by", { scoring_id, case_id: one, expected: "so" });
  enter("asked", { ...of, scorer: 0, round: 0, number: 0, judge_job: other });
  const check = { batch_id: id, scorer: "helpful", judge: "j", plan: "p" };
  enter("probed", { check_id: enter("judge_check", check), place: 0, round: 0, number: 0, judge_job: other });
  const question = enter("question", { hash: key, body: "{}" });
  sqlite(db).prepare("UPDATE job SET question_id = ?, kind = 'judge' WHERE id = ?").run(question, other);
  return id;
}

const contentOf = (db: Connection): Record<string, unknown[]> =>
  Object.fromEntries(copied.map((table) => [table, sqlite(db).prepare(`SELECT * FROM "${table}"`).all()]));

test("A batch stands alone in its copy with all that it has, and with nothing of its neighbours", async () => {
  const db = temporaryDatabase();
  const first = await fullBatch(db, "k1");
  const ofFirst = contentOf(db);
  for (const [table, rows] of Object.entries(ofFirst)) expect(rows, table).not.toEqual([]);
  const second = await fullBatch(db, "k2");
  const both = contentOf(db);
  const copyOf = (batchId: number): Record<string, unknown[]> => {
    const copy = openDatabase(join(temporaryFolder(), "tandem.db"));
    copyAlone(copy, db, batchId);
    expect(sqlite(copy).pragma("foreign_key_check")).toEqual([]);
    const content = contentOf(copy);
    copy.close();
    return content;
  };
  expect(copyOf(first)).toEqual(ofFirst);
  expect(copyOf(second)).toEqual(
    Object.fromEntries(Object.entries(both).map(([table, rows]) => [table, rows.slice(ofFirst[table]?.length)])),
  );
});

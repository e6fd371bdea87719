import { expect, test } from "vitest";
import type { Connection } from "../../src/store/connection.ts";
import { forgetBatch, removeStoredBatches } from "../../src/store/remove-batch.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "./batch.ts";

/** Tables with a batch_id, as the schema has them. */
function tablesOfBatches(db: Connection): string[] {
  return sqlite(db)
    .prepare<[], string>(
      `SELECT DISTINCT sqlite_schema.name FROM sqlite_schema, pragma_foreign_key_list(sqlite_schema.name) AS key
       WHERE sqlite_schema.type = 'table' AND key."table" = 'batch' ORDER BY 1`,
    )
    .pluck()
    .all();
}

/** Rows of a table that are of a batch. */
function rowsOf(db: Connection, table: string, batchId: number): number {
  const count = sqlite(db).prepare<[number], number>(`SELECT count(*) FROM "${table}" WHERE batch_id = ?`);
  return count.pluck().get(batchId) ?? 0;
}

/** Puts a row of any content that the columns allow. */
function putRow(db: Connection, table: string, batchId: number): void {
  const columns = sqlite(db)
    .prepare<[], { name: string; type: string }>(`SELECT name, type FROM pragma_table_info('${table}')`)
    .all();
  const values = columns.map(({ name, type }) => (name === "batch_id" ? batchId : type === "TEXT" ? "{}" : 1));
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  sqlite(db)
    .prepare(`INSERT INTO "${table}" (${names}) VALUES (${values.map(() => "?").join(", ")})`)
    .run(values);
}

test("nothing of a removed batch is left for the next, which has its id again", async () => {
  const db = temporaryDatabase();
  const batch = await plannedBatch(db, [oneCase("k1")]);
  // A pin holds its batch: such a batch is never removed.
  const tables = tablesOfBatches(db).filter((table) => table !== "pin_batch");
  for (const table of tables) if (rowsOf(db, table, batch.id) === 0) putRow(db, table, batch.id);
  expect(tables.filter((table) => rowsOf(db, table, batch.id) === 0)).toEqual([]);
  removeStoredBatches(db, [batch.id]);
  expect(tables.filter((table) => rowsOf(db, table, batch.id) > 0)).toEqual([]);
  expect((await plannedBatch(db, [oneCase("k1")])).id).toBe(batch.id);
});

const counted = (db: Connection, table: string): unknown =>
  sqlite(db).prepare(`SELECT count(*) FROM ${table}`).pluck().get();

test("replies of a judge stay while another batch needs them, and go with it, also where both go at once", async () => {
  const left = async (...removals: number[][]): Promise<unknown> => {
    const db = temporaryDatabase();
    const [asked, asking] = [await plannedBatch(db, [oneCase("k1")]), await plannedBatch(db, [oneCase("k1")])];
    const sql = sqlite(db);
    sql.exec(`INSERT INTO question (id, hash, body) VALUES (1, 'h', '{}');
      INSERT INTO job (id, batch_id, target_id, case_id, repeat, kind, question_id)
        SELECT 100, batch_id, target_id, case_id, 1, 'judge', 1 FROM job WHERE batch_id = ${asked.id} LIMIT 1;
      INSERT INTO scoring (id, batch_id, suite_hash, scorers, rule, version, answers, asked_from, created_at)
        VALUES (1, ${asking.id}, '', '[]', '{}', '1', 0, 0, 1);
      INSERT INTO asked (scoring_id, case_id, job_id, scorer, round, number, judge_job)
        SELECT 1, case_id, id, 0, 0, 0, 100 FROM job WHERE batch_id = ${asking.id} LIMIT 1;`);
    for (const places of removals)
      removeStoredBatches(
        db,
        places.map((place) => [asked.id, asking.id][place] ?? 0),
      );
    return [counted(db, "batch"), counted(db, "job"), counted(db, "question")];
  };
  expect(await left([0])).toEqual([2, 3, 1]);
  expect(await left([0], [1])).toEqual([0, 0, 0]);
  expect(await left([0, 1])).toEqual([0, 0, 0]);
});

test("a batch whose reading was broken off is forgotten with the jobs that it had by then", async () => {
  const db = temporaryDatabase();
  await plannedBatch(db, [oneCase("k1")]);
  const broken = await plannedBatch(db, [oneCase("k1"), oneCase("k2")]);
  const unknown = "first_job = NULL, last_job = NULL, first_case = NULL, last_case = NULL, dataset_hash = NULL";
  sqlite(db).exec(`UPDATE batch SET state = 'reading', ${unknown} WHERE id = ${broken.id}`);
  forgetBatch(db, broken.id);
  expect([counted(db, "batch"), counted(db, "job"), counted(db, '"case"'), counted(db, "target")]).toEqual([
    1, 2, 1, 2,
  ]);
});

import { expect, test } from "vitest";
import type { Connection } from "../../src/store/connection.ts";
import { removeStoredBatches } from "../../src/store/removal/remove-batch.ts";
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

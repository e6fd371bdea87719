import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { concludeBatch } from "../../src/app/report/conclude.ts";
import { findBatch, setBatchState } from "../../src/store/batches.ts";
import { labelWriter } from "../../src/store/scores/labels.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { answerJob, gradeBatch, runOn, spec } from "../app/scored.ts";
import { oneCase, plannedBatch, temporaryDatabase, temporaryFolder } from "../store/batch.ts";

/** A database with a batch that was run, graded and compared, with labels, changes and a pin. */
export async function honestDatabase(): Promise<Buffer> {
  const db = temporaryDatabase();
  const cases = ["k1", "k2", "k3", "k4"].map((key) =>
    oneCase(key, { expected: "blue", tags: { topic: "colours" }, columns: { id: key, note: "x" } }),
  );
  const batch = await plannedBatch(db, cases);
  for (const key of ["k1", "k2", "k3", "k4"]) {
    answerJob(db, key, "prod", "It is blue.");
    answerJob(db, key, "test", key === "k4" ? null : key === "k3" ? "It is red." : "It is blue.");
  }
  setBatchState(db, batch.id, "finished");
  const scorers = [{ ...spec("correct", "contains"), primary: true }, spec("similar", "chrf")];
  await gradeBatch(db, findBatch(db, batch.name), scorers);
  // A page of HTML would take most of the time.
  sqlite(db).exec(`UPDATE batch SET suite = json_set(suite, '$.reports', json('["csv"]'))`);
  await concludeBatch(runOn(db, { out: temporaryFolder() }), batch.name);
  const sql = sqlite(db);
  labelWriter(db)({ jobId: 1, scorer: "", label: "good", value: 1, note: "fine", author: "ann", at: 1 });
  sql.exec(`INSERT INTO change (batch_id, at, text) VALUES (1, 1, 'x'); INSERT INTO pin (name, created_at) VALUES ('base', 1);
    INSERT INTO pin_batch (pin_id, place, batch_id) VALUES (1, 0, 1);
    UPDATE batch SET reason = 'x', against = NULL; UPDATE attempt SET error = 'x', headers = '{}';
    UPDATE job SET error = 'x'; UPDATE target SET stopped = 'x';
    INSERT INTO pace VALUES (1, 'prod', 'video-bots', 1, 1, 1, 1, 1, 'x')`);
  sql.pragma("journal_mode = DELETE");
  db.close();
  return readFileSync(db.name);
}

export interface Column {
  table: string;
  column: string;
  type: string;
}

/** Every column of every table. */
export function columnsOf(honest: Buffer): Column[] {
  const db = new Database(honest);
  try {
    return db
      .prepare<[], Column>(
        `SELECT s.name AS "table", c.name AS "column", c.type FROM sqlite_schema AS s, pragma_table_info(s.name) AS c
         WHERE s.type = 'table' ORDER BY 1, c.cid`,
      )
      .all();
  } finally {
    db.close();
  }
}

/**
 * Puts the database into a results folder and changes it there, whatever its tables say of their values. False where
 * SQLite itself does not take the change.
 */
export function plantDatabase(results: string, honest: Buffer, change: (db: Database.Database) => unknown): boolean {
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, "tandem.db"), honest);
  const db = new Database(join(results, "tandem.db"));
  try {
    db.pragma("journal_mode = MEMORY");
    db.pragma("foreign_keys = OFF");
    db.pragma("ignore_check_constraints = ON");
    // Tables that hold their values to types would refuse them.
    db.unsafeMode();
    db.pragma("writable_schema = ON");
    const schema = db.prepare<[], [number, string]>("SELECT rowid, sql FROM sqlite_schema").raw().all();
    db.exec("UPDATE sqlite_schema SET sql = replace(sql, ' STRICT', '')");
    db.pragma("writable_schema = RESET");
    const isChanged = isTaken(() => change(db));
    db.pragma("writable_schema = ON");
    const restore = db.prepare("UPDATE sqlite_schema SET sql = ? WHERE rowid = ? AND replace(sql, ' STRICT', '') <> ?");
    for (const [id, sql] of schema) restore.run(sql, id, sql);
    db.pragma("writable_schema = RESET");
    return isChanged;
  } finally {
    db.close();
  }
}

function isTaken(change: () => unknown): boolean {
  try {
    change();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && /^SQLITE_(CONSTRAINT|MISMATCH)/.test(String(error.code)))
      return false;
    throw error;
  }
}

import { join } from "node:path";
import Database from "better-sqlite3";
import { openDatabase } from "../../src/store/database.ts";
import { temporaryFolder } from "./batch.ts";

/** Path of a database as tandem leaves it, changed by some SQL. */
export function databaseWith(sql = ""): string {
  const path = join(temporaryFolder(), "tandem.db");
  openDatabase(path).close();
  changeDatabase(path, sql);
  return path;
}

/** Changes a database that nobody has open, without its foreign keys. */
export function changeDatabase(path: string, sql: string): void {
  const db = new Database(path);
  db.pragma("foreign_keys = OFF");
  db.exec(sql);
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
}

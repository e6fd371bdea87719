import { closeSync, openSync, writeSync } from "node:fs";
import Database from "better-sqlite3";

/** Overwrites the list of tables, and leaves what says that this is a database. */
export function damageSchema(path: string): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(4_000, 0xff), 0, 4_000, 100);
  closeSync(file);
}

/** Overwrites the first page of a table in a database that nobody has open, as a failing disk does. */
export function damageTable(path: string, table: string): void {
  const db = new Database(path);
  const size = Number(db.pragma("page_size", { simple: true }));
  const page = db.prepare<[string], number>("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(table);
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(size, 0xff), 0, size, ((page ?? 0) - 1) * size);
  closeSync(file);
}

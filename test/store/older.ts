import { copyFileSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { temporaryFolder } from "./batch.ts";

const folder = new URL("../../src/store/migrations/", import.meta.url);
export const migrations = readdirSync(folder).toSorted();

/** Path of a database as the tandem of that schema version left it, with some rows in it. */
export function databaseOfVersion(version: number, rows = ""): string {
  const path = join(temporaryFolder(), "tandem.db");
  const db = new Database(path);
  // Nobody needs it after a power cut.
  db.pragma("synchronous = OFF");
  for (const name of migrations.slice(0, version)) db.exec(readFileSync(new URL(name, folder), "utf8"));
  db.pragma("foreign_keys = OFF");
  db.exec(rows);
  db.pragma(`user_version = ${version}`);
  db.close();
  return path;
}

/** Puts what a database holds into one of an earlier schema version, at the same path. */
export function makeOlder(path: string, version: number): void {
  const older = databaseOfVersion(version);
  const db = new Database(older);
  db.pragma("synchronous = OFF");
  db.pragma("foreign_keys = OFF");
  db.prepare("ATTACH ? AS now").run(path);
  for (const table of db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()) {
    // A column that was there once is empty again.
    const columns = db
      .prepare<[string, string], string>(
        "SELECT name FROM pragma_table_info(?) JOIN pragma_table_info(?, 'now') USING (name)",
      )
      .pluck()
      .all(table, table)
      .join(", ");
    db.exec(`INSERT INTO "${table}" (${columns}) SELECT ${columns} FROM now."${table}"`);
  }
  db.exec("DETACH now");
  db.close();
  for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
  copyFileSync(older, path);
}

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { mergeParts } from "../../src/app/merge.ts";
import { findBatch, setBatchState } from "../../src/store/batches.ts";
import { openDatabase } from "../../src/store/database.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { oneCase, plannedBatch, temporaryDatabase, temporaryFolder } from "./batch.ts";
import { databaseOfVersion, makeOlder, migrations } from "./older.ts";

/** A database of the schema version before, with a batch of which nothing is left to do. */
async function olderBatch(): Promise<{ path: string; batch: string }> {
  const db = temporaryDatabase();
  const { id, name } = await plannedBatch(db, [oneCase("k1")]);
  sqlite(db).exec("UPDATE job SET outcome = 'rejected', answer = 'x'");
  setBatchState(db, id, "finished");
  db.close();
  makeOlder(db.name, migrations.length - 1);
  return { path: db.name, batch: name };
}

describe("a database that is only read", () => {
  test("is not brought up to date when its schema is older: a copy is, and read", async () => {
    const { path, batch } = await olderBatch();
    const before = readFileSync(path);
    const db = openDatabase(path, { reading: true });
    expect(findBatch(db, "latest").name).toBe(batch);
    expect(sqlite(db).pragma("user_version", { simple: true })).toBe(migrations.length);
    expect(() => findBatch(db, "other")).toThrow(`in ${path}.`);
    expect(existsSync(db.name)).toBe(true);
    db.close();
    expect(existsSync(dirname(db.name))).toBe(false);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(dirname(path))).toEqual(["tandem.db"]);
  });

  test("can be one of any earlier version", () => {
    for (let version = 1; version <= migrations.length; version++) {
      const path = databaseOfVersion(version);
      const db = openDatabase(path, { reading: true });
      expect(sqlite(db).pragma("user_version", { simple: true })).toBe(migrations.length);
      expect(() => sqlite(db).exec("DELETE FROM batch")).toThrow(/readonly/);
      db.close();
    }
  });

  test("keeps its journal as it is", () => {
    const path = databaseOfVersion(migrations.length);
    openDatabase(path, { reading: true }).close();
    const db = new Database(path);
    expect(db.pragma("journal_mode", { simple: true })).toBe("delete");
    db.close();
  });

  test("may be the part of a merge", async () => {
    const { path } = await olderBatch();
    const before = readFileSync(path);
    const out = join(temporaryFolder(), "whole");
    await mergeParts({
      parts: [path.slice(0, -"/tandem.db".length)],
      out,
      allowUnfinished: false,
      partial: false,
      failOn: [],
      reports: [],
      onNotice: () => {},
    });
    const db = openDatabase(join(out, "tandem.db"), { reading: true });
    expect(findBatch(db, "latest").state).toBe("finished");
    db.close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe("a database that a stranger made is refused with its fault", () => {
  const changes: [what: string, sql: string, fault: string][] = [
    [
      "a view in place of a table",
      `ALTER TABLE batch RENAME TO b;
       CREATE VIEW batch AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT b.* FROM b, n`,
      "its table batch is another",
    ],
    ["a table of other types", "DROP TABLE pace; CREATE TABLE pace (batch_id, at)", "its table pace is another"],
    [
      "a column more, which is computed",
      "ALTER TABLE label ADD COLUMN x TEXT AS (hex(zeroblob(1e8)))",
      "its table label",
    ],
    [
      "a trigger",
      "CREATE TRIGGER t AFTER INSERT ON attempt BEGIN UPDATE job SET outcome = 'ok'; END",
      "there is a trigger on one of its tables",
    ],
    ["a virtual table", "DROP TABLE rate_slot; CREATE VIRTUAL TABLE rate_slot USING fts5 (x)", "its table rate_slot"],
  ];
  test.each(changes)("%s", (_, sql, fault) => {
    const path = databaseOfVersion(migrations.length, sql);
    for (const options of [{}, { reading: true }, { mustExist: true }]) {
      expect(() => openDatabase(path, options)).toThrow(
        expect.objectContaining({ code: "DATABASE_INVALID", message: expect.stringContaining(fault) }),
      );
    }
  });

  test("but not for tables, views and indexes of their own beside ours", () => {
    const path = databaseOfVersion(
      migrations.length,
      "CREATE TABLE notes (text); CREATE VIEW names AS SELECT name FROM batch; CREATE INDEX own ON job (answer)",
    );
    expect(() => openDatabase(path).close()).not.toThrow();
  });
});

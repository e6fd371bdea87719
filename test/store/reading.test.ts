import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../src/store/database.ts";
import { temporaryFolder } from "./batch.ts";
import { databaseWith } from "./stored-database.ts";

describe("a database that is only read", () => {
  test("keeps its journal as it is", () => {
    const path = databaseWith("PRAGMA journal_mode = DELETE");
    openDatabase(path, { reading: true }).close();
    const db = new Database(path);
    expect(db.pragma("journal_mode", { simple: true })).toBe("delete");
    db.close();
  });

  test("is told to be empty where a process died before it made its tables", () => {
    const path = join(temporaryFolder(), "tandem.db");
    writeFileSync(path, "");
    expect(() => openDatabase(path, { reading: true })).toThrow(expect.objectContaining({ code: "BATCH_NOT_FOUND" }));
    openDatabase(path).close();
    openDatabase(path, { reading: true }).close();
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
    const path = databaseWith(sql);
    for (const options of [{}, { reading: true }, { mustExist: true }]) {
      expect(() => openDatabase(path, options)).toThrow(
        expect.objectContaining({ code: "DATABASE_INVALID", message: expect.stringContaining(fault) }),
      );
    }
  });

  test("but not for tables, views and indexes of their own beside ours", () => {
    const path = databaseWith(
      "CREATE TABLE notes (text); CREATE VIEW names AS SELECT name FROM batch; CREATE INDEX own ON job (answer)",
    );
    expect(() => openDatabase(path).close()).not.toThrow();
  });
});

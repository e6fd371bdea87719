import Database from "better-sqlite3";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { LongWrite } from "../../src/store/long-write.ts";
import { temporaryDatabase } from "./batch.ts";
import { sqlite } from "../../src/store/sqlite.ts";

function table() {
  const db = temporaryDatabase();
  sqlite(db).exec("CREATE TABLE t (n INTEGER)");
  const insert = sqlite(db).prepare("INSERT INTO t VALUES (?)");
  const other = new Database(db.name, { timeout: 0 });
  const seen = (): unknown => other.prepare("SELECT count(*) FROM t").pluck().get();
  return { db, other, seen, write: (n: number) => void insert.run(n) };
}

test("rows are committed at the end, and references are checked again", () => {
  const { db, seen, write } = table();
  const writing = new LongWrite(db);
  for (let n = 0; n < 10; n++) {
    writing.begin();
    write(n);
    writing.wrote(1);
  }
  expect(seen()).toBe(0);
  writing.end();
  writing.undo();
  expect(seen()).toBe(10);
  expect(sqlite(db).pragma("foreign_keys", { simple: true })).toBe(1);
});

test("a failure takes back what was not committed", () => {
  const { db, seen, write } = table();
  const writing = new LongWrite(db);
  writing.begin();
  write(1);
  writing.undo();
  expect(seen()).toBe(0);
  expect(sqlite(db).inTransaction).toBe(false);
  expect(sqlite(db).pragma("foreign_keys", { simple: true })).toBe(1);
});

test("whoever makes the rows slowly does not lock others out", async () => {
  const { db, other, write } = table();
  const writing = new LongWrite(db);
  writing.begin();
  write(1);
  expect(() => other.exec("INSERT INTO t VALUES (2)")).toThrow("locked");
  while (sqlite(db).inTransaction) await sleep(50);
  other.exec("INSERT INTO t VALUES (2)");
  writing.begin();
  write(3);
  writing.end();
  expect(other.prepare("SELECT n FROM t ORDER BY n").pluck().all()).toEqual([1, 2, 3]);
});

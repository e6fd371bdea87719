import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { AppError } from "../../src/errors.ts";
import type { Journal } from "../../src/runner/journal.ts";
import type { Connection } from "../../src/store/connection.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createJournal } from "../../src/store/journal/journal.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { storeFailure } from "../../src/store/store-failure.ts";
import { outcome } from "../runner/outcome.ts";
import { damageTable } from "./damage.ts";
import { oneCase, plannedBatch, temporaryDatabase, temporaryFolder } from "./batch.ts";

/** A batch of one case in a database of its own. */
async function planned(): Promise<{ db: Connection; batchId: number }> {
  const db = temporaryDatabase();
  const { id: batchId } = await plannedBatch(db, [oneCase("a")]);
  return { db, batchId };
}

/** The error with which an attempt, its answer of 400 KB included, cannot be entered. */
async function refusal(journal: Journal): Promise<unknown> {
  const at = { jobId: 1, number: 1, queuedAt: 1_000 };
  const body = Buffer.alloc(400_000, "x");
  const answered = outcome({ kind: "ok", answer: "answered", record: { id: null, url: null, createdAt: null, body } });
  try {
    await journal.sending({ ...at, service: null });
    await journal.settle({ ...at, outcome: answered, final: true });
  } catch (error) {
    return error;
  }
  throw new Error("it was entered");
}

/** A second process at the same file. */
function other(db: Connection): Database.Database {
  const own = new Database(db.name);
  onTestFinished(() => void own.close());
  return own;
}

describe("what keeps the journal from being written is told with what to do", () => {
  test("a disk that is full: make room, then resume", async () => {
    const { db, batchId } = await planned();
    const pages = Number(sqlite(db).pragma("page_count", { simple: true }));
    sqlite(db).pragma(`max_page_count = ${pages + 2}`);
    const found = await refusal(createJournal(db, batchId));
    expect(found).toMatchObject({ code: "STORE_FAILED", exitCode: 3, cause: { code: "SQLITE_FULL" } });
    expect(found).toMatchObject({ message: `Could not write to ${db.name}: database or disk is full` });
    expect(found).toMatchObject({ hint: expect.stringMatching(/kept\. Make room on the disk, then .*tandem resume/) });
  });

  test.each(["SQLITE_IOERR_LOCK", "SQLITE_IOERR_RDLOCK", "SQLITE_IOERR_SHMMAP", "SQLITE_NOLFS"])(
    "a file system that cannot lock (%s): a local disk, and nothing about room",
    (code) => {
      const found = storeFailure("/mnt/tandem.db", new Database.SqliteError("disk I/O error", code));
      expect(found).toMatchObject({
        code: "STORE_FAILED",
        exitCode: 3,
        message: "Could not lock /mnt/tandem.db: disk I/O error",
        hint: expect.stringMatching(/^(?!.*room).*network drive/),
      });
    },
  );

  test("another process that holds the database: wait for it, and nothing about room", async () => {
    const { db, batchId } = await planned();
    const journal = createJournal(db, batchId);
    sqlite(db).pragma("busy_timeout = 0");
    other(db).exec("BEGIN IMMEDIATE");
    const found = await refusal(journal);
    expect(found).toMatchObject({ code: "STORE_FAILED", exitCode: 3, cause: { code: "SQLITE_BUSY" } });
    expect(found).toMatchObject({ message: expect.stringContaining("another process holds") });
    expect(found).toMatchObject({ hint: expect.stringMatching(/Wait for that process .*tandem resume/) });
    expect(found).not.toMatchObject({ hint: expect.stringContaining("room") });
  });

  test("a file that may not be written: look who may, and nothing about room", async () => {
    const { db, batchId } = await planned();
    const journal = createJournal(db, batchId);
    sqlite(db).pragma("query_only = ON");
    const found = await refusal(journal);
    expect(found).toMatchObject({ code: "STORE_FAILED", exitCode: 3, cause: { code: "SQLITE_READONLY" } });
    expect(found).toMatchObject({ hint: expect.stringContaining("who may write it") });
    expect(found).not.toMatchObject({ hint: expect.stringContaining("room") });
  });

  test("a damaged file: how to save what can be read, and nothing about room", async () => {
    const { db, batchId } = await planned();
    db.close();
    damageTable(db.name, "attempt");
    const again = temporaryDatabase(db.name);
    // A new journal looks for the last attempt.
    const thrown = (): unknown => {
      try {
        return createJournal(again, batchId);
      } catch (error) {
        return storeFailure(again.name, error);
      }
    };
    const found = thrown();
    expect(found).toMatchObject({ code: "STORE_FAILED", exitCode: 3, cause: { code: "SQLITE_CORRUPT" } });
    expect(found).toMatchObject({ message: expect.stringContaining("is damaged") });
    expect(found).toMatchObject({ hint: expect.stringContaining(".recover") });
    expect(found).not.toMatchObject({ hint: expect.stringContaining("room") });
  });
});

describe("a fault in tandem itself stays what it is, with its stack", () => {
  test("a statement that names a column which is not there", async () => {
    const { db, batchId } = await planned();
    const journal = createJournal(db, batchId);
    other(db).exec("ALTER TABLE attempt RENAME COLUMN headers TO heads");
    const found = await refusal(journal);
    expect(found).not.toBeInstanceOf(AppError);
    expect(found).toMatchObject({ code: "SQLITE_ERROR", message: "table attempt has no column named headers" });
    expect(found).toMatchObject({ stack: expect.stringMatching(/at .*group-commit/) });
    // And nothing more is entered.
    expect(await refusal(journal)).toBe(found);
  });

  test("an attempt that is entered twice", async () => {
    const { db, batchId } = await planned();
    const journal = createJournal(db, batchId);
    await journal.sending({ jobId: 1, number: 1, queuedAt: 1_000, service: null });
    const found = await refusal(journal);
    expect(found).not.toBeInstanceOf(AppError);
    expect(found).toMatchObject({ code: "SQLITE_CONSTRAINT_PRIMARYKEY" });
  });
});

test("a database that may not be opened is told as such, not as a damaged one", () => {
  const folder = temporaryFolder();
  const thrown = expect.objectContaining({
    code: "DATABASE_INVALID",
    message: `Cannot open the database ${folder}: unable to open database file`,
    hint: expect.stringContaining("who may read and write the file"),
  });
  expect(() => openDatabase(folder)).toThrow(thrown);
});

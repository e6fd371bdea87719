import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { createJournal } from "../../src/store/journal/journal.ts";
import { checkRead, claimUnread, isUnread, stateNow } from "../../src/store/batch-state.ts";
import { createBatch, createHeldBatch, findBatch, listBatches } from "../../src/store/batches.ts";
import { openDatabase } from "../../src/store/database.ts";
import { openAttempts, settleInDoubt } from "../../src/store/journal/in-doubt.ts";
import { GroupCommit } from "../../src/store/journal/group-commit.ts";
import { holderOf, lockBatch } from "../../src/store/lock.ts";
import { withBatchLock, withWholeBatch } from "../../src/app/send/send.ts";
import { caseResults, targetTallies } from "../../src/store/results/results.ts";
import { unfinishedJobs } from "../../src/store/journal/unfinished.ts";
import { outcome } from "../runner/outcome.ts";
import { databaseWith } from "./stored-database.ts";
import { oneCase, plannedBatch, suite, temporaryDatabase, temporaryFolder } from "./batch.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const bytes = (text: string): Buffer => Buffer.from(text);

describe("the database", () => {
  test("is private, durable on every open, and has a schema version", () => {
    const path = join(temporaryFolder(), "deep", "tandem.db");
    for (let round = 0; round < 2; round++) {
      const db = openDatabase(path);
      expect(sqlite(db).pragma("synchronous", { simple: true })).toBe(2);
      expect(sqlite(db).pragma("journal_mode", { simple: true })).toBe("wal");
      expect(sqlite(db).pragma("page_size", { simple: true })).toBe(8192);
      expect(sqlite(db).pragma("user_version", { simple: true })).toBe(storedVersion);
      db.close();
    }
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
  });

  test("is not opened by a Node that SQLite would end", () => {
    const { versions } = process;
    onTestFinished(() => void Object.defineProperty(process, "versions", { value: versions }));
    Object.defineProperty(process, "versions", { value: { ...versions, node: "20.20.2" } });
    const path = join(temporaryFolder(), "tandem.db");
    expect(() => openDatabase(path)).toThrow(expect.objectContaining({ code: "NODE_UNSUPPORTED" }));
    expect(existsSync(path)).toBe(false);
  });

  test("is refused when another tandem wrote it, when it is another program's, and when it is no database", () => {
    const folder = temporaryFolder();
    for (const version of [33, storedVersion + 1]) {
      const other = databaseWith(`PRAGMA user_version = ${version}`);
      for (const options of [{}, { reading: true }]) {
        expect(() => openDatabase(other, options)).toThrow(expect.objectContaining({ code: "OTHER_VERSION" }));
      }
    }

    const foreign = join(folder, "foreign.db");
    const other = new Database(foreign);
    other.exec("CREATE TABLE notes (text)");
    other.close();
    expect(() => openDatabase(foreign)).toThrow(expect.objectContaining({ code: "DATABASE_INVALID" }));
    expect(() => openDatabase(import.meta.filename)).toThrow(expect.objectContaining({ code: "DATABASE_INVALID" }));
    expect(() => openDatabase(join(folder, "none.db"), { mustExist: true })).toThrow(
      expect.objectContaining({ code: "BATCH_NOT_FOUND" }),
    );
  });
});

describe("group commit", () => {
  test("resolves when the write can be seen by another connection, in the order of the writes", async () => {
    const db = temporaryDatabase();
    sqlite(db).exec("CREATE TABLE t (n INTEGER)");
    const commits = new GroupCommit<() => void>(db, (writes) => writes.forEach((write) => write()));
    const insert = sqlite(db).prepare("INSERT INTO t VALUES (?)");
    const other = new Database(db.name, { readonly: true });
    const seen: unknown[] = [];
    await Promise.all(
      Array.from({ length: 600 }, async (_, n) => {
        await commits.add(() => void insert.run(n));
        if (n % 100 === 0) seen.push(other.prepare("SELECT count(*) > ? FROM t").pluck().get(n));
      }),
    );
    expect(seen).toEqual([1, 1, 1, 1, 1, 1]);
    expect(
      other
        .prepare("SELECT group_concat(n, ',') = (SELECT group_concat(n, ',') FROM (SELECT n FROM t ORDER BY n)) FROM t")
        .pluck()
        .get(),
    ).toBe(1);
    other.close();
  });

  test("refuses everything after the first failure for the same reason, and leaves nothing half written", async () => {
    const db = temporaryDatabase();
    sqlite(db).exec("CREATE TABLE t (n INTEGER UNIQUE)");
    const commits = new GroupCommit<() => void>(db, (writes) => writes.forEach((write) => write()));
    const insert = sqlite(db).prepare("INSERT INTO t VALUES (?)");
    await commits.add(() => void insert.run(1));
    const group = [2, 1, 3].map((n) => commits.add(() => void insert.run(n)));
    const results = await Promise.allSettled(group);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await expect(commits.add(() => void insert.run(4))).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT_UNIQUE" });
    expect(sqlite(db).prepare("SELECT n FROM t").pluck().all()).toEqual([1]);
  });
});

describe("the journal of a batch", () => {
  test("an attempt is `sending` before it is sent, and its outcome, record and job end are one commit", async () => {
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, [oneCase("a"), oneCase("b")]);
    const journal = createJournal(db, batch.id);
    const targets = [...unfinishedJobs(db, batch.id).keys()];
    const [job] = journal.pending(targets, 0, 10);
    if (job === undefined) throw new Error("no job");
    await journal.sending({ jobId: job.id, number: 1, queuedAt: 1_000, service: null });
    expect(openAttempts(db, batch.id)).toMatchObject([{ jobId: job.id, attempt: 1, queuedAt: 1_000 }]);

    const body = '{ "id":"abc",  "url":"u", "output":{"output_text":["नमस्ते 👩🏽‍🌾"],"n":1.50}}';
    await journal.settle({
      jobId: job.id,
      number: 1,
      queuedAt: 1_000,
      final: true,
      outcome: outcome({
        kind: "ok",
        answer: "answered",
        status: 200,
        record: { id: "abc", url: "u", createdAt: "t", body: bytes(body) },
      }),
    });
    expect(openAttempts(db, batch.id)).toEqual([]);
    expect(sqlite(db).prepare("SELECT body FROM run_record").pluck().get()).toBe(body);
    expect(
      sqlite(db)
        .prepare("SELECT id, url, created_at, output, case_key, target, outcome, answer FROM run_records")
        .all(),
    ).toEqual([
      {
        id: "abc",
        url: "u",
        created_at: "t",
        output: '{"output_text":["नमस्ते 👩🏽‍🌾"],"n":1.50}',
        case_key: "a",
        target: "prod",
        outcome: "ok",
        answer: "answered",
      },
    ]);
    expect(journal.pending(targets, 0, 10).map(({ id }) => id)).not.toContain(job.id);
  });

  test("a body that is not valid UTF-8 is kept byte for byte", async () => {
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, [oneCase("a")]);
    const journal = createJournal(db, batch.id);
    const [job] = journal.pending([...unfinishedJobs(db, batch.id).keys()], 0, 1);
    if (job === undefined) throw new Error("no job");
    const body = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
    await journal.sending({ jobId: job.id, number: 1, queuedAt: 1, service: null });
    await journal.settle({
      jobId: job.id,
      number: 1,
      queuedAt: 1_000,
      final: true,
      outcome: outcome({ record: { id: null, url: null, createdAt: null, body } }),
    });
    expect(sqlite(db).prepare("SELECT CAST(body AS BLOB) FROM run_record").pluck().get()).toEqual(body);
  });

  test("a turn becomes pending when the turn before it has answered, with the history, and is skipped when it failed", async () => {
    const db = temporaryDatabase();
    const turns = [1, 2, 3].map((turn) => oneCase(`c${turn}`, { cluster: "c", turn }));
    const batch = await plannedBatch(db, turns);
    const journal = createJournal(db, batch.id);
    const targets = [...unfinishedJobs(db, batch.id).keys()];
    const pending = journal.pending(targets, 0, 10);
    expect(pending.map(({ turn }) => turn)).toEqual([1, 1]);
    const finish = async (jobId: number, kind: "ok" | "rejected"): Promise<void> => {
      await journal.sending({ jobId, number: 1, queuedAt: 1, service: null });
      const record =
        kind === "ok" ? { id: "r", url: null, createdAt: null, body: bytes(`{"output":{"turn":${jobId}}}`) } : null;
      await journal.settle({ jobId, number: 1, queuedAt: 1, final: true, outcome: outcome({ kind, record }) });
    };
    const [first, other] = pending;
    if (first === undefined || other === undefined) throw new Error("no jobs");
    await finish(first.id, "ok");
    const second = journal.successor(first.id);
    if (second === null) throw new Error("no successor");
    await finish(second.id, "ok");
    const third = journal.successor(second.id);
    if (third === null) throw new Error("no successor");
    expect(journal.history(third).map(({ record }) => record)).toEqual([
      `{"output":{"turn":${first.id}}}`,
      `{"output":{"turn":${second.id}}}`,
    ]);

    await finish(other.id, "rejected");
    const waiting = journal.successor(other.id);
    expect(await journal.skip(waiting?.id ?? 0, "turn 1 had no answer")).toBe(2);
    expect(targetTallies(db, batch.id).map(({ outcomes }) => outcomes)).toEqual([
      { ok: 2, unfinished: 1 },
      { skipped: 2, rejected: 1 },
    ]);
  });

  test("what a rate counts is remembered for the same service only", async () => {
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, [oneCase("a"), oneCase("b")]);
    const journal = createJournal(db, batch.id);
    for (const [index, job] of journal.pending([...unfinishedJobs(db, batch.id).keys()], 0, 10).entries())
      await journal.sending({
        jobId: job.id,
        number: 1,
        queuedAt: 1_000 + index,
        service: index % 2 === 0 ? "prod" : "test",
      });
    expect(journal.sentSince("prod", 0)).toEqual([1_000, 1_002]);
    expect(journal.sentSince("prod", 1_001)).toEqual([1_002]);
    expect(journal.sentSince("other", 0)).toEqual([]);
  });
});

describe("attempts in doubt", () => {
  async function withDoubt() {
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, [oneCase("a"), oneCase("b")]);
    const journal = createJournal(db, batch.id);
    const targets = [...unfinishedJobs(db, batch.id).keys()];
    const [job] = journal.pending(targets, 0, 10);
    if (job === undefined) throw new Error("no job");
    await journal.sending({ jobId: job.id, number: 1, queuedAt: 1, service: null });
    return { db, batch, job, pending: () => journal.pending(targets, 0, 10).map(({ id }) => id) };
  }

  test("are sent again when the policy is resend, counted as possibly paid, and use up no retry", async () => {
    const { db, batch, job, pending } = await withDoubt();
    expect(settleInDoubt(db, batch.id, "resend").doubts).toMatchObject([
      { jobId: job.id, caseKey: "a", target: "prod" },
    ]);
    expect(pending()).toContain(job.id);
    expect(createJournal(db, batch.id).pending([job.targetId], 0, 1)[0]).toMatchObject({ attempts: 1, failures: 0 });
    expect(sqlite(db).prepare("SELECT outcome, possibly_paid FROM attempts").all()).toEqual([
      { outcome: "in-doubt", possibly_paid: 1 },
    ]);
    expect(settleInDoubt(db, batch.id, "resend").doubts).toEqual([]);
  });

  test("are held until a later resume decides", async () => {
    const { db, batch, job, pending } = await withDoubt();
    settleInDoubt(db, batch.id, "hold");
    expect(pending()).not.toContain(job.id);
    settleInDoubt(db, batch.id, "hold");
    expect(pending()).not.toContain(job.id);
    settleInDoubt(db, batch.id, "resend");
    expect(pending()).toContain(job.id);
  });

  test("end their job when the policy is fail", async () => {
    const { db, batch, job, pending } = await withDoubt();
    settleInDoubt(db, batch.id, "fail");
    expect(pending()).not.toContain(job.id);
    const [first] = [...caseResults(db, batch.id)];
    expect(first?.jobs[0]).toMatchObject({ jobId: job.id, outcome: "in-doubt", possiblyPaid: true, attempts: 1 });
  });
});

describe("batches", () => {
  test("are found by name, by suite and how far back, and by latest; another name says what there is", async () => {
    const db = temporaryDatabase();
    const first = await plannedBatch(db, [oneCase("a")]);
    const second = await plannedBatch(db, [oneCase("a")]);
    expect(first.name).toBe("help-desk-नमस्ते-20261120-193012");
    expect(second.name).toBe("help-desk-नमस्ते-20261120-193012-2");
    expect(findBatch(db, "latest").id).toBe(second.id);
    expect(findBatch(db, "help desk/नमस्ते~1").id).toBe(first.id);
    expect(findBatch(db, first.name).id).toBe(first.id);
    expect(() => findBatch(db, "nothing")).toThrow(
      expect.objectContaining({ code: "BATCH_NOT_FOUND", hint: expect.stringContaining(second.name) }),
    );
    expect(listBatches(db, "other")).toEqual([]);
  });

  test("of suites whose names differ by case alone have folders of their own also where a file system passes over it", () => {
    const db = temporaryDatabase();
    const given = { seed: "1", version: "0.0.0", at: Date.UTC(2026, 10, 20, 19, 30, 12), repeatsOf: () => 1 };
    const names = ["desk", "Desk"].map((name) => createBatch(db, { ...given, suite: { ...suite, name } }).name);
    expect(names).toEqual(["desk-20261120-193012", "Desk-20261120-193012-2"]);
  });

  test("belong to the process that makes them from their first moment", () => {
    const db = temporaryDatabase();
    const given = { suite, seed: "1", version: "0.0.0", at: 1, repeatsOf: () => 1 };
    const { batch, lock } = createHeldBatch(db, given);
    expect([holderOf(db, batch.id)?.pid, isUnread(db, batch.id)]).toEqual([process.pid, false]);
    lock.release();
    expect([holderOf(db, batch.id), isUnread(db, batch.id)]).toEqual([null, true]);
    const claim = claimUnread(db, batch.id);
    expect(claim).not.toBeNull();
    expect(claimUnread(db, batch.id)).toBeNull();
    claim?.release();
    // Whoever has listed it before it was planned does not take it for one that died then.
    sqlite(db).prepare("UPDATE batch SET state = 'planned'").run();
    expect([isUnread(db, batch.id), stateNow(db, { ...batch, createdAt: Date.now() }).state]).toEqual([
      false,
      "planned",
    ]);
    expect(() => checkRead(db, batch)).not.toThrow();
  });

  test("are locked by one process; a lock whose process is gone is taken over", async () => {
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, [oneCase("a")]);
    const lock = lockBatch(db, batch.id);
    expect(() => lockBatch(db, batch.id)).toThrow(expect.objectContaining({ code: "BATCH_LOCKED" }));
    sqlite(db).prepare("UPDATE batch SET lock_pid = 999999999").run();
    // Removed meanwhile, and its id is that of another, which another process has.
    const mine = lockBatch(db, batch.id);
    sqlite(db).prepare("UPDATE batch SET lock_started = 'of another' WHERE id = ?").run(batch.id);
    mine.release();
    expect(sqlite(db).prepare("SELECT lock_started FROM batch WHERE id = ?").pluck().get(batch.id)).toBe("of another");
    sqlite(db).prepare("UPDATE batch SET lock_pid = NULL WHERE id = ?").run(batch.id);
    lockBatch(db, batch.id).release();
    sqlite(db).prepare("UPDATE batch SET lock_pid = ?, lock_host = 'elsewhere', lock_at = ?").run(1, Date.now());
    expect(() => lockBatch(db, batch.id)).toThrow(/elsewhere/);
    sqlite(db).prepare("UPDATE batch SET lock_at = 0").run();
    lockBatch(db, batch.id).release();
    lock.release();
  });

  test("stay locked between the stages of one command, for others of this process too", async () => {
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, [oneCase("a")]);
    const { promise: between, resolve: goOn } = Promise.withResolvers<void>();
    const stages = withWholeBatch(db, batch, async () => {
      await withBatchLock(db, batch, async () => {});
      await between;
      await withBatchLock(db, batch, async () => {});
    });
    await setTimeout(10);
    expect(holderOf(db, batch.id)?.pid).toBe(process.pid);
    await expect(withBatchLock(db, batch, async () => {})).rejects.toMatchObject({ code: "BATCH_LOCKED" });
    goOn();
    await stages;
    expect(holderOf(db, batch.id)).toBe(null);
  });
});

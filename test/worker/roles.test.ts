import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { PgBoss } from "pg-boss";
import { openPostgres, type Postgres } from "../../src/worker/postgres/connection.ts";
import { learn } from "../../src/worker/postgres/learned.ts";
import {
  pullAttempts,
  markPulled,
  markSkippedPulled,
  pullSkipped,
  remoteDoubts,
  resolveDoubts,
} from "../../src/worker/postgres/pull.ts";
import { grantRoles } from "../../src/worker/postgres/roles.ts";
import { stopUnserved } from "../../src/worker/postgres/open-work.ts";
import { checkSchema } from "../../src/worker/postgres/schema.ts";
import { markTaken, settle, skipRemoteJobs, stopTarget } from "../../src/worker/postgres/settle.ts";
import { endSlice, loadSlice } from "../../src/worker/postgres/slice.ts";
import { addFile, batchFile, removeRemoteBatch } from "../../src/worker/postgres/submit.ts";
import { giveBack, take } from "../../src/worker/postgres/take.ts";
import {
  remoteBatches,
  remoteProgress,
  setWorkerState,
  submitterSeen,
  workersNow,
} from "../../src/worker/postgres/watch.ts";
import { beat, leaveWorker, reap, tellOfWorker } from "../../src/worker/postgres/workers.ts";
import { lookForOld, removeOld } from "../../src/worker/watch/prune.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { answer, newWorker, runningBatch } from "./books.ts";

/** A database with roles, and a user in each of them. */
async function threeUsers(): Promise<{
  owner: Postgres;
  worker: Postgres;
  submitter: Postgres;
  urlOf: (role: string) => string;
}> {
  const url = await testDatabase();
  const owner = await openTest(url);
  const boss = new PgBoss({ connectionString: url, schema: "tandem_engine", supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue("slices");
  await boss.stop();
  await grantRoles(owner);
  await grantRoles(owner);
  const id = randomUUID().slice(0, 8);
  for (const role of ["worker", "submitter"])
    await owner.query(`CREATE ROLE "${role}_${id}" LOGIN IN ROLE tandem_${role}`);
  const urlOf = (role: string): string => url.replace("//tandem@", `//${role}_${id}@`);
  const as = async (role: string): Promise<Postgres> => {
    const db = await openPostgres(urlOf(role), { most: 2, applicationName: role });
    onTestFinished(() => db.close());
    return db;
  };
  return { owner, worker: await as("worker"), submitter: await as("submitter"), urlOf };
}

test("a worker and a submitter can do all of their work with the rights of their roles", async () => {
  const { worker, submitter, urlOf } = await threeUsers();
  await checkSchema(worker);
  await checkSchema(submitter);
  const { batch, service } = await runningBatch(submitter, { jobs: 12, turns: 2 });
  await addFile(submitter, batch, 0, Buffer.from("file"));
  expect((await batchFile(submitter, batch, 0))?.toString()).toBe("file");
  const id = await newWorker(worker);
  await beat(worker, id);
  await tellOfWorker(worker, id, {
    lines: ["serves no staging: KEY is not set"],
    serves: [`${service} 0.0.0 prod`],
    leaves: {},
  });
  expect(
    await stopUnserved(worker, { service, version: "0.0.0", deployment: "prod" }, { reason: "", deadAfterMs: 15_000 }),
  ).toBe(false);
  expect((await loadSlice(worker, { batch, slice: 1, worker: id }))?.jobs).toHaveLength(12);
  const jobs = [1, 3, 5, 7].map((job) => ({ job, number: 1 }));
  expect((await take(worker, { worker: id, token: "t", batch, service, jobs })).granted).toEqual([1, 3, 5, 7]);
  await giveBack(worker, { worker: id, batch, jobs: [{ job: 7, number: 1 }] });
  await markTaken(worker, id, batch, {
    jobId: 3,
    number: 1,
    queuedAt: 0,
    sentAt: 1,
    run: { id: "r", url: null, createdAt: null },
  });
  expect(await settle(worker, id, [answer(batch, 1), answer(batch, 3), answer(batch, 11)])).toEqual([
    "landed",
    "landed",
    "stray",
  ]);
  await learn(worker, service, { concurrency: 2, rate: { count: 5, windowMs: 1000 }, reason: "stated" });
  await skipRemoteJobs(worker, batch, 9, "why");
  await stopTarget(worker, batch, 1, "why");
  await endSlice(worker, { batch, slice: 1 });
  await leaveWorker(worker, id);
  expect(await reap(worker, { deadAfterMs: 15_000 })).toBe(1);
  expect(await workersNow(submitter)).toMatchObject([{ state: "gone", told: ["serves no staging: KEY is not set"] }]);
  await setWorkerState(submitter, id, "paused");
  await submitterSeen(submitter, batch, "there");
  expect(await remoteBatches(submitter, { namespace: "default" })).toMatchObject([{ no: batch, inDoubt: 1 }]);
  expect(await remoteDoubts(submitter, batch)).toHaveLength(1);
  expect(await resolveDoubts(submitter, batch, { policy: "fail" })).toEqual([1]);
  const page = await pullAttempts(submitter, batch, { limit: 10 });
  expect(page).toHaveLength(3);
  await markPulled(submitter, batch, page);
  await markSkippedPulled(
    submitter,
    batch,
    (await pullSkipped(submitter, batch)).map(({ job }) => job),
  );
  expect(await remoteProgress(submitter, batch)).toMatchObject({ unpulled: false });
  for (const role of ["submitter", "worker"]) {
    const engine = new PgBoss({ connectionString: urlOf(role), schema: "tandem_engine" });
    engine.on("error", (error) => expect.fail(String(error)));
    await engine.start();
    await engine.createQueue(`slices-${role}`);
    await engine.insert("slices", [{ data: { slice: 1 } }]);
    const [job] = await engine.fetch("slices");
    await engine.complete("slices", job?.id ?? "");
    await engine.supervise("slices");
    await engine.stop({ close: true });
  }
  const old = { namespace: "default", ageMs: 0 };
  await removeOld(submitter, await lookForOld(submitter, old), old);
  await removeRemoteBatch(submitter, batch);
  expect(await remoteProgress(submitter, batch)).toBeNull();
});

test("a worker reads no table and no other schema, makes nothing and takes nothing away", async () => {
  const { owner, worker, submitter } = await threeUsers();
  await owner.query("CREATE SCHEMA payroll");
  await owner.query("CREATE TABLE payroll.salary (amount integer)");
  const { batch } = await runningBatch(submitter);
  const refused = (db: Postgres, sql: string) =>
    expect(db.query(sql), sql).rejects.toMatchObject({ code: "WORKERS_REFUSED" });
  const tables = await owner.query<{ tablename: string }>(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'tandem' AND tablename <> 'meta'",
  );
  expect(tables.length).toBeGreaterThan(15);
  for (const { tablename } of tables) await refused(worker, `SELECT FROM tandem.${tablename}`);
  for (const sql of [
    `DELETE FROM tandem.batch WHERE no = ${batch}`,
    "UPDATE tandem.meta SET version = 99",
    `SELECT tandem.decide_doubts(${batch}, NULL, 'resend')`,
    `SELECT tandem.end_batch(${batch}, 'stopped', '')`,
  ])
    await refused(worker, sql);
  for (const db of [worker, submitter])
    for (const sql of [
      "SELECT * FROM payroll.salary",
      "CREATE TABLE tandem.more (id integer)",
      "DROP TABLE tandem.stray",
      "TRUNCATE tandem.attempt",
      "CREATE FUNCTION tandem.now_ms(integer) RETURNS integer LANGUAGE sql AS 'SELECT 1'",
    ])
      await refused(db, sql);
  // A result that is entered is nobody's to change.
  for (const sql of [
    "UPDATE tandem.attempt SET kind = 'ok'",
    "DELETE FROM tandem.attempt",
    "DELETE FROM tandem.sending",
  ])
    await refused(submitter, sql);
});

test("somebody without a role may call nothing", async () => {
  const { owner, urlOf } = await threeUsers();
  const name = `stranger_${randomUUID().slice(0, 8)}`;
  await owner.query(`CREATE ROLE ${name} LOGIN`);
  const stranger = await openTest(urlOf("x").replace(/\/\/[^@]*@/, `//${name}@`));
  await expect(beat(stranger, randomUUID())).rejects.toMatchObject({ code: "WORKERS_REFUSED" });
  const open = await owner.query(
    "SELECT proname FROM pg_proc WHERE pronamespace = 'tandem'::regnamespace AND has_function_privilege($1, oid, 'EXECUTE')",
    [name],
  );
  expect(open).toEqual([]);
});

test("functions that act with their owner's rights find nothing that a caller has put in their way", async () => {
  const { owner } = await threeUsers();
  const loose = await owner.query(
    `SELECT proname FROM pg_proc WHERE pronamespace = 'tandem'::regnamespace AND prosecdef
     AND NOT coalesce(proconfig, '{}') @> ARRAY['search_path=pg_catalog, pg_temp']`,
  );
  expect(loose).toEqual([]);
});

test("no user of a role empties a batch by the function that does so when the batch goes", async () => {
  const { worker, submitter } = await threeUsers();
  const { batch } = await runningBatch(submitter, { jobs: 2 });
  for (const db of [worker, submitter]) {
    const emptied = db.transaction(async (within) => {
      await within.query("CREATE TEMP TABLE mine (no integer)");
      await within.query("INSERT INTO mine VALUES ($1)", [batch]);
      await within.query(
        "CREATE TRIGGER empties BEFORE DELETE ON mine FOR EACH ROW EXECUTE FUNCTION tandem.empty_batch()",
      );
      await within.query("DELETE FROM mine");
    });
    await expect(emptied).rejects.toMatchObject({ code: "WORKERS_REFUSED" });
  }
  expect(await submitter.query("SELECT id FROM tandem.job WHERE batch = $1", [batch])).toHaveLength(2);
  await removeRemoteBatch(submitter, batch);
  expect(await submitter.query("SELECT id FROM tandem.job WHERE batch = $1", [batch])).toHaveLength(0);
});

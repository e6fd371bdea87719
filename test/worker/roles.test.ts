import { expect, test } from "vitest";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import { learn } from "../../src/worker/postgres/learned.ts";
import {
  pullAttempts,
  markPulled,
  markSkippedPulled,
  pullSkipped,
  remoteDoubts,
  resolveDoubts,
} from "../../src/worker/postgres/pull.ts";
import { stopUnserved } from "../../src/worker/postgres/open-work.ts";
import {
  completeChunk,
  fetchChunks,
  giveChunkBack,
  putChunks,
  returnLostChunks,
  chunkQueue,
  touchFetched,
} from "../../src/worker/postgres/queues.ts";
import {
  claimBatch,
  closeChunks,
  dropFile,
  dropJobs,
  jobsThere,
  latestChunk,
  openChunks,
  pullAgain,
  releaseBatch,
  renewBatch,
  renewTarget,
} from "../../src/worker/postgres/rejoin.ts";
import { servicesNow, notImported } from "../../src/worker/postgres/services.ts";
import { checkSchema } from "../../src/worker/postgres/schema.ts";
import { failBatch, markTaken, settle, skipRemoteJobs, stopTarget } from "../../src/worker/postgres/settle.ts";
import { endChunk, loadChunk } from "../../src/worker/postgres/chunk.ts";
import {
  addFile,
  addChunks,
  batchFile,
  endFile,
  removeRemoteBatch,
  setRemoteState,
} from "../../src/worker/postgres/submit.ts";
import { giveBack, take } from "../../src/worker/postgres/take.ts";
import {
  remoteBatches,
  remoteProgress,
  setWorkerState,
  submitterSeen,
  workersNow,
  workersServing,
} from "../../src/worker/postgres/watch.ts";
import { beat, leaveWorker, reap, tellOfWorker } from "../../src/worker/postgres/workers.ts";
import { lookForOld, removeOld } from "../../src/worker/watch/prune.ts";
import { answer, newWorker, runningBatch } from "./books.ts";
import { databaseWithUsers } from "./users.ts";

test("a worker and a submitter can do all of their work with the rights of their roles", async () => {
  const { worker, submitter } = await databaseWithUsers();
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
  expect((await loadChunk(worker, { batch, slice: 1, worker: id }))?.jobs).toHaveLength(12);
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
  await endChunk(worker, { batch, slice: 1 });
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
  const queue = chunkQueue({ service, deployment: "prod", version: "0.0.0" });
  await setRemoteState(submitter, batch, "running");
  await addChunks(submitter, batch, [{ id: 2, deployment: "prod", service, jobs: 0 }]);
  await putChunks(submitter, queue, batch, [2]);
  const [fetched] = await fetchChunks(worker, queue, 1);
  if (fetched === undefined) throw new Error("nothing was there");
  expect(await touchFetched(worker, queue, [fetched])).toEqual(new Set([fetched.id]));
  await giveChunkBack(worker, queue, fetched);
  await returnLostChunks(worker);
  await completeChunk(worker, queue, { ...fetched, tries: 1 });
  await setRemoteState(submitter, batch, "finished");
  const old = { namespace: "default", ageMs: 0 };
  await removeOld(submitter, await lookForOld(submitter, old), old);
  await removeRemoteBatch(submitter, batch);
  expect(await remoteProgress(submitter, batch)).toBeNull();
});

test("a submitter that resumes needs no more than the rights of its role", async () => {
  const { submitter: db } = await databaseWithUsers();
  const { batch, service } = await runningBatch(db, {
    jobs: 3,
    budget: { requests: 5, failures: 5, cost: 5, durationMs: 5_000 },
  });
  expect(await claimBatch(db, batch, "here")).toBeNull();
  await renewBatch(db, batch, {
    suite: "{}",
    version: "0.0.1",
    budget: { requests: null, failures: null, cost: null, durationMs: null },
    onAmbiguous: "fail",
    inDoubt: "resend",
  });
  expect(await jobsThere(db, batch, [1, 2])).toHaveLength(2);
  await dropJobs(db, batch, [2]);
  await renewTarget(db, batch, { id: 1, service, data: '{"renewed":true}' });
  await addFile(db, batch, 0, Buffer.from("file"));
  await endFile(db, batch, 3);
  await dropFile(db, batch);
  await pullAgain(db, batch);
  expect([await latestChunk(db, batch), await openChunks(db, batch)]).toMatchObject([1, [{ id: 1 }]]);
  await closeChunks(db, batch);
  await failBatch(db, batch, "why");
  await releaseBatch(db, batch, "here");
  expect(await notImported(db, batch)).toEqual({ unpulled: 0, inFlight: 0 });
  expect([await servicesNow(db), await workersServing(db)]).toEqual([[], []]);
});

test("a worker reads no table and no other schema, makes nothing and takes nothing away", async () => {
  const { owner, worker, submitter } = await databaseWithUsers();
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

test("no user of a role empties a batch by the function that does so when the batch goes", async () => {
  const { worker, submitter } = await databaseWithUsers();
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

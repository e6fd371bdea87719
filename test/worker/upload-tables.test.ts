import { expect, test } from "vitest";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import { settle, skipRemoteJobs } from "../../src/worker/postgres/settle.ts";
import { dropJobs } from "../../src/worker/postgres/rejoin.ts";
import { addFile, addInputs, addJobs, enterBatch, removeRemoteBatch } from "../../src/worker/postgres/submit.ts";
import { take } from "../../src/worker/postgres/take.ts";
import { remoteBatches, remoteProgress } from "../../src/worker/postgres/watch.ts";
import { fileDatabase } from "../postgres.ts";
import { answer, newBatch, newWorker, runningBatch } from "./books.ts";

const database = fileDatabase();

test("a name is one batch's within a namespace: the second of two submitters is told, and finds the first", async () => {
  const db = database();
  const name = "night of the help desk \0 \uD800";
  const both = await Promise.all([1, 2].map(() => enterBatch(db, newBatch({ namespace: "team a", name }))));
  expect(both.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(both[0]?.no).toBe(both[1]?.no);
  const other = await enterBatch(db, newBatch({ namespace: "team b", name }));
  expect(other).toMatchObject({ isNew: true, state: "uploading" });
  const shown = name.replace("\0", "\u{FFFD}").toWellFormed();
  expect(await remoteBatches(db, { namespace: "team a" })).toMatchObject([{ no: both[0]?.no, name: shown }]);
  expect(await remoteBatches(db, { namespace: "team b", name: shown })).toMatchObject([{ no: other.no }]);
  const seen = (await remoteBatches(db, { namespace: null })).map(({ no }) => no);
  expect(seen).toEqual(expect.arrayContaining([both[0]?.no, other.no]));
});

test("an upload that was cut off is sent again from its beginning, and changes nothing that is there", async () => {
  const db = database();
  const worker = await newWorker(db);
  const { batch, service } = await runningBatch(db, { jobs: 2 });
  await take(db, { worker, token: "t", batch, service, jobs: [{ job: 1, number: 1 }] });
  await settle(db, worker, [answer(batch, 1)]);
  const plain = { slice: 1, target: 1, caseId: 1, repeat: 1, turn: 1, waitsFor: null, outcome: null, record: null };
  await addJobs(
    db,
    batch,
    [1, 2].map((id) => ({ ...plain, id, input: id, attempts: 0, failures: 0 })),
  );
  await addInputs(db, batch, [{ id: 1, input: '"another"' }]);
  expect(await remoteProgress(db, batch)).toMatchObject({ jobs: 2, done: 1 });
  expect(await db.query("SELECT input FROM tandem.input WHERE batch = $1 AND id = 1", [batch])).toEqual([
    { input: '{"question":1}' },
  ]);
});

test("a job that comes again goes on after the attempts that are entered, though its submitter does not have them", async () => {
  const db = database();
  const worker = await newWorker(db);
  const { batch, service } = await runningBatch(db, { jobs: 2 });
  await take(db, { worker, token: "t", batch, service, jobs: [{ job: 1, number: 1 }] });
  await settle(db, worker, [answer(batch, 1, { kind: "target", final: false })]);
  await dropJobs(db, batch, [1, 2]);
  const plain = { slice: 1, target: 1, repeat: 1, turn: 1, waitsFor: null, failures: 0, outcome: null, record: null };
  await addJobs(
    db,
    batch,
    [1, 2].map((id) => ({ ...plain, id, caseId: id, input: id, attempts: id === 1 ? 0 : 3 })),
  );
  expect(await db.query("SELECT id, attempts FROM tandem.job WHERE batch = $1 ORDER BY id", [batch])).toEqual([
    { id: 1, attempts: 1 },
    { id: 2, attempts: 3 },
  ]);
});

test("a batch that is removed leaves nothing behind", async () => {
  const db = database();
  const worker = await newWorker(db);
  const { batch, service } = await runningBatch(db, { jobs: 6, turns: 2, rate: { count: 5, windowMs: 1_000 } });
  await addFile(db, batch, 0, Buffer.from("file"));
  const jobs = [1, 3].map((job) => ({ job, number: 1 }));
  await take(db, { worker, token: "t", batch, service, jobs });
  await settle(db, worker, [answer(batch, 1), answer(batch, 5)]);
  await skipRemoteJobs(db, batch, 5, "why");
  expect((await tablesWith(db, batch)).length).toBeGreaterThan(10);
  await removeRemoteBatch(db, batch);
  expect(await tablesWith(db, batch)).toEqual([]);
  // What was on its way comes too late, and is no fault of its worker.
  expect(await settle(db, worker, [answer(batch, 3)])).toEqual(["stray"]);
});

test.each(["a take", "a result", "an upload"])("a batch is removed behind %s that is under way", async (what) => {
  const db = database();
  const worker = await newWorker(db);
  const { batch, service } = await runningBatch(db, { jobs: 4 });
  await take(db, { worker, token: "t", batch, service, jobs: [{ job: 1, number: 1 }] });
  let removed: Promise<void> | undefined;
  await db.transaction(async ({ query }) => {
    const within = { ...db, query };
    if (what === "a take") await take(within, { worker, token: "u", batch, service, jobs: [{ job: 2, number: 1 }] });
    else if (what === "a result") await settle(within, worker, [answer(batch, 1)]);
    else await addInputs(within, batch, [{ id: 99, input: "{}" }]);
    removed = removeRemoteBatch(db, batch);
    const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await db.query(waits)).length === 0);
  });
  await removed;
  expect(await tablesWith(db, batch)).toEqual([]);
  await addInputs(db, batch, [{ id: 99, input: "{}" }]);
  expect(await tablesWith(db, batch)).toEqual([]);
});

/** The tables that have something of a batch. */
async function tablesWith(db: Postgres, batch: number): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'tandem' AND column_name = 'batch'",
  );
  const found: string[] = [];
  for (const { name } of tables)
    if ((await db.query(`SELECT FROM tandem.${name} WHERE batch = $1`, [batch])).length > 0) found.push(name);
  return found;
}

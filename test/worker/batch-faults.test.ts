import { expect, onTestFinished, test } from "vitest";
import { record, type Service, startService } from "../e2e/service.ts";
import { slowTest } from "../often.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { temporaryFolder } from "../store/batch.ts";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import { remoteBatches } from "../../src/worker/postgres/watch.ts";
import { openWorker } from "../../src/worker/serve/open-worker.ts";
import { type Submitted, submit } from "./submitted.ts";

/** A worker in this process; gives what it has told, and whether it has ended. */
async function workerHere(
  url: string,
  folder = temporaryFolder(),
): Promise<{ told: string[]; hasEnded: () => boolean; end: () => Promise<void> }> {
  const reported: string[] = [];
  const worker = await openWorker({
    url,
    name: "mill",
    deployments: [],
    addresses: [],
    folder,
    accessOf: async ({ baseUrl }) => ({ baseUrl, key: null, within: "" }),
    tell: (line) => reported.push(line),
  });
  let hasEnded = false;
  const running = worker.run().finally(() => (hasEnded = true));
  running.catch(() => undefined);
  const end = async (): Promise<void> => {
    worker.stop("the test has ended");
    await running.catch(() => undefined);
  };
  onTestFinished(end);
  return { told: reported, hasEnded: () => hasEnded, end };
}

/** The database refuses a change of a table for one batch. */
async function refusing(
  db: Postgres,
  { table, on, batch, code }: { table: string; on: string; batch: number; code: string },
): Promise<void> {
  await db.query(`CREATE FUNCTION tandem.refuse_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.batch = ${batch} THEN RAISE EXCEPTION 'permission denied for table ${table}' USING ERRCODE = '${code}'; END IF;
    RETURN NEW;
  END $$`);
  await db.query(
    `CREATE TRIGGER refuse BEFORE ${on} ON tandem.${table} FOR EACH ROW EXECUTE FUNCTION tandem.refuse_${table}()`,
  );
}

const sentOf = ({ received }: Service): number => received.length;

/** The batch has stopped with a reason, for its submitter and for those who look on; every request that was sent is in doubt. */
async function isStopped(batch: Submitted, { sent, reason }: { sent: number; reason: string }): Promise<void> {
  await expect.poll(async () => (await batch.progress()).state).toBe("stopping");
  await expect.poll(async () => (await batch.progress()).services[0]?.inFlight).toBe(0);
  const shown = (await remoteBatches(batch.db, { namespace: null })).find(({ no }) => no === batch.no);
  expect(shown?.reason).toContain(`worker mill cannot run it: ${reason}`);
  expect((await batch.progress()).reason).toBe(shown?.reason);
  expect((await batch.books()).doubts).toBe(sent);
}

test.each([["INSERT", "attempt", "42501", true]] as const)(
  "a worker for which %s of %s fails with %s in one batch stops that batch, and goes on with others",
  stopsThatBatch,
);
slowTest.each([
  ["INSERT", "sending", "23514", false],
  ["INSERT", "attempt", "42P01", true],
  ["UPDATE", "slice", "42501", false],
] as const)(
  "a worker for which %s of %s fails with %s in one batch stops that batch, and goes on with others",
  stopsThatBatch,
);

async function stopsThatBatch(on: "INSERT" | "UPDATE", table: string, code: string, sends: boolean): Promise<void> {
  const url = await testDatabase();
  const db = await openTest(url, 1);
  // Texts that neither PostgreSQL nor UTF-8 has a place for: each is an answer as any other.
  const answer = record("zero \u0000 and half a pair \ud800");
  const [broken, fine] = [await startService(() => answer), await startService(() => answer)];
  const bad = await submit(url, broken.url, { jobs: 30, slice: 10, deployment: { concurrency: 3 } });
  const good = await submit(url, fine.url, { jobs: 30, slice: 10, deployment: { concurrency: 3, name: "other" } });
  await refusing(db, { table, on, batch: bad.no, code });
  const worker = await workerHere(url);
  await good.finished();
  expect(await good.books()).toEqual({ attempts: { ok: 30 }, over: 30, doubts: 0, strays: 0 });
  const reason = code === "42501" ? "The user has no right to do this" : `permission denied for table ${table}`;
  await isStopped(bad, { sent: sentOf(broken), reason });
  expect(sentOf(broken) > 0).toBe(sends);
  expect(worker.hasEnded()).toBe(false);
  expect(worker.told.filter((line) => /^batch\S* .*is stopped: /.test(line)).length).toBe(1);
}

test("answers that were refused land when the worker is started again and the fault is mended", async () => {
  const url = await testDatabase();
  const db = await openTest(url, 1);
  const service = await startService(({ prompt }) => record(prompt));
  const bad = await submit(url, service.url, { jobs: 30, slice: 10, deployment: { concurrency: 3 } });
  await refusing(db, { table: "attempt", on: "INSERT", batch: bad.no, code: "42501" });
  const folder = temporaryFolder();
  const worker = await workerHere(url, folder);
  await expect.poll(async () => (await bad.progress()).state).toBe("stopping");
  await worker.end();
  await db.query("DROP TRIGGER refuse ON tandem.attempt");
  await workerHere(url, folder);
  await expect.poll(async () => (await bad.books()).doubts).toBe(0);
  expect((await bad.books()).attempts).toEqual({ ok: sentOf(service) });
});

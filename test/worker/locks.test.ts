import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { fileDatabase } from "../postgres.ts";
import type { Postgres, Queries } from "../../src/worker/postgres/connection.ts";
import { stopUnserved } from "../../src/worker/postgres/open-work.ts";
import { renewBatch } from "../../src/worker/postgres/rejoin.ts";
import { remoteProgress } from "../../src/worker/postgres/watch.ts";
import { beat, leaveWorker, reap, tellOfWorker } from "../../src/worker/postgres/workers.ts";
import { newWorker, runningBatch } from "./books.ts";

const database = fileDatabase(6);
const deadAfterMs = 15_000;
const none = { lines: [], serves: [], leaves: {} };

/** A transaction that goes on by hand; `tries`: times that it was begun, more than one where it was undone. */
async function byHand(db: Postgres) {
  const state = { tries: 0 };
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const given = Promise.withResolvers<Queries>();
  const done = db.transaction(async (within) => {
    state.tries += 1;
    given.resolve(within);
    await ended;
  });
  const { query } = await given.promise;
  const commit = async (): Promise<void> => {
    end();
    await done;
  };
  return { query, commit, state };
}

/** Resolves when a statement with these words waits for somebody else's lock. */
const waits = async (db: Postgres, words: string): Promise<void> => {
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1";
  await expect.poll(() => db.query(waiting, [words])).toHaveLength(1);
};

const takeOne = (worker: string, { batch, service }: { batch: number; service: number }): [string, unknown[]] => [
  "SELECT tandem.take($1, $2, $3, $4, '{1}', '{1}') AS told",
  [worker, randomUUID(), batch, service],
];

describe("a deployment that every worker leaves to others", () => {
  const stopping = async (db: Postgres) => {
    const own = await runningBatch(db, { jobs: 2 });
    const worker = await newWorker(db, "refused");
    const kind = `${own.service} 0.0.0 prod`;
    await tellOfWorker(db, worker, { ...none, leaves: { [kind]: "who?" } });
    const stop = (): Promise<boolean> =>
      stopUnserved(db, { service: own.service, version: "0.0.0", deployment: "prod" }, { reason: "who?", deadAfterMs });
    const stopped = async () => (await remoteProgress(db, own.batch))?.stopped.length;
    return { own, worker, kind, stop, stopped };
  };

  test("is stopped once no request that saw it go on is being marked: all that is in flight is known then", async () => {
    const db = database();
    const { own, worker, stop, stopped } = await stopping(db);
    const taking = await byHand(db);
    await taking.query(...takeOne(worker, own));
    const stopFirst = stop();
    await waits(db, "%stop_unserved%");
    expect(await stopped()).toBe(0);
    await taking.commit();
    expect(await stopFirst).toBe(true);
    expect((await remoteProgress(db, own.batch))?.services[0]?.inFlight).toBe(1);
    const after = await byHand(db);
    const [{ told: reported } = { told: null }] = await after.query<{ told: unknown }>(...takeOne(worker, own));
    expect(reported).toMatchObject({ granted: [] });
    await after.commit();
    await leaveWorker(db, worker);
  });

  test("is not stopped when one that asks for leave just then has told that it serves it", async () => {
    const db = database();
    const { own, worker, kind, stop, stopped } = await stopping(db);
    const taking = await byHand(db);
    await taking.query(...takeOne(worker, own));
    const stopFirst = stop();
    await waits(db, "%stop_unserved%");
    await tellOfWorker(db, worker, { ...none, serves: [kind] });
    await taking.commit();
    expect(await stopFirst).toBe(false);
    expect(await stopped()).toBe(0);
    await leaveWorker(db, worker);
  });
});

test("a batch that is gone on with while its budget ends waits for those who ask for leave, and never in a circle", async () => {
  const db = database();
  const budget = { requests: 100, failures: null, cost: null, durationMs: null };
  const own = await runningBatch(db, { jobs: 2, budget });
  const worker = await newWorker(db);
  const taking = await byHand(db);
  await taking.query(...takeOne(worker, own));
  const renewing = renewBatch(db, own.batch, {
    suite: "{}",
    version: "0.0.0",
    budget,
    onAmbiguous: "retry",
    inDoubt: "hold",
  });
  await waits(db, "%");
  await taking.query("SELECT tandem.end_batch($1, 'stopping', 'it is spent')", [own.batch]);
  await taking.commit();
  await renewing;
  expect(taking.state.tries).toBe(1);
  await leaveWorker(db, worker);
});

test("what is in doubt of a batch for which the database refuses to decide is held, and other batches are decided", async () => {
  const db = database();
  const [bad, good] = [
    await runningBatch(db, { jobs: 1, inDoubt: "resend" }),
    await runningBatch(db, { jobs: 1, inDoubt: "resend" }),
  ];
  await db.query(`CREATE FUNCTION tandem.refuse_attempt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.batch = ${bad.batch} THEN RAISE EXCEPTION 'no room' USING ERRCODE = '23514'; END IF; RETURN NEW; END $$`);
  await db.query(
    "CREATE TRIGGER refuse BEFORE INSERT ON tandem.attempt FOR EACH ROW EXECUTE FUNCTION tandem.refuse_attempt()",
  );
  const worker = await newWorker(db);
  await beat(db, worker);
  for (const own of [bad, good]) await db.query(...takeOne(worker, own));
  await leaveWorker(db, worker);
  await reap(db, { deadAfterMs });
  const doubts = await db.query("SELECT batch FROM tandem.sending WHERE batch = ANY ($1)", [[bad.batch, good.batch]]);
  expect(doubts).toEqual([{ batch: bad.batch }]);
  const [row] = await db.query("SELECT state, in_doubt, reason FROM tandem.batch WHERE no = $1", [bad.batch]);
  expect(row).toEqual({
    state: "running",
    in_doubt: "hold",
    reason: "what is in doubt is held, as it cannot be decided: no room",
  });
});

test("every statement of workers is planned anew, but for those that each request goes through", async () => {
  const rows = await database().query<{ name: string }>(
    `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'tandem'::regnamespace AND prosecdef
       AND NOT coalesce('plan_cache_mode=' || CASE WHEN proname IN ('take', 'settle', 'settle_and_take') THEN 'force_generic_plan' ELSE 'force_custom_plan' END
         = ANY (proconfig), false)`,
  );
  expect(rows).toEqual([]);
});

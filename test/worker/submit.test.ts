import { describe, expect, onTestFinished, test } from "vitest";
import { batchFileOf } from "../../src/app/batch-file.ts";
import { fetchBatch } from "../../src/app/fetch-batch.ts";
import { localSender } from "../../src/app/send/local-sender.ts";
import { type SendEnd, sendBatch, type SendOptions } from "../../src/app/send/send.ts";
import { resumeBatch } from "../../src/app/resume.ts";
import type { RunContext } from "../../src/app/context.ts";
import type { Sender } from "../../src/app/send/sender.ts";
import type { Outcome } from "../../src/client/outcome.ts";
import { steadyNow } from "../../src/lib/clock.ts";
import { Budget } from "../../src/runner/budget.ts";
import type { Watched } from "../../src/runner/runner.ts";
import { atWorkers } from "../../src/store/at-workers.ts";
import { type Batch, findBatch } from "../../src/store/batches.ts";
import type { Connection } from "../../src/store/connection.ts";
import { databasePath, openDatabase } from "../../src/store/database.ts";
import { settleInDoubt } from "../../src/store/journal/in-doubt.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import type { Postgres } from "../../src/worker/postgres/connection.ts";
import { resolveDoubts } from "../../src/worker/postgres/pull.ts";
import { failBatch } from "../../src/worker/postgres/settle.ts";
import { removeRemoteBatch } from "../../src/worker/postgres/submit.ts";
import { hearCalls, leaveWorker } from "../../src/worker/postgres/workers.ts";
import { remoteBatches, remoteProgress } from "../../src/worker/postgres/watch.ts";
import { remoteSender, takingBack } from "../../src/worker/submit/remote-sender.ts";
import { openSession, type Session } from "../../src/worker/submit/session.ts";
import { runOn } from "../app/scored.ts";
import { slowTest } from "../often.ts";
import { openTest, testDatabase } from "../postgres.ts";
import { oneCase, plannedBatch, temporaryDatabase, temporaryFolder } from "../store/batch.ts";
import { okOutcome, standIn } from "./stand-in.ts";

const cases = (count: number) => Array.from({ length: count }, (_none, index) => oneCase(`case-${index}`));

async function workers(): Promise<{
  url: string;
  pg: Postgres;
  session: (namespace?: string, waitsForMs?: number) => Promise<Session>;
}> {
  const url = await testDatabase();
  const pg = await openTest(url);
  return {
    url,
    pg,
    async session(namespace = "default", waitsForMs) {
      const session = await openSession(url, {
        namespace,
        onInDoubt: null,
        waitsForMs: waitsForMs ?? null,
        planFile: batchFileOf,
      });
      onTestFinished(() => session.close());
      return session;
    },
  };
}

interface Sent {
  end: SendEnd;
  notices: string[];
  settled: number;
}

async function send(
  db: Connection,
  batch: Batch,
  session: Session,
  { watched, firstLook, ...more }: Partial<RunContext> & SendOptions & { watched?: (runner: Watched) => void } = {},
): Promise<Sent> {
  const notices: string[] = [];
  let settled = 0;
  const run = runOn(db, {
    sender: remoteSender(session),
    onRunner: (runner) => watched?.(runner),
    onEvent: (event) => {
      if (event.type === "settled") settled += 1;
    },
    onNotice: (message) => notices.push(message),
    ...more,
  });
  const end = await sendBatch(run, batch, firstLook === undefined ? {} : { firstLook });
  return { end, notices, settled };
}

/** What `tandem resume` does, without a word on what is in doubt. */
async function resumed(out: string, batch: string, sender: Sender): Promise<Omit<Sent, "end">> {
  const notices: string[] = [];
  let settled = 0;
  using db = openDatabase(databasePath(out));
  const run = runOn(db, {
    out,
    suite: findBatch(db, batch).suite,
    sender,
    onEvent: (event) => void (event.type === "settled" && (settled += 1)),
    onNotice: (message) => notices.push(message),
  });
  await resumeBatch(run, batch, { onInDoubt: null });
  return { notices, settled };
}

/** Leaves a batch as soon as everything of it is there, and workers may begin. */
const leavesWhenSent =
  (pg: Postgres) =>
  (runner: Watched): void => {
    const leave = async (): Promise<void> => {
      const state = async () => (await remoteBatches(pg, { namespace: "default" }))[0]?.state;
      await expect.poll(state).toBe("running");
      runner.abort();
    };
    void leave();
  };

const outcomes = (db: Connection): Record<string, number> =>
  Object.fromEntries(
    sqlite(db)
      .prepare<[], [string, number]>("SELECT coalesce(outcome, 'open'), count(*) FROM job GROUP BY 1")
      .raw()
      .all(),
  );

describe("a batch that workers send", () => {
  test("is in the journal here as if it had been sent from here, each answer once", async () => {
    const { pg, session } = await workers();
    const worker = await standIn(pg);
    onTestFinished(() => worker.stop());
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, cases(60));
    let calls = 0;
    await hearCalls(pg, () => (calls += 1));
    const { end, settled } = await send(db, batch, await session(), {
      firstLook: { prefers: () => true, examine: async () => null },
    });
    expect(end.stopped).toEqual([]);
    expect(settled).toBe(120);
    // Workers that rest are called for the first jobs, and for the others.
    expect(calls).toBeGreaterThanOrEqual(2);
    expect(outcomes(db)).toEqual({ ok: 120 });
    expect(new Set(worker.sent).size).toBe(120);
    expect(findBatch(db, batch.name).state).toBe("finished");
    expect(atWorkers(db, batch.id)?.rests).toBe(true);
    const bodies = sqlite(db).prepare<[], string>("SELECT body FROM run_record ORDER BY record LIMIT 1").pluck().all();
    expect(bodies[0]).toContain("answer to");
    const [remote] = await remoteBatches(pg, { namespace: "default" });
    expect(remote).toMatchObject({
      state: "finished",
      submitter: expect.stringMatching(/^process \d+ on \S+ \([0-9a-f]{4}\)$/),
    });
  });

  test("goes no further than the first case of each target when its answer is not what was wanted", async () => {
    const { pg, session } = await workers();
    const worker = await standIn(pg);
    onTestFinished(() => worker.stop());
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, cases(50));
    const { end } = await send(db, batch, await session(), {
      firstLook: { prefers: () => true, examine: async () => "it is nonsense" },
    });
    expect(end.refusal).toContain("it is nonsense");
    expect(worker.sent.length).toBe(2);
    expect(outcomes(db)).toEqual({ ok: 2, open: 98 });
    expect(findBatch(db, batch.name).state).toBe("stopped");
    // Once more, and it is sent: nothing of it twice.
    await send(db, findBatch(db, batch.name), await session(), {
      firstLook: { prefers: () => true, examine: async () => null },
    });
    expect(outcomes(db)).toEqual({ ok: 100 });
    expect(new Set(worker.sent).size).toBe(worker.sent.length);
  });

  test("ends when its time is used up, also when no worker is there to ask for leave", async () => {
    const { session } = await workers();
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, cases(10));
    const budget = new Budget({ requests: null, cost: null, durationMs: 500, failures: null }, steadyNow());
    const { end } = await send(db, batch, await session(), { budget });
    expect(end.stopped.map(({ reason }) => reason)).toEqual(Array(2).fill("the time is used up (--max-duration)"));
    expect(outcomes(db)).toEqual({ open: 20 });
    expect(atWorkers(db, batch.id)?.rests).toBe(true);
  });

  test("stops when no worker serves it for as long as it waits, names why until then, and goes on when one does", async () => {
    const { pg, session } = await workers();
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, cases(10));
    const stalls = new Set<string | undefined>();
    const { end, notices } = await send(db, batch, await session("default", 500), {
      watched: (runner) => {
        const look = setInterval(() => runner.snapshot().forEach(({ stall }) => stalls.add(stall?.why)), 50);
        onTestFinished(() => clearInterval(look));
      },
    });
    const reason = "no worker serves prod and test, and the time for that is used up (--wait-for-workers)";
    expect(end.stopped.map((stopped) => stopped.reason)).toEqual([reason, reason]);
    expect(end.stops.map((stop) => stop.reason)).toEqual([reason, reason]);
    expect(notices[0]).toContain(`No worker is there.`);
    expect(stalls).toContain("no worker serves it");
    expect(findBatch(db, batch.name).state).toBe("stopped");
    const worker = await standIn(pg);
    onTestFinished(() => worker.stop());
    await send(db, findBatch(db, batch.name), await session());
    expect(outcomes(db)).toEqual({ ok: 20 });
  });

  test("puts what its only worker had in flight in doubt when that has died, and waits for another", async () => {
    const { pg, session } = await workers();
    const silent = await standIn(pg, { answer: () => null });
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, cases(3));
    const sending = send(db, batch, await session("default", 1_000));
    await expect.poll(() => silent.sent.length).toBe(6);
    await silent.stop();
    // Nobody is left who would look after it.
    await pg.query("UPDATE tandem.worker SET seen_at = seen_at - 60000");
    await sending;
    const [row] = await pg.query(
      "SELECT count(*)::integer AS doubts FROM tandem.sending WHERE doubt_since IS NOT NULL",
    );
    expect(row).toEqual({ doubts: 6 });
  });

  test("stops with the reason when a worker cannot go on with it, and goes on when it is resumed", async () => {
    const { pg, session } = await workers();
    const worker = await standIn(pg, { answer: () => null });
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, cases(30));
    const sending = send(db, batch, await session());
    await expect.poll(() => worker.sent.length).toBeGreaterThan(0);
    const [remote] = await remoteBatches(pg, { namespace: "default" });
    const reason = "worker mill cannot run it: permission denied for table attempt";
    expect(await failBatch(pg, remote?.no ?? 0, reason)).toBe(true);
    await worker.die();
    expect((await sending).end.stopped.map((stopped) => stopped.reason)).toEqual([reason, reason]);
    expect(findBatch(db, batch.name)).toMatchObject({ state: "stopped", reason });
    const other = await standIn(pg);
    onTestFinished(() => other.stop());
    await send(db, findBatch(db, batch.name), await session());
    expect(outcomes(db)).toMatchObject({ ok: 60 - worker.sent.length });
    expect(other.sent.filter((job) => worker.sent.includes(job))).toEqual([]);
  });

  slowTest("names the target that is not there, also when its worker has not stopped it yet", async () => {
    const { pg, session } = await workers();
    const missing: Outcome = { ...okOutcome(""), kind: "target", answer: null, record: null, error: "HTTP 404" };
    const worker = await standIn(pg, { answer: () => missing });
    onTestFinished(() => worker.stop());
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, cases(10));
    const stops: string[] = [];
    const { end } = await send(db, batch, await session(), {
      firstLook: { prefers: () => true, examine: async () => null },
      onEvent: (event) => void (event.type === "target-stopped" && stops.push(`${event.target}: ${event.reason}`)),
    });
    expect(end.refusal).toContain("rejected it");
    expect(stops.toSorted()).toEqual(["prod: HTTP 404", "test: HTTP 404"]);
    expect(sqlite(db).prepare("SELECT count(*) FROM target WHERE stopped = 'HTTP 404'").pluck().get()).toBe(2);
  });

  test("is not sent from here as long as workers may be sending it, and can be taken back", async () => {
    const { pg, session } = await workers();
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, cases(200));
    const [first, one, other] = [await session(), await session(), await session()];
    // Nobody serves it, and the submitter leaves.
    await send(db, batch, first, { watched: leavesWhenSent(pg) });
    expect(atWorkers(db, batch.id)?.rests).toBe(false);
    const fromThis = send(db, batch, first, { sender: localSender(new Map()) });
    await expect(fromThis).rejects.toMatchObject({ code: "BATCH_AT_WORKERS" });
    const worker = await standIn(pg);
    onTestFinished(() => worker.stop());
    const { end } = await send(db, batch, one, { sender: takingBack(other) });
    expect(end.stopped.length).toBeGreaterThan(0);
    expect(atWorkers(db, batch.id)?.rests).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(outcomes(db)["ok"] ?? 0).toBe(worker.sent.length);
    await expect(send(db, batch, first, { sender: localSender(new Map()) })).resolves.toBeDefined();
  });

  test("goes on from another machine with an empty folder, and nothing is sent twice", async () => {
    const { pg, session } = await workers();
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, cases(40));
    await send(db, batch, await session(), { watched: leavesWhenSent(pg) });
    const worker = await standIn(pg);
    onTestFinished(() => worker.stop());
    await expect.poll(() => worker.sent.length).toBe(80);
    const out = temporaryFolder();
    const fetched = await fetchBatch(pg, { out, namespace: "default", batch: null });
    expect(fetched?.name).toBe(batch.name);
    const there = temporaryDatabase(databasePath(out));
    const { settled } = await send(there, findBatch(there, batch.name), await session());
    expect(settled).toBe(80);
    expect(outcomes(there)).toEqual({ ok: 80 });
    expect(worker.sent.length).toBe(80);
    const rows = (of: Connection) =>
      sqlite(of)
        .prepare(
          `SELECT "case".key, target.name, run_record.body FROM job JOIN "case" ON "case".id = case_id JOIN target ON target.id = target_id
           JOIN attempt ON attempt.job_id = job.id JOIN run_record USING (record) ORDER BY 1, 2`,
        )
        .raw()
        .all();
    await send(db, batch, await session());
    expect(rows(there)).toEqual(rows(db));
  });

  slowTest("goes on from another machine with attempts after those that have not decided their jobs", async () => {
    const { pg, session } = await workers();
    const missing: Outcome = { ...okOutcome(""), kind: "target", answer: null, record: null, error: "HTTP 404" };
    const wrong = await standIn(pg, { answer: () => missing });
    const db = temporaryDatabase();
    const { name } = await plannedBatch(db, cases(5));
    await send(db, findBatch(db, name), await session(), {
      firstLook: { prefers: () => true, examine: async () => null },
    });
    await wrong.stop();
    const right = await standIn(pg);
    onTestFinished(() => right.stop());
    const out = temporaryFolder();
    await fetchBatch(pg, { out, namespace: "default", batch: name });
    const there = temporaryDatabase(databasePath(out));
    await send(there, findBatch(there, name), await session());
    expect(outcomes(there)).toEqual({ ok: 10 });
    const numbers = sqlite(there).prepare("SELECT number, outcome, count(*) FROM attempt GROUP BY 1, 2 ORDER BY 1, 2");
    expect(numbers.raw().all()).toEqual([
      [1, "ok", 8],
      [1, "target", 2],
      [2, "ok", 2],
    ]);
  });

  test("holds what was in flight when its worker died, until somebody decides", async () => {
    const { pg, session } = await workers();
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, cases(30));
    let asked = 0;
    const mortal = await standIn(pg, { answer: (job) => ((asked += 1) > 3 ? null : okOutcome(job.input)) });
    const sending = send(db, batch, await session());
    await expect.poll(() => mortal.sent.length).toBeGreaterThan(5);
    await mortal.die();
    const lost = mortal.sent.length - 3;
    await pg.query("UPDATE tandem_engine.job SET state = 'created' WHERE state = 'active'");
    const worker = await standIn(pg);
    onTestFinished(() => worker.stop());
    await sending;
    expect(outcomes(db)).toEqual({ ok: 60 - lost, held: lost });
    settleInDoubt(db, batch.id, "resend");
    await send(db, findBatch(db, batch.name), { ...(await session()), onInDoubt: "resend" });
    expect(outcomes(db)).toEqual({ ok: 60 });
  });

  test.each([
    // Without a word of the suite, the policy of one machine is not that of workers.
    { says: undefined, flag: null, ends: (lost: number) => ({ ok: 60 - lost, held: lost }) },
    { says: "resend", flag: null, ends: () => ({ ok: 60 }) },
    { says: "fail", flag: null, ends: (lost: number) => ({ ok: 60 - lost, "in-doubt": lost }) },
    { says: "resend", flag: "hold", ends: (lost: number) => ({ ok: 60 - lost, held: lost }) },
    { says: "fail", flag: "resend", ends: () => ({ ok: 60 }) },
  ] as const)(
    "does with what its worker had in flight as the suite ($says) or the command ($flag) says",
    async (given) => {
      const { pg, session } = await workers();
      const db = temporaryDatabase();
      const { id, name } = await plannedBatch(db, cases(30));
      const said = given.says === undefined ? {} : { onInDoubt: given.says, onInDoubtOverWorkers: given.says };
      const { suite, ...batch } = findBatch(db, name);
      let asked = 0;
      const mortal = await standIn(pg, { answer: (job) => ((asked += 1) > 3 ? null : okOutcome(job.input)) });
      const sending = send(
        db,
        { ...batch, suite: { ...suite, ...said } },
        { ...(await session()), onInDoubt: given.flag },
      );
      await expect.poll(() => mortal.sent.length).toBeGreaterThan(5);
      await mortal.die();
      const lost = mortal.sent.length - 3;
      await pg.query("UPDATE tandem_engine.job SET state = 'created' WHERE state = 'active'");
      const worker = await standIn(pg);
      onTestFinished(() => worker.stop());
      await sending;
      expect(outcomes(db)).toEqual(given.ends(lost));
      const again = worker.sent.filter((job) => mortal.sent.includes(job)).length;
      expect(again).toBe((given.flag ?? given.says) === "resend" ? lost : 0);
      const doubts = sqlite(db).prepare(
        "SELECT count(*) FROM attempt WHERE outcome = 'in-doubt' AND possibly_paid = 1",
      );
      expect(doubts.pluck().get()).toBe(lost);
      expect(atWorkers(db, id)?.rests).toBe(true);
    },
  );

  test("does not end while what is in doubt is still to be decided by its policy", async () => {
    const { pg, session } = await workers();
    const db = temporaryDatabase();
    const { suite, ...batch } = await plannedBatch(db, cases(5));
    const other = await standIn(pg, { deployments: ["test"] });
    const mortal = await standIn(pg, { deployments: ["prod"], answer: () => null });
    const own = { ...batch, suite: { ...suite, onInDoubtOverWorkers: "resend" as const } };
    const sending = send(db, own, await session());
    await expect.poll(() => [other.sent.length, mortal.sent.length]).toEqual([5, 4]);
    await other.stop();
    await mortal.stop();
    // Between the two steps of those who look after the dead: their chunks are done, and nothing is decided.
    await leaveWorker(pg, mortal.id);
    await pg.query("SELECT tandem.reap(60000)");
    await pg.query("UPDATE tandem.slice SET state = 'done'");
    const [{ no } = { no: 0 }] = await remoteBatches(pg, { namespace: "default" });
    await expect.poll(async () => (await remoteProgress(pg, no))?.undecided).toBe(4);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await remoteProgress(pg, no))?.state).toBe("running");
    await pg.query("SELECT tandem.apply_policies()");
    const worker = await standIn(pg);
    onTestFinished(() => worker.stop());
    await pg.query("UPDATE tandem_engine.job SET state = 'created' WHERE state = 'active'");
    await sending;
    expect(outcomes(db)).toEqual({ ok: 10 });
  });

  test("leaves what is held alone and says nothing of it, until the workers are told to send it again", async () => {
    const { pg, session } = await workers();
    const out = temporaryFolder();
    const db = temporaryDatabase(databasePath(out));
    const { name, id } = await plannedBatch(db, cases(10));
    const mortal = await standIn(pg, { answer: () => null });
    const sending = send(db, findBatch(db, name), await session());
    await expect.poll(() => mortal.sent.length).toBeGreaterThan(1);
    await mortal.die();
    const lost = mortal.sent.length;
    await pg.query("UPDATE tandem_engine.job SET state = 'created' WHERE state = 'active'");
    const worker = await standIn(pg);
    await sending;
    await worker.stop();
    const withHeld = { ok: 20 - lost, held: lost };
    expect(outcomes(db)).toEqual(withHeld);
    // From here, where its suite would send again.
    expect(findBatch(db, name).suite.onInDoubt).toBe("resend");
    await resumed(out, name, localSender(new Map()));
    expect(outcomes(db)).toEqual(withHeld);
    const { notices } = await resumed(out, name, remoteSender(await session()));
    expect(outcomes(db)).toEqual(withHeld);
    expect(notices).toEqual([]);
    const [remote] = await remoteBatches(pg, { namespace: "default" });
    await resolveDoubts(pg, remote?.no ?? 0, { policy: "resend" });
    const next = await standIn(pg);
    onTestFinished(() => next.stop());
    const { settled } = await resumed(out, name, remoteSender(await session()));
    expect([settled, next.sent.length]).toEqual([lost, lost]);
    expect(outcomes(db)).toEqual({ ok: 20 });
    expect(atWorkers(db, id)?.rests).toBe(true);
    // A job that came there again in another chunk is counted once.
    expect(await remoteBatches(pg, { namespace: "default" })).toMatchObject([{ jobs: 20, done: 20 }]);
  });

  test("ends with what to do when it is removed from the workers meanwhile", async () => {
    const { pg, session } = await workers();
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, cases(5));
    const sending = send(db, batch, await session());
    const there = async () => (await remoteBatches(pg, { namespace: "default" }))[0];
    await expect.poll(async () => (await there())?.state).toBe("running");
    await Promise.all([
      expect(sending).rejects.toMatchObject({ code: "WORKERS_BATCH", hint: expect.stringContaining("tandem resume") }),
      removeRemoteBatch(pg, (await there())?.no ?? 0),
    ]);
  });

  test("is submitted by one process at a time", async () => {
    const { session } = await workers();
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, cases(5));
    const [one, other] = [await session(), { ...(await session()), submitter: "process 1 on another" }];
    let leave: Watched | null = null;
    const first = send(db, batch, one, { watched: (runner) => (leave = runner) });
    await expect.poll(() => atWorkers(db, batch.id)).not.toBeNull();
    const out = temporaryFolder();
    const pg = one.db;
    await expect.poll(async () => (await remoteBatches(pg, { namespace: "default" }))[0]?.state).toBe("running");
    await fetchBatch(pg, { out, namespace: "default", batch: null });
    const there = temporaryDatabase(databasePath(out));
    await expect(send(there, findBatch(there, batch.name), other)).rejects.toMatchObject({ code: "BATCH_LOCKED" });
    (leave as Watched | null)?.abort();
    await first;
  });

  slowTest("has a name of its own where two submit the same suite", async () => {
    const { pg, session } = await workers();
    const worker = await standIn(pg);
    onTestFinished(() => worker.stop());
    const [one, other] = [temporaryDatabase(), temporaryDatabase()];
    const [a, b] = [await plannedBatch(one, cases(10)), await plannedBatch(other, cases(10))];
    expect(a.name).toBe(b.name);
    await Promise.all([send(one, a, await session()), send(other, b, await session())]);
    const names = (await remoteBatches(pg, { namespace: "default" })).map(({ name }) => name);
    expect(names.toSorted()).toEqual([a.name, `${a.name}-2`]);
    expect([outcomes(one), outcomes(other)]).toEqual([{ ok: 20 }, { ok: 20 }]);
  });
});

import { expect, test } from "vitest";
import type { Journal } from "../../src/runner/journal.ts";
import type { JobHere } from "../../src/store/journal/pulled.ts";
import { claimBatch } from "../../src/worker/postgres/rejoin.ts";
import { submitterSeen } from "../../src/worker/postgres/watch.ts";
import { Pull } from "../../src/worker/submit/pull.ts";
import { fileDatabase } from "../postgres.ts";
import { runningBatch } from "./books.ts";
import { okOutcome } from "./stand-in.ts";
import { pendingJob } from "../runner/pending-job.ts";

const database = fileDatabase();

const job = (id: number): JobHere => ({ ...pendingJob(id), outcome: null });

test("attempts are brought that stand behind more than a page of another load's, which stay where they are", async () => {
  const db = database();
  const { batch } = await runningBatch(db, { jobs: 1_250 });
  const { record, ...outcome } = okOutcome("an answer");
  const entry = JSON.stringify({ number: 1, queuedAt: 1, final: true, outcome: { ...outcome, record: null } });
  await db.query(
    `INSERT INTO tandem.attempt (batch, job, number, kind, final, entry, body)
     SELECT $1, id, 1, 'ok', true, $2, $3 FROM generate_series(1, 1250) AS id`,
    [batch, entry, record?.body ?? null],
  );
  await db.query("INSERT INTO tandem.unpulled SELECT $1, id, 1, 10 FROM generate_series(1, 1250) AS id", [batch]);
  const entered: number[] = [];
  const settle: Journal["settle"] = async ({ jobId }) => entered.push(jobId) > 0;
  const pull = new Pull({
    db,
    batch: () => batch,
    journal: { settle, skip: async () => 0 },
    books: {
      job,
      jobs: (ids) => new Map(ids.map((id) => [id, job(id)])),
      attempts: () => [],
      clearDoubt: () => undefined,
      enterDoubts: () => undefined,
    },
    places: { there: ({ id }) => id, here: (place) => (place > 1_200 ? place : null) },
    onSettled: () => undefined,
    onEnded: () => undefined,
    onReopened: () => undefined,
  });
  expect(await pull.all()).toBe(50);
  expect(entered.length).toBe(50);
  expect(await pull.all()).toBe(0);
  const [left] = await db.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM tandem.unpulled WHERE batch = $1",
    [batch],
  );
  expect(left?.count).toBe(1_200);
});

test("a submitter that gave no sign, and whose batch another has gone on with, is told so by its next sign", async () => {
  const db = database();
  const { batch } = await runningBatch(db, { jobs: 1, submitter: "one" });
  expect(await submitterSeen(db, batch, "one")).toBeNull();
  expect(await claimBatch(db, batch, "other")).toMatchObject({ submitter: "one" });
  await db.query("UPDATE tandem.batch SET submitter_seen_at = submitter_seen_at - 30000 WHERE no = $1", [batch]);
  expect(await claimBatch(db, batch, "other")).toBeNull();
  expect(await submitterSeen(db, batch, "one")).toBe("other");
  expect(await claimBatch(db, batch, "one")).toMatchObject({ submitter: "other" });
});

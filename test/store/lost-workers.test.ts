import { expect, test } from "vitest";
import { atWorkers, noteAtWorkers } from "../../src/store/at-workers.ts";
import type { Connection } from "../../src/store/connection.ts";
import { casesHeldByWorkers, type InDoubtPolicy, settleInDoubt } from "../../src/store/journal/in-doubt.ts";
import { enterResults } from "../../src/store/journal/handed-over.ts";
import { giveUpWorkers } from "../../src/store/journal/lost-workers.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "./batch.ts";

/** Two targets with a conversation of three turns, of which `prod` has answered the first, and a case of its own. */
async function lostBatch(): Promise<{ db: Connection; id: number }> {
  const db = temporaryDatabase();
  const turns = [1, 2, 3].map((turn) => oneCase(`talk-${turn}`, { cluster: "talk", turn }));
  const { id } = await plannedBatch(db, [...turns, oneCase("alone")]);
  const sql = sqlite(db);
  const [first] = sql
    .prepare<[], { id: number }>(
      `SELECT job.id FROM job JOIN "case" ON "case".id = case_id JOIN target ON target.id = target_id
       WHERE "case".key = 'talk-1' AND target.name = 'prod'`,
    )
    .all();
  sql
    .prepare(
      "INSERT INTO attempt (job_id, number, outcome, possibly_paid, redacted, queued_at) VALUES (?, 1, 'ok', 0, 0, 1)",
    )
    .run(first?.id);
  sql.prepare("UPDATE job SET outcome = 'ok', attempt = 1 WHERE id = ?").run(first?.id);
  noteAtWorkers(db, id, { remote: "there", database: "theirs" });
  return { db, id };
}

const jobs = (db: Connection): string[] =>
  sqlite(db)
    .prepare<[], string>(
      `SELECT target.name || ' ' || "case".key || ' ' || coalesce(job.outcome, 'open') || ' '
         || coalesce((SELECT group_concat(outcome) FROM attempt WHERE job_id = job.id), '-')
       FROM job JOIN "case" ON "case".id = case_id JOIN target ON target.id = target_id ORDER BY target.name, job.id`,
    )
    .pluck()
    .all();

const afterwards = (outcome: string): string[] => [
  "prod talk-1 ok ok",
  `prod talk-2 ${outcome} in-doubt`,
  // It would be sent with another conversation.
  "prod talk-3 open -",
  `prod alone ${outcome} in-doubt`,
  `test talk-1 ${outcome} in-doubt`,
  "test talk-2 open -",
  "test talk-3 open -",
  `test alone ${outcome} in-doubt`,
];

test.each([
  ["hold", "held"],
  ["resend", "open"],
  ["fail", "in-doubt"],
] satisfies [InDoubtPolicy, string][])(
  "a batch whose workers are lost has every job in doubt that may have been sent, by the policy %s",
  async (policy, outcome) => {
    const { db, id } = await lostBatch();
    expect(giveUpWorkers(db, id, policy)).toEqual({ jobs: 8, inDoubt: 4 });
    expect(jobs(db).toSorted()).toEqual(afterwards(outcome).toSorted());
    expect(atWorkers(db, id)?.rests).toBe(true);
  },
);

test("what is held with lost workers is let go by a later resume, and in doubt once", async () => {
  const { db, id } = await lostBatch();
  giveUpWorkers(db, id, "hold");
  settleInDoubt(db, id, "hold");
  expect(jobs(db).toSorted()).toEqual(afterwards("held").toSorted());
  settleInDoubt(db, id, "resend");
  expect(jobs(db).toSorted()).toEqual(afterwards("open").toSorted());
});

test("a case that a worker held is told by a fact and not by words, and goes on as a run once it is known that the service has taken it", async () => {
  const { db, id } = await lostBatch();
  const [job = 0] = sqlite(db)
    .prepare<[], number>(
      `SELECT job.id FROM job JOIN "case" ON "case".id = case_id WHERE "case".key = 'alone' ORDER BY job.id`,
    )
    .pluck()
    .all();
  const doubt = { job, number: 1, rank: 0, row: null } as const;
  expect(enterResults(db, [doubt], "held")).toMatchObject([{ isEnd: true }]);
  sqlite(db).exec("UPDATE job SET error = 'other words' WHERE outcome = 'held'");
  expect(casesHeldByWorkers(db, id)).toEqual([job]);
  const sending = { job_id: job, number: 1, queued_at: 5, run_id: "run1" };
  const row = JSON.stringify({ attempt: null, record: null, job: { outcome: null }, sending });
  expect(enterResults(db, [{ job, number: 1, rank: 1, row }], "held")).toMatchObject([
    { isEnd: false, isReleased: true },
  ]);
  expect(casesHeldByWorkers(db, id)).toEqual([]);
  const open = sqlite(db).prepare("SELECT outcome, run_id FROM job JOIN sending ON job_id = id WHERE id = ?");
  expect(open.get(job)).toEqual({ outcome: null, run_id: "run1" });
  expect(sqlite(db).prepare("SELECT 1 FROM attempt WHERE job_id = ?").all(job)).toEqual([]);
});

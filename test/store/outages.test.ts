import { expect, test } from "vitest";
import { createJournal } from "../../src/store/journal/journal.ts";
import { addSecondLook } from "../../src/store/plan/second-look.ts";
import { outagesOf } from "../../src/store/results/outages.ts";
import { caseResults } from "../../src/store/results/results.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "./batch.ts";

test("a request that a gateway answered counts once, also of a question that was asked before a second look", async () => {
  const db = temporaryDatabase();
  const { id } = await plannedBatch(db, [oneCase("k1")]);
  const [one] = caseResults(db, id);
  const [job] = one?.jobs ?? [];
  const { jobId = 0, targetId = 0 } = job ?? {};
  const question = sqlite(db)
    .prepare(
      `INSERT INTO job (batch_id, target_id, case_id, repeat, kind) SELECT batch_id, target_id, case_id, 1, 'judge' FROM job WHERE id = ?`,
    )
    .run(jobId).lastInsertRowid;
  const again = { kind: "case", caseId: one?.caseId ?? 0, targetId, repeat: 2, cluster: "k1", turn: 1 } as const;
  addSecondLook(db, id, { jobs: [{ ...again, waits: false }], at: 1 });
  const other = await plannedBatch(db, [oneCase("k1")]);
  const [strange] = [...caseResults(db, other.id)][0]?.jobs ?? [];
  const attempt = sqlite(db).prepare(
    `INSERT INTO attempt (job_id, number, outcome, possibly_paid, redacted, queued_at, done_at, gateway) VALUES (?, 1, 'ambiguous', 1, 0, 5, 6, 1)`,
  );
  for (const of of [jobId, question, strange?.jobId]) attempt.run(of);
  const away = { deployment: "prod", endpoint: "video-bots", status: 503, since: 4, until: 9 };
  await createJournal(db, id).noteOutage({ ...away, givenBack: [] });
  expect(outagesOf(db, id)).toEqual([{ ...away, requests: 2 }]);
});

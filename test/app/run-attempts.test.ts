import { expect, test } from "vitest";
import { attemptsInRow } from "../../src/app/report/run-attempts.ts";
import type { ReportRow } from "../../src/report/shape/row.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { syntheticRows } from "../report/synthetic.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "../store/batch.ts";

test("an answer that took several attempts has each of them: when, how long, and what became of it", async () => {
  const db = temporaryDatabase();
  await plannedBatch(db, [oneCase("k1")]);
  const write = sqlite(db).prepare(
    `INSERT INTO attempt (job_id, number, outcome, answer, status, error, possibly_paid, redacted, queued_at, sent_at, done_at)
     VALUES (1, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)`,
  );
  write.run(1, "throttled", null, 429, "slow down", 0, 1000, 1100.5, 1150.5);
  write.run(2, "ambiguous", null, null, "no reply within 1000 ms", 1, 2000, 2100, null);
  write.run(3, "ok", "answered", 200, null, 0, 4000, 4000, 4900);
  const [row] = syntheticRows(1);
  const run = row?.sides[0]?.runs[0];
  if (row === undefined || run === undefined) throw new Error("no row");
  const rowOf = (attempts: number): ReportRow => {
    return { ...row, sides: [{ runs: [{ ...run, jobId: 1, attempts }], scores: [] }] };
  };
  expect(attemptsInRow(db)(rowOf(3)).sides[0]?.runs[0]?.tries).toEqual([
    { number: 1, outcome: "throttled", status: 429, error: "slow down", possiblyPaid: false, at: 1100.5, tookMs: 50 },
    {
      number: 2,
      outcome: "ambiguous",
      status: null,
      error: "no reply within 1000 ms",
      possiblyPaid: true,
      at: 2100,
      tookMs: null,
    },
    { number: 3, outcome: "answered", status: 200, error: null, possiblyPaid: false, at: 4000, tookMs: 900 },
  ]);
  const once = rowOf(1);
  expect(attemptsInRow(db)(once)).toBe(once);
});

import { expect, test } from "vitest";
import { findBatch } from "../../src/store/batches.ts";
import type { Connection } from "../../src/store/connection.ts";
import { createJournal } from "../../src/store/journal/journal.ts";
import { mergeBatches } from "../../src/store/merge/merge.ts";
import { askAnew } from "../../src/store/plan/ask-anew.ts";
import { outcome } from "../runner/outcome.ts";
import { oneCase, plannedBatch, suite, temporaryDatabase } from "./batch.ts";

/** A batch whose first job failed twice for the one configuration of its target, and once for the corrected one. */
async function corrected(db: Connection) {
  const batch = await plannedBatch(db, [oneCase("k1")]);
  const journal = createJournal(db, batch.id);
  const [job] = journal.pending([1], 0, 1);
  if (job === undefined) throw new Error("there is no job");
  const fails = async (number: number, final: boolean): Promise<void> => {
    await journal.sending({ jobId: job.id, number, queuedAt: number, service: null });
    await journal.settle({ jobId: job.id, number, queuedAt: number, outcome: outcome({ kind: "run-failed" }), final });
  };
  await fails(1, false);
  await fails(2, true);
  const targets = suite.targets.map((target) => ({ ...target, exampleId: "b" }));
  askAnew(db, batch, { targetIds: new Map([["prod", 1]]), suite: { ...suite, targets }, notes: [], at: 1 });
  const [anew] = createJournal(db, batch.id).pending([1], 0, 1);
  await fails(3, false);
  return { batch: findBatch(db, batch.name), anew };
}

test("a target that was corrected has all its retries again, after a restart and a merge too", async () => {
  const db = temporaryDatabase();
  const { batch, anew } = await corrected(db);
  expect(anew).toMatchObject({ attempts: 2, failures: 0 });
  const [later] = createJournal(db, batch.id).pending([1], 0, 1);
  expect(later).toMatchObject({ attempts: 3, failures: 1 });
  const merged = temporaryDatabase();
  const whole = mergeBatches(merged, [{ db, batch, name: "part" }], {
    suite: batch.suite,
    selection: null,
    version: "0.0.0",
  });
  const [taken] = createJournal(merged, whole.id).pending([1], 0, 1);
  expect(taken).toMatchObject({ attempts: 3, failures: 1 });
});

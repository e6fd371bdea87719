import { expect, test } from "vitest";
import { setBatchState } from "../../src/store/batches.ts";
import { keepComparison } from "../../src/store/compared/comparisons.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { BatchEntries } from "../../src/viewer/server/home/batch-entries.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "../store/batch.ts";

test("a batch that was cut off has no verdict in the list, and one that ended as a target was stopped is invalid", async () => {
  const db = temporaryDatabase();
  const { id } = await plannedBatch(db, [oneCase("a")]);
  setBatchState(db, id, "stopped", { reason: "Ctrl-C" });
  const kept = { batchId: id, against: "", seed: "1", word: null, summary: "{}", version: "1", createdAt: 1_000 };
  keepComparison(db, { ...kept, verdict: "invalid" });
  const reported = () => {
    const [entry] = new BatchEntries(db).list().batches;
    return [entry?.verdict, entry?.reason];
  };
  expect(reported()).toEqual([null, "Ctrl-C"]);
  sqlite(db).prepare("UPDATE target SET stopped = 'HTTP 503' WHERE batch_id = ? AND name = 'test'").run(id);
  expect(reported()).toEqual(["invalid", "test stopped before its end"]);
});

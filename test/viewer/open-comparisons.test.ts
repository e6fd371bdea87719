import { expect, test, vi } from "vitest";
import { setBatchState } from "../../src/store/batches.ts";
import { keepComparison } from "../../src/store/compared/comparisons.ts";
import { openDatabase } from "../../src/store/database.ts";
import { writeLabels } from "../../src/store/scores/labels.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { Comparisons } from "../../src/viewer/server/open-comparisons.ts";
import { openIndexFolder } from "../../src/app/report/index-folder.ts";
import { answerJob } from "../app/scored.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "../store/batch.ts";

const latest = { batch: "latest", against: null, sides: [] };

test("a page that waits is told the verdict of these sides when they were compared last, and not that of others", async () => {
  const db = temporaryDatabase();
  const batch = await plannedBatch(db, [oneCase("a")]);
  for (const target of ["prod", "test"]) answerJob(db, "a", target, "yes");
  setBatchState(db, batch.id, "finished");
  const kept = { batchId: batch.id, seed: "1", word: null, summary: "{}", version: "1", createdAt: 1_000 };
  for (const verdict of ["pass", "regression"]) keepComparison(db, { ...kept, against: "", verdict });
  keepComparison(db, { ...kept, against: "release", verdict: "invalid" });
  const folder = openIndexFolder(db.name);
  const comparisons = new Comparisons(db, folder);
  try {
    expect(comparisons.open(latest)).toMatchObject({ state: { kind: "waiting" }, verdict: "regression" });
    const sides = ["latest:test", "latest:prod"];
    expect(comparisons.open({ batch: null, against: null, sides }).verdict).toBeNull();
  } finally {
    comparisons.close();
    folder.close();
  }
});

test.each([
  { sheets: "one sheet", before: ["a"], after: ["a"], of: 1 },
  { sheets: "a sheet of which a row was replaced", before: ["a", "b"], after: ["c", "a"], of: 3 },
])("the cases of two batches of $sheets are counted once", async ({ before, after, of }) => {
  const db = temporaryDatabase();
  for (const keys of [before, after]) {
    const batch = await plannedBatch(
      db,
      keys.map((key) => oneCase(key)),
    );
    setBatchState(db, batch.id, "finished");
  }
  const folder = openIndexFolder(db.name);
  const comparisons = new Comparisons(db, folder);
  try {
    const opened = comparisons.open({ batch: null, against: null, sides: ["latest~1:test", "latest:test"] });
    for (let times = 0; times < 5; times++) await Promise.resolve();
    expect(opened.state).toEqual({ kind: "at", done: 0, of });
  } finally {
    comparisons.close();
    folder.close();
  }
});

test("a page that waits for a comparison asks again without it being planned again, until something is written", async () => {
  const db = temporaryDatabase();
  const batch = await plannedBatch(db, [oneCase("a")]);
  for (const target of ["prod", "test"]) answerJob(db, "a", target, "yes");
  setBatchState(db, batch.id, "finished");
  const folder = openIndexFolder(db.name);
  const comparisons = new Comparisons(db, folder);
  try {
    const first = comparisons.open(latest);
    expect(first.state).toEqual({ kind: "waiting" });
    const prepared = vi.spyOn(sqlite(db), "prepare");
    expect(comparisons.open(latest)).toBe(first);
    expect(prepared).not.toHaveBeenCalled();

    const other = openDatabase(db.name);
    const label = { jobId: 1, scorer: "", label: "good", value: 1, note: null, author: "Ada", at: 1_000 };
    writeLabels(other, [label]);
    other.close();
    expect(comparisons.open(latest)).toBe(first);
    expect(prepared).toHaveBeenCalled();
    prepared.mockRestore();
  } finally {
    comparisons.close();
    folder.close();
  }
});

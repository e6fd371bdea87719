import { describe, expect, test } from "vitest";
import type { Metric } from "../../src/score/contract/scorer.ts";
import type { ScorerSpec } from "../../src/score/contract/spec.ts";
import type { Connection } from "../../src/store/connection.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import {
  beginScoring,
  finishScoring,
  latestScoring,
  listScorings,
  type Scoring,
  scoredResults,
  scoreWriter,
} from "../../src/store/scores/scores.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "./batch.ts";

const metric = (name: string): Metric => ({
  name,
  type: "contains",
  primary: name === "correct",
  scale: { kind: "pass" },
  lowerIsBetter: false,
  passes: true,
  weight: 1,
  against: null,
});

const spec = (name: string): ScorerSpec => ({
  name,
  type: "contains",
  primary: false,
  weight: 1,
  when: null,
  options: {},
});

const begin = (db: Connection, batchId: number, names: string[]): Scoring =>
  beginScoring(db, {
    batchId,
    suiteHash: names.join(),
    scorers: names.map((name) => ({ metric: metric(name), spec: spec(name), code: null, graded: "now" as const })),
    rule: { kind: "all", of: null, share: 1 },
    version: "0.0.0",
    answers: 2,
  });

async function batchOf(count: number) {
  const db = temporaryDatabase();
  const batch = await plannedBatch(
    db,
    Array.from({ length: count }, (_, index) => oneCase(`k${index}`)),
  );
  const jobs = sqlite(db).prepare<[], { id: number; caseId: number }>(
    "SELECT id, case_id AS caseId FROM job ORDER BY case_id, id",
  );
  return { db, batch, jobs: jobs.all() };
}

describe("scores in the store", () => {
  test("are read beside the job that they are of, one pass over all cases", async () => {
    const { db, batch, jobs } = await batchOf(3_000);
    const scoring = begin(db, batch.id, ["correct", "polite"]);
    const writer = scoreWriter(db, scoring.id);
    for (const { id, caseId } of jobs) {
      writer.add({ caseId, jobId: id, scorer: 0, value: id % 2, pass: id % 2 === 1, reason: `job ${id}` });
      if (id % 3 === 0) writer.add({ caseId, jobId: id, scorer: 1, value: null, pass: null, reason: "gave up" });
    }
    writer.end();
    finishScoring(db, scoring, true);
    const read = [...scoredResults(db, batch.id, scoring.id, { reasons: true })].flatMap(({ jobs: own }) => own);
    expect(read.length).toBe(6_000);
    expect(read.map(({ scores }) => scores)).toEqual(
      read.map(({ jobId: id }) => {
        const correct = { value: id % 2, pass: id % 2 === 1, reason: `job ${id}` };
        return id % 3 === 0 ? [correct, { value: null, pass: null, reason: "gave up" }] : [correct];
      }),
    );
    const [first] = scoredResults(db, batch.id, scoring.id, { reasons: false });
    expect(first?.jobs[0]?.scores[0]?.reason).toBeNull();
    expect([...scoredResults(db, batch.id, null, { reasons: true })][0]?.jobs[0]?.scores).toEqual([]);
  });

  test("of the latest finished scoring count; a scoring that was broken off is forgotten", async () => {
    const { db, batch, jobs } = await batchOf(1);
    expect(latestScoring(db, batch.id)).toBeNull();
    const first = begin(db, batch.id, ["correct"]);
    const writer = scoreWriter(db, first.id);
    writer.add({
      caseId: jobs[0]?.caseId ?? 0,
      jobId: jobs[0]?.id ?? 0,
      scorer: 0,
      value: 1,
      pass: true,
      reason: null,
    });
    writer.end();
    finishScoring(db, first, true);
    begin(db, batch.id, ["polite"]);
    expect(latestScoring(db, batch.id)?.suiteHash).toBe("correct");
    const third = begin(db, batch.id, ["polite", "correct"]);
    expect(sqlite(db).prepare("SELECT scorer, value, pass, target, case_key FROM scores").all()).toEqual([
      { scorer: "correct", value: 1, pass: 1, target: "prod", case_key: "k0" },
    ]);
    finishScoring(db, third, true);
    expect(listScorings(db, batch.id).map(({ suiteHash }) => suiteHash)).toEqual(["correct", "polite,correct"]);
  });

  test("of a scoring in which answers were missing make room for those of the next", async () => {
    const { db, batch } = await batchOf(1);
    finishScoring(db, begin(db, batch.id, ["whole"]), true);
    finishScoring(db, begin(db, batch.id, ["partial"]), false);
    expect(latestScoring(db, batch.id)).toMatchObject({ suiteHash: "partial", complete: false });
    finishScoring(db, begin(db, batch.id, ["again"]), true);
    expect(listScorings(db, batch.id).map(({ suiteHash }) => suiteHash)).toEqual(["whole", "again"]);
  });
});

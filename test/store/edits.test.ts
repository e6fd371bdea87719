import { expect, test } from "vitest";
import type { Metric } from "../../src/score/contract/scorer.ts";
import { editStamp, scoreEdits } from "../../src/store/scores/edits.ts";
import { labelWriter, removeLabel } from "../../src/store/scores/labels.ts";
import { oneCase as readCase } from "../../src/store/compared/one-case.ts";
import { pairedResults } from "../../src/store/compared/paired-results.ts";
import { beginScoring, finishScoring, scoredResults, scoreWriter } from "../../src/store/scores/scores.ts";
import type { StoredScorer } from "../../src/store/scores/stored-scorer.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "./batch.ts";
import { sqlite } from "../../src/store/sqlite.ts";

function scorer(
  name: string,
  metric: Partial<Metric>,
  options: StoredScorer["spec"]["options"] = {},
  type = name,
): StoredScorer {
  const own = { name, type, primary: false, weight: 1 };
  return {
    metric: { ...own, scale: { kind: "pass" }, lowerIsBetter: false, passes: true, against: null, ...metric },
    spec: { ...own, when: null, options },
    code: null,
    graded: "now",
  };
}

/** A batch of one case, its first answer graded by these scorers with 0, which fails. */
async function graded(scorers: StoredScorer[]) {
  const db = temporaryDatabase();
  const batch = await plannedBatch(db, [oneCase("k1")]);
  const rule = { kind: "all", of: null, share: 1 } as const;
  const scoring = beginScoring(db, { batchId: batch.id, suiteHash: "x", scorers, rule, version: "0", answers: 1 });
  const job = sqlite(db)
    .prepare<[], { id: number; caseId: number }>("SELECT id, case_id AS caseId FROM job LIMIT 1")
    .get();
  const { id: jobId = 0, caseId = 0 } = job ?? {};
  const writer = scoreWriter(db, scoring.id);
  for (const place of scorers.keys())
    writer.add({ caseId, jobId, scorer: place, value: 0, pass: false, reason: "as found" });
  writer.end();
  finishScoring(db, scoring, true);
  const given = { batchId: batch.id, scoringId: scoring.id };
  const edit = (name: string, label: string, value: number, more: { author?: string; at?: number } = {}): string =>
    labelWriter(db)({ jobId, scorer: name, label, value, note: "why", author: "Ada", at: 1, edits: true, ...more });
  const scores = () => readCase(db, [given], "k1")?.jobs.find((each) => each.jobId === jobId)?.scores ?? [];
  return { db, given, jobId, edit, scores };
}

test("an edit takes the place of a score where things are compared, and nowhere else", async () => {
  const { db, given, jobId, edit, scores } = await graded([scorer("correct", {})]);
  expect(scoreEdits(db, given)).toBeNull();
  expect(editStamp(db, given.batchId)).toBe("");
  expect(edit("correct", "good", 1)).toBe("added");
  const was = { value: 0, pass: false, reason: "as found" };
  const counted = { value: 1, pass: true, reason: "why", edit: { author: "Ada", at: 1, was } };
  expect(scores()).toEqual([counted]);
  const [paired] = Array.from(pairedResults(db, [given]));
  expect(paired?.jobs.find((job) => job.jobId === jobId)?.scores).toEqual([
    { ...counted, edit: { ...counted.edit, was: { ...was, reason: null } } },
  ]);
  const [found] = Array.from(scoredResults(db, given.batchId, given.scoringId, { reasons: true }));
  expect(found?.jobs.find((job) => job.jobId === jobId)?.scores).toEqual([was]);
});

test("the latest edit counts, the same again changes nothing, and what is taken back is gone", async () => {
  const { db, given, jobId, edit, scores } = await graded([scorer("correct", {})]);
  edit("correct", "good", 1);
  const first = editStamp(db, given.batchId);
  expect(edit("correct", "good", 1, { at: 9 })).toBe("same");
  expect(editStamp(db, given.batchId)).toBe(first);
  edit("correct", "bad", 0, { author: "Bo", at: 2 });
  expect(scores()[0]).toMatchObject({ pass: false, edit: { author: "Bo" } });
  expect(removeLabel(db, { jobId, scorer: "correct", author: "Bo" })).toBe(true);
  expect(scores()[0]).toMatchObject({ pass: true, edit: { author: "Ada" } });
  expect(removeLabel(db, { jobId, scorer: "correct", author: "Bo" })).toBe(false);
});

test("a label about a score that is no edit stands beside it", async () => {
  const { db, given, jobId, scores } = await graded([scorer("correct", {})]);
  labelWriter(db)({ jobId, scorer: "correct", label: "good", value: 1, note: null, author: "", at: 1 });
  expect(scoreEdits(db, given)).toBeNull();
  expect(scores()[0]).toEqual({ value: 0, pass: false, reason: "as found" });
});

test("a number passes within the bounds of its scorer; good and bad leave a measured value as it was", async () => {
  const scale = { kind: "bounded", min: 1, max: 5 } as const;
  const { edit, scores } = await graded([
    scorer("helpful", { scale }, { threshold: 4 }),
    scorer("slow", { scale, lowerIsBetter: true }, { threshold: 2 }),
    scorer("length", { scale: { kind: "unbounded", unit: null }, passes: false }),
  ]);
  edit("helpful", "4", 4);
  edit("slow", "3", 3);
  edit("length", "17.5", 17.5);
  expect(scores().map((score) => [score?.value, score?.pass])).toEqual([
    [4, true],
    [3, false],
    [17.5, null],
  ]);
  edit("helpful", "good", 1);
  expect([scores()[0]?.value, scores()[0]?.pass]).toEqual([0, true]);
});

test("a score that is made of edited ones is made again and says whom it follows, unless it was edited itself", async () => {
  const { db, given, jobId, edit, scores } = await graded([
    // Written before those that it is made of.
    scorer("fine", {}, { of: ["both", "short"] }, "any-of"),
    scorer("correct", {}),
    scorer("polite", {}),
    scorer("both", {}, { of: ["correct", "polite"] }, "all-of"),
    scorer("mean", { passes: false }, { of: { correct: 3, polite: 1 }, use: "pass" }, "mean"),
    scorer("short", {}),
  ]);
  edit("correct", "good", 1, { at: 5 });
  const was = { value: 0, pass: false, reason: "as found" };
  const follows = { author: "Ada", at: 5, was, from: ["correct"] };
  expect(scores().map((score) => [score?.value, score?.pass, score?.edit?.from])).toEqual([
    [0, false, ["correct"]],
    [1, true, undefined],
    [0, false, undefined],
    [0, false, ["correct"]],
    [0.75, null, ["correct"]],
    [0, false, undefined],
  ]);
  expect(scores()[3]).toEqual({ value: 0, pass: false, reason: "polite: as found", edit: follows });
  edit("polite", "good", 1, { author: "Bo", at: 9 });
  expect(scores()[0]).toEqual({
    value: 1,
    pass: true,
    reason: "both: all of correct, polite pass",
    edit: { author: "Bo", at: 9, was, from: ["correct", "polite"] },
  });
  const [paired] = Array.from(pairedResults(db, [given]));
  const read = paired?.jobs.find((job) => job.jobId === jobId)?.scores ?? [];
  expect(read.map((score) => [score?.value, score?.pass])).toEqual(
    scores().map((score) => [score?.value, score?.pass]),
  );
  edit("both", "bad", 0);
  expect(scores()[3]).toMatchObject({ pass: false, reason: "why", edit: { author: "Ada" } });
  expect(scores()[3]?.edit?.from).toBeUndefined();
  expect(scores()[0]).toMatchObject({ pass: false, edit: { from: ["both"] } });
  removeLabel(db, { jobId, scorer: "both", author: "Ada" });
  removeLabel(db, { jobId, scorer: "polite", author: "Bo" });
  removeLabel(db, { jobId, scorer: "correct", author: "Ada" });
  expect(scores().every((score) => score?.pass === false && score.edit === undefined)).toBe(true);
});

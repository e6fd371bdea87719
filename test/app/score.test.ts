import { describe, expect, test } from "vitest";
import { scoreTotals } from "../../src/app/grade/score-totals.ts";
import { setBatchState } from "../../src/store/batches.ts";
import { listScorings } from "../../src/store/scores/scores.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "../store/batch.ts";
import { answerJob, scoreLines, gradeBatch, spec } from "./scored.ts";

const contains = spec("correct", "contains");

/** Two cases: the second one failed on `test`. */
async function answered() {
  const db = temporaryDatabase();
  const batch = await plannedBatch(db, [
    oneCase("k1", { expected: "नौ बजे", tags: { language: "hi" } }),
    oneCase("k2", { expected: "five", tags: { language: "en" } }),
  ]);
  answerJob(db, "k1", "prod", "पुस्तकालय नौ बजे खुलता है।");
  answerJob(db, "k1", "test", "It opens at nine.");
  answerJob(db, "k2", "prod", "It closes at five.");
  answerJob(db, "k2", "test", null);
  setBatchState(db, batch.id, "finished");
  return { db, batch };
}

describe("grading a batch", () => {
  test("gives every answer a score of each scorer, and a failed run one of those that are about it", async () => {
    const { db, batch } = await answered();
    const scorers = [contains, spec("seconds", "latency", { max: "2s" })];
    const scored = await gradeBatch(db, batch, scorers);
    expect(scored).toMatchObject({ state: "graded", scoring: { complete: true, answers: 4 } });
    expect(scoreLines(db).filter((line) => line.includes("correct"))).toEqual([
      "k1 prod correct 1.0 1",
      "k1 test correct 0.0 0",
      "k2 prod correct 1.0 1",
    ]);
  });

  test("does nothing when neither scorers nor answers are new, unless it is told to", async () => {
    const { db, batch } = await answered();
    await gradeBatch(db, batch, [contains]);
    expect((await gradeBatch(db, batch, [contains])).state).toBe("unchanged");
    expect((await gradeBatch(db, batch, [contains], { again: true })).state).toBe("graded");
    expect((await gradeBatch(db, batch, [spec("correct", "icontains")])).state).toBe("graded");
    expect(listScorings(db, batch.id)).toHaveLength(3);
  });

  test("takes what is there when jobs are left, and makes room for the whole later", async () => {
    const db = temporaryDatabase();
    const batch = await plannedBatch(db, [oneCase("k1", { expected: "nine" })]);
    answerJob(db, "k1", "prod", "At nine.");
    expect((await gradeBatch(db, batch, [contains])).scoring?.complete).toBe(false);
    expect(scoreLines(db)).toEqual(["k1 prod correct 1.0 1"]);
    answerJob(db, "k1", "test", "At ten.");
    expect((await gradeBatch(db, batch, [contains])).scoring?.complete).toBe(true);
    expect(scoreLines(db)).toEqual(["k1 prod correct 1.0 1", "k1 test correct 0.0 0"]);
    expect(listScorings(db, batch.id)).toHaveLength(1);
  });

  test("grades the checks that rows bring along, as one score", async () => {
    const db = temporaryDatabase();
    const checks = {
      scorers: [
        { type: "contains", value: "nine" },
        { type: "equals", value: "at five" },
      ],
      threshold: null,
    };
    const batch = await plannedBatch(db, [oneCase("k1", { checks }), oneCase("k2")]);
    for (const key of ["k1", "k2"]) for (const target of ["prod", "test"]) answerJob(db, key, target, "At nine.");
    await gradeBatch(db, batch, []);
    expect(scoreLines(db)).toEqual(["k1 prod checks 0.5 0", "k1 test checks 0.5 0"]);
  });

  test("hostile answers are graded like any other", async () => {
    const db = temporaryDatabase();
    const texts = [
      '"; DROP TABLE score; --',
      "\u0000\u001b[31m<script>alert(1)</script>",
      "🏳️‍🌈 é ".repeat(50_000),
      "__proto__",
    ];
    const batch = await plannedBatch(
      db,
      texts.map((text, index) => oneCase(`k${index}`, { expected: text })),
    );
    texts.forEach((text, index) => {
      answerJob(db, `k${index}`, "prod", text);
      answerJob(db, `k${index}`, "test", "something else");
    });
    await gradeBatch(db, batch, [spec("same", "equals")]);
    expect(scoreLines(db).filter((line) => line.includes("prod"))).toEqual(
      texts.map((_, index) => `k${index} prod same 1.0 1`),
    );
  });

  test("is counted by target, with an interval of each rate", async () => {
    const { db, batch } = await answered();
    const { scoring } = await gradeBatch(db, batch, [contains]);
    if (scoring === null) throw new Error("nothing was graded");
    const totals = scoreTotals(db, scoring);
    expect(totals.metrics).toMatchObject([
      { metric: "correct", target: "prod", scored: 2, unscored: 0, mean: 1, passed: { count: 2, of: 2 } },
      { metric: "correct", target: "test", scored: 1, mean: 0, passed: { count: 0, of: 1, share: 0 } },
    ]);
    const [prod] = totals.metrics;
    expect(prod?.passed?.interval?.low).toBeCloseTo(0.342, 3);
    expect(totals.passes).toMatchObject([
      { target: "prod", passed: { count: 2, of: 2 }, undecided: 0 },
      { target: "test", passed: { count: 0, of: 1 } },
    ]);
  });
});
